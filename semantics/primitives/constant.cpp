// Constants of loops' own, and the algebra of their costs.
#include "semantics/primitives/constant.h"

#include "semantics/core/cost.h"

namespace lockstep {

Cost then(const Cost& a, const Cost& b) {
  return {a.work + b.work, a.depth + b.depth, upper_maximum(a.space, b.space)};
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

}  // namespace lockstep
