#include "translate/dpia/bound_names.h"

#include "semantics/kernel/walk.h"

namespace lockstep {

using namespace kernel;

std::vector<std::string> bound_by(const Stmt& s) {
  if (const auto* d = std::get_if<Declare>(&s.node)) return {d->name};
  if (const auto* a = std::get_if<Allocate>(&s.node)) return {a->name};
  if (const auto* f = std::get_if<For>(&s.node)) return {f->name};
  if (const auto* x = std::get_if<Shuffle>(&s.node)) return {x->name};
  std::vector<std::string> out;
  if (const auto* p = std::get_if<ParallelFor>(&s.node)) {
    out.push_back(p->name);
    for (const Allocate& a : p->scratch) out.push_back(a.name);
  }
  return out;
}

std::vector<std::string> parameters_of(const Program& p) {
  std::vector<std::string> out = p.sizes;
  for (const auto* buffers : {&p.inputs, &p.outputs})
    for (const Buffer& b : *buffers) out.push_back(b.name);
  return out;
}

Names names_of(const Program& p) {
  Names out;
  for (const std::string& n : parameters_of(p)) out.reserve(n);
  each_statement(p.body, [&](const Stmt& s) {
    for (const std::string& n : bound_by(s)) out.reserve(n);
  });
  return out;
}

kernel::Stmt with_own_names(const kernel::Stmt& s, Names& names) {
  std::set<std::string> bound;
  each_statement(s, [&](const kernel::Stmt& x) {
    for (std::string& n : bound_by(x)) bound.insert(std::move(n));
  });
  kernel::Stmt out = s;
  for (const std::string& n : bound) {
    const std::string own = names.fresh(n);
    out = rewritten(rename(out, n, own), kernel::StmtChange([&](const kernel::Stmt& x) {
                      kernel::Stmt y = x;
                      if (auto* loop = std::get_if<kernel::For>(&y.node); loop && loop->name == n) loop->name = own;
                      if (auto* loop = std::get_if<kernel::ParallelFor>(&y.node); loop && loop->name == n)
                        loop->name = own;
                      return std::vector{std::move(y)};
                    }));
  }
  return out;
}

}  // namespace lockstep
