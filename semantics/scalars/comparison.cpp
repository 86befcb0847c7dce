// == != on every scalar type, < <= > >= on numbers. Floats as IEEE: a NaN is different from everything.
#include "semantics/scalars/operator.h"

namespace lockstep::scalars {
namespace {

bool compare_integers(Comparison c, ScalarType t, const Scalar& a, const Scalar& b) {
  const bool less = is_signed(t) ? a.integer() < b.integer() : a.bits < b.bits;
  switch (c) {
    case Comparison::Equal:
      return a.bits == b.bits;
    case Comparison::NotEqual:
      return a.bits != b.bits;
    case Comparison::Less:
      return less;
    case Comparison::LessEqual:
      return less || a.bits == b.bits;
  }
  throw Bug("unknown comparison");
}

// x > y is y < x: `swapped`.
ScalarOp comparison(std::string symbol, std::string summary, Operation operation, Comparison c, bool swapped,
                    Operands operands) {
  const auto meaning = [=](const Domain& domain, ScalarType t, Arguments x) {
    const Scalar& a = x[swapped ? 1 : 0];
    const Scalar& b = x[swapped ? 0 : 1];
    return make_bool(is_float(t) ? domain.compare(c, a, b) : compare_integers(c, t, a, b));
  };
  return ScalarOp{.name = symbol,
                  .summary = std::move(summary),
                  .arity = 2,
                  .operands = operands,
                  .gives_bool = true,
                  .meaning = meaning,
                  .definition = defined_by(operation),
                  .laws = {.commutative = c == Comparison::Equal || c == Comparison::NotEqual},
                  .compares = Compares{c, swapped},
                  .on_reals = OnReals::Exact};
}

}  // namespace

std::vector<ScalarOp> comparisons() {
  return {
      comparison("==", "equal", Operation::Equal, Comparison::Equal, false, Operands::Any),
      comparison("!=", "not equal", Operation::NotEqual, Comparison::NotEqual, false, Operands::Any),
      comparison("<", "less", Operation::Less, Comparison::Less, false, Operands::Numeric),
      comparison("<=", "less or equal", Operation::LessEqual, Comparison::LessEqual, false, Operands::Numeric),
      comparison(">", "greater", Operation::Greater, Comparison::Less, true, Operands::Numeric),
      comparison(">=", "greater or equal", Operation::GreaterEqual, Comparison::LessEqual, true, Operands::Numeric),
  };
}

}  // namespace lockstep::scalars
