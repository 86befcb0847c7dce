// Trees of L0: blocks, and functions by name.
#include "semantics/l0/syntax.h"

#include <algorithm>

#include "semantics/l0/walk.h"

namespace lockstep::l0 {

Expr block(std::vector<Binding> bindings, Expr result) {
  if (bindings.empty()) return result;
  Region region = bindings.front().region;
  region.end = result.region.end;
  Note<Type> type = result.type;
  if (auto* inner = std::get_if<BlockExpr>(&result.node)) {
    bindings.insert(bindings.end(), inner->bindings.begin(), inner->bindings.end());
    return {BlockExpr{std::move(bindings), inner->result}, std::move(region), std::move(type)};
  }
  return {BlockExpr{std::move(bindings), std::move(result)}, std::move(region), std::move(type)};
}

const Function* function_named(const Program& p, std::string_view name) {
  const auto f =
      std::find_if(p.functions.begin(), p.functions.end(), [&](const Function& x) { return x.name == name; });
  return f == p.functions.end() ? nullptr : &*f;
}

std::size_t nodes(const Expr& e) {
  std::size_t n = 1;
  if (const auto* b = as<BlockExpr>(e)) n += b->bindings.size();
  each_child(e, [&](const ExprRef& child) { n += nodes(*child); });
  return n;
}
std::size_t nodes(const Program& p) {
  std::size_t n = 0;
  for (const Function& f : p.functions) n += nodes(*f.body);
  return n;
}

}  // namespace lockstep::l0
