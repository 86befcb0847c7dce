// == != on every scalar type, < <= > >= on numbers. Floats as IEEE: a NaN is different from everything.
#include "semantics/primitives/operators.h"

namespace lockstep {
namespace {

using operators::Arguments;
using operators::Operation;

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
PrimitiveRef comparison(std::string symbol, std::string summary, Operation operation, Comparison c, bool swapped,
                        Operands operands) {
  const auto meaning = [=](const Domain& domain, ScalarType t, Arguments x) {
    const Scalar& a = x[swapped ? 1 : 0];
    const Scalar& b = x[swapped ? 0 : 1];
    return make_bool(is_float(t) ? domain.compare(c, a, b) : compare_integers(c, t, a, b));
  };
  return operators::make(symbol, std::move(summary),
                         ScalarOp{.arity = 2,
                                  .operands = operands,
                                  .gives_bool = true,
                                  .meaning = meaning,
                                  .definition = operators::defined_by(operation),
                                  .laws = {.commutative = c == Comparison::Equal || c == Comparison::NotEqual},
                                  .compares = Compares{c, swapped},
                                  .on_reals = OnReals::Exact});
}

}  // namespace

std::vector<PrimitiveRef> comparison_operators() {
  static const std::vector<PrimitiveRef> list = {
      comparison("==", "equal", Operation::Equal, Comparison::Equal, false, Operands::Any),
      comparison("!=", "not equal", Operation::NotEqual, Comparison::NotEqual, false, Operands::Any),
      comparison("<", "less", Operation::Less, Comparison::Less, false, Operands::Numeric),
      comparison("<=", "less or equal", Operation::LessEqual, Comparison::LessEqual, false, Operands::Numeric),
      comparison(">", "greater", Operation::Greater, Comparison::Less, true, Operands::Numeric),
      comparison(">=", "greater or equal", Operation::GreaterEqual, Comparison::LessEqual, true, Operands::Numeric),
  };
  return list;
}

}  // namespace lockstep
