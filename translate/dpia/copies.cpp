#include "translate/dpia/copies.h"

#include <algorithm>

namespace lockstep {

using namespace kernel;

namespace {

// The buffer whose scalar or vector at the same index it stores.
std::optional<std::string> copied_by(const Store& s) {
  const auto* l = std::get_if<Load>(&s.value.node);
  const auto* v = std::get_if<VectorLoad>(&s.value.node);
  if (l && *l->index == s.index) return l->buffer;
  if (v && *v->index == s.index) return v->buffer;
  return {};
}

// The stores inside the loops, at an index of the loops' variables and nothing else around: each place once.
std::vector<Copy> copies_in(const Stmt& s, Size covered, std::vector<std::string>& loops) {
  const auto under = [&](const std::string& name, const Expr& extent, const Stmt& body) -> std::vector<Copy> {
    const auto n = as_size(extent);
    if (!n) return {};
    loops.push_back(name);
    return copies_in(body, covered * *n, loops);
  };
  if (const auto* f = std::get_if<For>(&s.node)) return under(f->name, f->extent, *f->body);
  if (const auto* p = std::get_if<ParallelFor>(&s.node))
    return p->scratch.empty() ? under(p->name, p->extent, *p->body) : std::vector<Copy>{};
  std::vector<Copy> out;
  if (const auto* b = std::get_if<Block>(&s.node)) {
    if (b->statements.size() == 1) return copies_in(b->statements[0], covered, loops);
    for (const Stmt& x : b->statements) {
      const std::vector<Copy> one =
          std::holds_alternative<Store>(x.node) ? copies_in(x, covered, loops) : std::vector<Copy>{};
      if (one.empty()) return {};
      out.push_back(one[0]);
    }
    return out;
  }
  const auto* st = std::get_if<Store>(&s.node);
  if (!st || loops.empty()) return {};
  for (const std::string& name : loops)
    if (!reads(st->index, name)) return {};
  const auto from = copied_by(*st);
  if (!from || *from == st->buffer) return {};
  return {Copy{st->buffer, *from, covered * Size(st->value.type.width)}};
}

}  // namespace

std::optional<Copy> copy_of(const Stmt& s) {
  if (const auto* a = std::get_if<kernel::Assign>(&s.node)) {
    const auto* v = std::get_if<Var>(&a->value.node);
    if (v && v->name != a->name) return Copy{a->name, v->name};
    return {};
  }
  const std::vector<Copy> all = copies_of(s);
  return all.size() == 1 ? std::optional(all[0]) : std::nullopt;
}

std::vector<Copy> copies_of(const Stmt& s) {
  std::vector<std::string> loops;
  return copies_in(s, 1, loops);
}

bool copies_itself(const Stmt& s) {
  if (const auto* a = std::get_if<kernel::Assign>(&s.node)) {
    const auto* v = std::get_if<Var>(&a->value.node);
    return v && v->name == a->name;
  }
  const auto* st = std::get_if<Store>(&s.node);
  return st && copied_by(*st) == st->buffer;
}

bool is_copy_to_itself(const Stmt& s) {
  if (const auto* f = std::get_if<For>(&s.node)) return is_copy_to_itself(*f->body);
  if (const auto* p = std::get_if<ParallelFor>(&s.node)) return p->scratch.empty() && is_copy_to_itself(*p->body);
  if (const auto* b = std::get_if<Block>(&s.node))
    return !b->statements.empty() && std::all_of(b->statements.begin(), b->statements.end(), is_copy_to_itself);
  return std::holds_alternative<Store>(s.node) && copies_itself(s);
}

}  // namespace lockstep
