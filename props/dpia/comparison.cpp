// Results held against each other, scalar by scalar.
#include "props/dpia/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

// The bound says less than the result's magnitude: half of it, nothing or its opposite would pass.
bool is_wide(double bound, double exact, ScalarType t) {
  const double least = t == ScalarType::F32 ? static_cast<double>(std::numeric_limits<float>::denorm_min())
                                            : std::numeric_limits<double>::denorm_min();
  return bound > std::abs(exact) && bound > least;
}

class BoundComparison {
 public:
  // Whether it agrees.
  bool add(const Scalar& e, const Scalar& g) {
    if (!is_float(g.type)) return e.bits == g.bits || fail(e, g, "");
    ++out_.floats;
    const double exact = d_.to_ieee(e), bound = d_.error_bound(e), x = g.ieee();
    if (bound == 0 && same_scalar(make_ieee(g.type, exact), g)) return true;
    if (bound == 0 || !std::isfinite(exact)) return fail(e, g, "");
    if (!(bound <= std::numeric_limits<double>::max())) return ++out_.unbounded, true;
    const double error = x == exact ? 0 : std::abs(x - exact);
    // The exact value was rounded to be shown: that much may be between them.
    const double rounding = std::ldexp(std::abs(exact), g.type == ScalarType::F32 ? -24 : -53);
    if (!(error <= bound + rounding))
      return fail(e, g, ", with an error of " + show(make_ieee(ScalarType::F64, bound), ieee_domain()) + " at most");
    if (is_wide(bound, exact, g.type)) return ++out_.wide, true;
    if (bound > 0 && (out_.bound == 0 || error * out_.bound > out_.error * bound))
      out_.error = error, out_.bound = bound;
    return true;
  }
  Comparison at(const std::string& where) && {
    if (!out_.agrees) out_.expected = where + " = " + out_.expected;
    return std::move(out_);
  }

 private:
  bool fail(const Scalar& e, const Scalar& g, const std::string& how) {
    out_.agrees = false;
    out_.expected = show(e, d_) + how;
    out_.found = show(g, ieee_domain());
    return false;
  }
  const Domain& d_ = bounded_domain();
  Comparison out_;
};

}  // namespace

bool same_scalar(const Scalar& a, const Scalar& b) {
  if (a.type != b.type) return false;
  return a.bits == b.bits || (is_float(a.type) && std::isnan(a.ieee()) && std::isnan(b.ieee()));
}

bool same_outcome(const Outcome& a, const Outcome& b) {
  if (a.has_value() != b.has_value()) return false;
  if (!a) return true;
  return std::equal(a->begin(), a->end(), b->begin(), b->end(), [](const auto& x, const auto& y) {
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

Difference first_difference(const Scalars& expected, const Scalars& found, const Type& type, const SizeValues& sizes) {
  for (std::size_t k = 0; k < expected.size(); ++k)
    for (std::size_t i = 0; i < expected[k].size(); ++i)
      if (!same_scalar(expected[k][i], found.at(k).at(i)))
        return {place(type, k, i, sizes) + " = " + show(expected[k][i], ieee_domain()),
                show(found[k][i], ieee_domain())};
  return {};
}

Comparison compare_within_bound(const Scalars& bounded, const Scalars& got, const Type& result,
                                const SizeValues& sizes) {
  BoundComparison all;
  for (std::size_t k = 0; k < bounded.size(); ++k)
    for (std::size_t i = 0; i < bounded[k].size(); ++i)
      if (!all.add(bounded[k][i], got[k][i])) return std::move(all).at(place(result, k, i, sizes));
  return std::move(all).at("");
}

}  // namespace lockstep::props
