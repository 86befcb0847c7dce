// Constants of loops' own, and the algebra of their costs.
#include "semantics/primitives/constant.h"

#include "semantics/core/cost.h"

namespace lockstep {

Cost then(const Cost& a, const Cost& b) {
  return {a.work + b.work, a.depth + b.depth, upper_maximum({}, a.space, b.space)};
}
Cost repeated(const Size& n, const Cost& c) { return {n * c.work, n * c.depth, c.space}; }
Cost side_by_side(const Size& n, const Cost& c) { return {n * c.work, c.depth + Size(1), n * c.space}; }

ConstantRef constant(std::string name, imp::Takes takes, decltype(Constant::arguments) arguments,
                     ConstantFacets facets) {
  return std::make_shared<const Constant>(Constant{std::move(name), takes, std::move(arguments),
                                                   std::make_shared<const ConstantFacets>(std::move(facets))});
}

PhraseRef command(const ConstantRef& c, std::vector<Size> sizes, std::vector<Type> types,
                  std::vector<PhraseRef> arguments, Region region) {
  return phrase_of({imp::Own{c}, std::move(sizes), std::move(types), std::move(arguments)}, std::move(region));
}

kernel::Expr is_inside(const kernel::Expr& i, const kernel::Expr& n) {
  return kernel::arith(kernel::ArithOp::And, kernel::arith(kernel::ArithOp::LessEqual, kernel::constant(0), i),
                       kernel::arith(kernel::ArithOp::Less, i, n));
}

decltype(kernel::Stmt::node) loop_at(Level level, const std::string& i, kernel::Expr extent, kernel::Block body) {
  if (is_parallel(level)) return kernel::ParallelFor{level, i, std::move(extent), {}, kernel::Stmt{std::move(body)}};
  return kernel::For{i, std::move(extent), kernel::Stmt{std::move(body)}, false};
}

Level threads_of(const Expansion& t, Level level) {
  return level == Level::Local && t.around() == Level::Seq ? Level::Global : level;
}

Level loop_level(const ImpPhrase& x) {
  if (const auto* own = as<imp::Own>(x)) return own->constant->facets->level;
  const Level* level = level_of(x.constant);
  return level ? *level : Level::Auto;
}

bool has_parallel_loop(const Phrase& p) {
  const auto* x = as<ImpPhrase>(p);
  bool found = x && is_parallel(loop_level(*x));
  for_each_child(p, [&](const PhraseRef& c) { found = found || has_parallel_loop(*c); });
  return found;
}

}  // namespace lockstep
