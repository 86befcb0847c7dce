// Loops are twins where they print the same with their own names replaced by the places at which these first stand.
#include "codegen/targets/openmp_twins.h"

#include <set>

#include "codegen/targets/openmp_work.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/walk.h"

namespace lockstep {

using namespace kernel;

namespace {

constexpr std::size_t least_nodes = 40;  // below it a compiler is soon done

std::size_t nodes_of(const Stmt& s) {
  std::size_t n = 0;
  each_node(
      s, [&](const Stmt&) { ++n; }, [&](const Expr&) { ++n; });
  return n;
}

// What a loop reads and writes, and what it is without names.
class Candidate {
 public:
  Candidate(const ParallelFor& loop, const std::set<std::string>& sizes, const std::set<std::string>& values)
      : form_{loop, {}} {
    const Stmt& s = form_;
    can_be_ = loop.scratch.empty() && !is_soon_done(loop) && nodes_of(s) >= least_nodes &&
              !has<Check, Allocate, While, Atomic, Barrier, Shuffle>(s);
    std::set<std::string> own;
    each_statement(s, [&](const Stmt& x) {
      if (const auto* d = std::get_if<Declare>(&x.node)) bind(d->name, own);
      if (const auto* f = std::get_if<For>(&x.node)) bind(f->name, own);
      if (const auto* f = std::get_if<ParallelFor>(&x.node))
        bind(f->name, own), can_be_ = can_be_ && f->scratch.empty();
      if (const auto* a = std::get_if<Assign>(&x.node)) can_be_ = can_be_ && own.contains(a->name);
      if (const auto* t = std::get_if<Store>(&x.node)) array(t->buffer, t->value.type.scalar, true);
    });
    each_expression(s, [&](const Expr& e) {
      if (const auto* l = std::get_if<Load>(&e.node)) array(l->buffer, e.type.scalar, false);
      if (const auto* l = std::get_if<VectorLoad>(&e.node)) array(l->buffer, e.type.scalar, false);
      const auto* v = std::get_if<Var>(&e.node);
      if (!v || own.contains(v->name)) return;
      sizes_.insert(v->name);
      can_be_ = can_be_ && sizes.contains(v->name);
    });
    for (const auto& a : arrays_) can_be_ = can_be_ && !values.contains(a.name) && !own.contains(a.name);
  }
  bool can_be() const { return can_be_; }
  std::vector<std::string> sizes() const { return {sizes_.begin(), sizes_.end()}; }
  const std::vector<TwinLoops::Array>& arrays() const { return arrays_; }
  std::string text() const {
    std::map<std::string, std::string> places;
    for (const std::string& name : own_) places.emplace(name, "#" + std::to_string(places.size()));
    for (const TwinLoops::Array& a : arrays_) places.emplace(a.name, "#" + std::to_string(places.size()));
    Stmt s = rewritten(form_, StmtChange([&](const Stmt& x) -> std::vector<Stmt> {
                         Stmt out = x;
                         if (auto* d = std::get_if<Declare>(&out.node)) d->name = places.at(d->name);
                         if (auto* f = std::get_if<For>(&out.node)) f->name = places.at(f->name);
                         if (auto* f = std::get_if<ParallelFor>(&out.node)) f->name = places.at(f->name);
                         return {out};
                       }));
    for (const auto& [name, place] : places) s = rename(s, name, place);
    return print(s);
  }

 private:
  void bind(const std::string& name, std::set<std::string>& own) {
    can_be_ = can_be_ && own.insert(name).second;  // else two of one name
    own_.push_back(name);
  }
  void array(const std::string& name, ScalarType type, bool written) {
    for (TwinLoops::Array& a : arrays_)
      if (a.name == name) return void(a.written = a.written || written);
    arrays_.push_back({name, {type, 1}, written});
  }

  const Stmt form_;
  bool can_be_ = false;
  std::vector<std::string> own_;
  std::set<std::string> sizes_;
  std::vector<TwinLoops::Array> arrays_;
};

// Those in rounds: what they fill they fill again, so that none of it goes past the caches.
void collect(const Stmt& s, bool in_rounds, std::vector<const ParallelFor*>& out) {
  if (const auto* f = std::get_if<ParallelFor>(&s.node); f && in_rounds) out.push_back(f);
  if (const auto* b = std::get_if<Block>(&s.node))
    for (const Stmt& x : b->statements) collect(x, in_rounds, out);
  if (const auto* f = std::get_if<For>(&s.node)) collect(*f->body, true, out);
  if (const auto* w = std::get_if<While>(&s.node)) collect(*w->body, true, out);
  if (const auto* c = std::get_if<If>(&s.node))
    collect(*c->then, in_rounds, out), collect(*c->otherwise, in_rounds, out);
}

}  // namespace

Twins twin_loops(const Program& p) {
  std::vector<const ParallelFor*> outermost;
  collect(p.body, false, outermost);
  const std::set<std::string> sizes(p.sizes.begin(), p.sizes.end());
  std::set<std::string> values;
  for (const Buffer& b : p.inputs)
    if (b.is_one_scalar()) values.insert(b.name);
  std::vector<std::pair<const ParallelFor*, Candidate>> loops;
  std::map<std::string, std::vector<std::size_t>> by_text;
  for (const ParallelFor* f : outermost) {
    Candidate loop(*f, sizes, values);
    if (!loop.can_be()) continue;
    by_text[loop.text()].push_back(loops.size());
    loops.emplace_back(f, std::move(loop));
  }
  Twins out;
  for (std::size_t k = 0; k < loops.size(); ++k) {
    const auto& same = by_text.at(loops[k].second.text());
    if (same.front() != k || same.size() < 2) continue;
    for (const std::size_t of : same) {
      TwinLoop twin{out.all.size(), {}};
      for (const TwinLoops::Array& a : loops[of].second.arrays()) twin.arrays.push_back(a.name);
      out.loops.emplace(loops[of].first, std::move(twin));
    }
    out.all.push_back({loops[k].first, loops[k].second.sizes(), loops[k].second.arrays()});
  }
  return out;
}

}  // namespace lockstep
