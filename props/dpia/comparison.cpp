// Results held against each other, scalar by scalar.
#include "props/dpia/comparison.h"

#include <algorithm>

#include "props/dpia/generate.h"

namespace lockstep::props {
namespace {

std::string place(const Type& result, std::size_t leaf, std::size_t index, const SizeValues& sizes) {
  const std::vector<Leaf> leaves = leaves_of(result);
  std::string out = leaves.size() > 1 ? "result." + std::to_string(leaf) : "result";
  std::vector<std::int64_t> shape = shape_of(leaves[leaf], sizes);
  std::string indexes;
  for (std::size_t d = shape.size(); d-- > 0; index /= static_cast<std::size_t>(shape[d]))
    indexes = "[" + std::to_string(index % static_cast<std::size_t>(shape[d])) + "]" + indexes;
  return out + indexes;
}

}  // namespace

bool same_outcome(const Outcome& expected, const std::vector<Trap>& traps, const Outcome& found) {
  if (expected.has_value() != found.has_value()) return false;
  if (!found)
    return std::any_of(traps.begin(), traps.end(), [&](const Trap& t) { return same_trap(t, found.error()); });
  return std::equal(expected->begin(), expected->end(), found->begin(), found->end(), [](const auto& x, const auto& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same_scalar);
  });
}

Scalars scalars_of(const Leaves& leaves) {
  Scalars out;
  for (const LeafArray& leaf : leaves) {
    std::vector<Scalar>& scalars = out.emplace_back();
    const std::int64_t n = count_of(leaf);
    scalars.reserve(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) scalars.push_back(scalar_at(leaf, i));
  }
  return out;
}

Scalars scalars_of(const Arguments& arguments) {
  Scalars out;
  for (const Leaves& leaves : arguments.values)
    for (std::vector<Scalar>& scalars : scalars_of(leaves)) out.push_back(std::move(scalars));
  return out;
}

Difference first_difference(const Scalars& expected, const Scalars& found, const Type& type, const SizeValues& sizes) {
  for (std::size_t k = 0; k < expected.size(); ++k)
    for (std::size_t i = 0; i < expected[k].size(); ++i)
      if (!same_scalar(expected[k][i], found.at(k).at(i)))
        return {place(type, k, i, sizes) + " = " + show(expected[k][i], ieee_domain()),
                show(found[k][i], ieee_domain()), k};
  return {};
}

Comparison compare_within_bound(const Scalars& bounded, const Scalars& got, const Type& result,
                                const SizeValues& sizes) {
  BoundComparison all;
  for (std::size_t k = 0; k < bounded.size(); ++k)
    for (std::size_t i = 0; i < bounded[k].size(); ++i)
      if (!all.add(bounded[k][i], got[k][i])) {
        Comparison out = all.at(place(result, k, i, sizes));
        out.leaf = k;
        return out;
      }
  return all.all();
}

}  // namespace lockstep::props
