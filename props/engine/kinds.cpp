// The numbers of each kind (kinds.h).
#include "props/engine/kinds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "semantics/core/diagnostic.h"

namespace lockstep::props {
namespace {

constexpr std::array<KindRow, 5> rows{{
    {RandomKind::Spd, "spd", "a symmetric positive definite matrix: square, of floats"},
    {RandomKind::Positive, "positive", "numbers above 0"},
    {RandomKind::Distinct, "distinct", "numbers of which no two in a row are the same"},
    {RandomKind::Sorted, "sorted", "numbers that ascend in each row"},
    {RandomKind::Permutation, "permutation", "the integers 0, 1, ..., n - 1 of each row of n, in any order"},
}};

}  // namespace

std::span<const KindRow> kind_rows() { return rows; }

const KindRow& row_of(RandomKind kind) {
  const auto it = std::find_if(rows.begin(), rows.end(), [&](const KindRow& r) { return r.kind == kind; });
  if (it == rows.end()) throw Bug("a kind of random values without a name");
  return *it;
}

std::optional<RandomKind> kind_named(std::string_view name) {
  for (const KindRow& r : rows)
    if (r.name == name) return r.kind;
  return {};
}

std::string names_of_kinds() {
  std::string out;
  for (const KindRow& r : rows) out += (out.empty() ? "" : ", ") + std::string(r.name);
  return out;
}

double uniform(Random& random, int digits) {
  const auto whole = static_cast<std::int64_t>(random.next() >> (64 - digits));  // 0 <= whole < 2^digits
  return std::ldexp(static_cast<double>(whole), 1 - digits) - 1.0;
}

std::int64_t below(Random& random, std::int64_t bound) {
  return static_cast<std::int64_t>(random.next() % static_cast<std::uint64_t>(bound));
}

std::vector<std::int64_t> permutation(std::int64_t n, Random& random) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(n));
  std::iota(out.begin(), out.end(), 0);
  for (std::size_t i = out.size(); i > 1; --i)
    std::swap(out[i - 1], out[static_cast<std::size_t>(below(random, static_cast<std::int64_t>(i)))]);
  return out;
}

std::vector<std::int64_t> distinct_integers(std::int64_t n, std::int64_t low, std::int64_t high, Random& random) {
  // Where low and high are not near, 201 numbers around 0, or twice as many as are asked for.
  const std::int64_t wide = std::max<std::int64_t>(100, n), first = std::max(low, -wide);
  std::vector<std::int64_t> out = permutation(std::min(high, first + 2 * wide) - first + 1, random);
  out.resize(static_cast<std::size_t>(n));
  for (std::int64_t& x : out) x += first;
  return out;
}

std::vector<double> distinct_floats(std::int64_t n, int digits, Random& random) {
  // One from each of n pieces of [0, 2^digits), which are a number long or more.
  const std::int64_t all = std::int64_t{1} << digits, piece = all / std::max<std::int64_t>(n, 1);
  std::vector<double> out;
  for (const std::int64_t k : permutation(n, random))
    out.push_back(std::ldexp(static_cast<double>(k * piece + below(random, piece)), 1 - digits) - 1.0);
  return out;
}

void positive_definite(std::int64_t n, int digits, Random& random,
                       const std::function<void(std::int64_t, std::int64_t, double)>& put) {
  std::vector<double> sums(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < i; ++j) {
      const double x = uniform(random, digits);
      put(i, j, x), put(j, i, x);
      sums[static_cast<std::size_t>(i)] += std::abs(x), sums[static_cast<std::size_t>(j)] += std::abs(x);
    }
  for (std::int64_t i = 0; i < n; ++i)
    put(i, i, 1.5 + uniform(random, digits) / 2 + 2.25 * sums[static_cast<std::size_t>(i)]);
}

}  // namespace lockstep::props
