// Which types and sizes have values of a kind (given.h).
#include "props/dpia/given.h"

#include <algorithm>
#include <limits>

#include "props/dpia/inputs.h"
#include "semantics/core/type.h"

namespace lockstep::props {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

// How many values of a leaf there are that can be told apart.
std::int64_t distinct_values(const Leaf& leaf, const std::optional<Size>& bound, const SizeValues& sizes) {
  if (bound) return evaluate(*bound, sizes).value_or(0);
  const int bits = is_float(leaf.scalar) ? (leaf.scalar == ScalarType::F32 ? 24 : 53) : bits_of(leaf.scalar);
  return bits >= 63 ? most : std::int64_t{1} << bits;
}

}  // namespace

Given given_of(const GivenInputs& given, std::size_t parameter) {
  return parameter < given.size() ? given[parameter] : Given{};
}

std::optional<std::string> refused(RandomKind kind, const Type& type) {
  const std::vector<Leaf> leaves = leaves_of(type);
  const bool numbers =
      std::all_of(leaves.begin(), leaves.end(), [](const Leaf& l) { return l.scalar != ScalarType::Bool; });
  const auto bounds = index_bounds(type);
  const bool indexes = std::any_of(bounds.begin(), bounds.end(), [](const auto& b) { return b.has_value(); });
  const Leaf& leaf = leaves.front();
  const std::size_t dims = leaf.dims.size();
  const bool one = leaves.size() == 1 && leaf.width == 1 && numbers;
  switch (kind) {
    case RandomKind::Any:
      return {};
    case RandomKind::Positive:
      if (numbers && !indexes) return {};
      return "numbers, such as f32, [n]i64 or [m][n](f64, f64)";
    case RandomKind::Sorted:
    case RandomKind::Distinct:
      if (one && dims >= 1) return {};
      return "an array of numbers, such as [n]i32 or [m][n]f64";
    case RandomKind::Permutation:
      if (one && dims >= 1 && is_integer(leaf.scalar)) return {};
      return "an array of integers, such as [n]i64 or [n]idx(n)";
    case RandomKind::Spd:
      if (one && dims >= 2 && is_float(leaf.scalar) && leaf.dims[dims - 1] == leaf.dims[dims - 2]) return {};
      return "a square matrix of floats, such as [n][n]f64";
  }
  throw Bug("a kind of random values that no type is asked of");
}

std::optional<std::string> refused_at(RandomKind kind, const Type& type, const SizeValues& sizes) {
  if (kind != RandomKind::Distinct && kind != RandomKind::Permutation) return {};
  const Leaf leaf = leaves_of(type).front();
  const std::int64_t length = evaluate(leaf.dims.back(), sizes).value_or(0);
  // An integer with a sign has half of its values from 0 on.
  const bool half = kind == RandomKind::Permutation && is_signed(leaf.scalar) && !index_bounds(type).front();
  const std::int64_t values = distinct_values(leaf, index_bounds(type).front(), sizes);
  if (length <= (half && values != most ? values / 2 : values)) return {};
  return "there is no value of " + show(type) + " that is " +
         (kind == RandomKind::Permutation ? "a permutation" : "distinct") + " where it has rows of " +
         std::to_string(length);
}

std::vector<std::string> kinds_for(const PhraseProgram& program) {
  std::vector<std::string> out;
  for (const KindRow& row : kind_rows())
    for (const auto& [name, type] : program.parameters)
      if (!refused(row.kind, type)) {
        out.push_back(name + "=random:" + std::string(row.name));
        break;
      }
  return out;
}

std::vector<SizeFact> facts_of(const PhraseProgram& program, const GivenInputs& given) {
  std::vector<SizeFact> out;
  for (std::size_t k = 0; k < program.parameters.size(); ++k) {
    const Given g = given_of(given, k);
    if (!g.values) continue;
    const std::vector<Leaf> leaves = leaves_of(program.parameters[k].second);
    for (std::size_t l = 0; l < leaves.size(); ++l)
      for (std::size_t d = 0; d < leaves[l].dims.size(); ++d)
        out.push_back({leaves[l].dims[d], SizeRelation::Equal, Size((*g.values)[l].shape[d])});
  }
  return out;
}

}  // namespace lockstep::props
