#include "proofs/calculus/as_terms.h"

#include "semantics/core/diagnostic.h"

namespace lockstep::proofs {

Term arithmetic(kernel::ArithOp op, const Term& a, const Term& b) {
  switch (op) {
    case kernel::ArithOp::Add:
      return a + b;
    case kernel::ArithOp::Subtract:
      return a - b;
    case kernel::ArithOp::Multiply:
      return a * b;
    case kernel::ArithOp::Divide:
      return quotient(a, b);
    case kernel::ArithOp::Modulo:
      return remainder(a, b);
    case kernel::ArithOp::Less:
      return less(a, b);
    case kernel::ArithOp::LessEqual:
      return at_most(a, b);
    case kernel::ArithOp::Equal:
      return equal(a, b);
    case kernel::ArithOp::And:
      return all_of({a, b});
  }
  throw Bug("an operator of index arithmetic");
}

}  // namespace lockstep::proofs
