// == != < <= > >= on every scalar type: false is less than true. Floats as IEEE: a NaN is different from everything.
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
ScalarOp comparison(std::string symbol, std::string identifier, std::string summary, Operation operation, Comparison c,
                    bool swapped) {
  const auto meaning = [=](const Domain& domain, ScalarType t, Arguments x) {
    const Scalar& a = x[swapped ? 1 : 0];
    const Scalar& b = x[swapped ? 0 : 1];
    return make_bool(is_float(t) ? domain.compare(c, a, b) : compare_integers(c, t, a, b));
  };
  return ScalarOp{.name = symbol,
                  .summary = std::move(summary),
                  .word = std::move(identifier),
                  .arity = 2,
                  .operands = Operands::Any,
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
      comparison("==", "eq", "equal", Operation::Equal, Comparison::Equal, false),
      comparison("!=", "ne", "not equal", Operation::NotEqual, Comparison::NotEqual, false),
      comparison("<", "lt", "less", Operation::Less, Comparison::Less, false),
      comparison("<=", "le", "less or equal", Operation::LessEqual, Comparison::LessEqual, false),
      comparison(">", "gt", "greater", Operation::Greater, Comparison::Less, true),
      comparison(">=", "ge", "greater or equal", Operation::GreaterEqual, Comparison::LessEqual, true),
  };
}

}  // namespace lockstep::scalars
