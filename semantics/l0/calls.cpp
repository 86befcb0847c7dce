// The call graph of L0.
#include "semantics/l0/calls.h"

#include "semantics/l0/walk.h"

namespace lockstep::l0 {
namespace {

void add_callees(const Expr& e, std::set<std::string>& into) {
  if (const auto* c = as<CallExpr>(e)) into.insert(c->function);
  if (const auto* s = as<SoacExpr>(e))
    for (const Fn& f : s->functions)
      if (const auto* n = std::get_if<NamedFunction>(&f.node)) into.insert(n->name);
  each_child(e, [&](const ExprRef& c) { add_callees(*c, into); });
}

}  // namespace

std::set<std::string> callees_of(const Expr& e) {
  std::set<std::string> out;
  add_callees(e, out);
  return out;
}

std::set<std::string> reached_from(const Program& p, const std::string& function) {
  std::set<std::string> out;
  std::vector<std::string> left{function};
  while (!left.empty()) {
    const Function* f = function_named(p, left.back());
    left.pop_back();
    if (!f) continue;
    for (const std::string& name : callees_of(*f->body))
      if (function_named(p, name) && out.insert(name).second) left.push_back(name);
  }
  return out;
}

}  // namespace lockstep::l0
