// What stays a line (lines.h), read off the one operation that an operator is.
#include "semantics/transducer/lines.h"

#include "semantics/core/table.h"

namespace lockstep::transducer {

Lines lines_of(snesl::OperatorRef op, snesl::Prim operand) {
  using enum scalars::Operation;
  static constexpr auto rows = table<scalars::Operation, Lines>(
      {{Add, Lines::OfInts},          {Subtract, Lines::OfInts},  {Multiply, Lines::OneLevel},
       {Divide, Lines::Never},        {Remainder, Lines::Never},  {And, Lines::OfBools},
       {Or, Lines::OfBools},          {Xor, Lines::Never},        {ShiftLeft, Lines::Never},
       {ShiftRight, Lines::Never},    {Equal, Lines::OfInts},     {NotEqual, Lines::OfInts},
       {Less, Lines::OfInts},         {LessEqual, Lines::OfInts}, {Greater, Lines::OfInts},
       {GreaterEqual, Lines::OfInts}, {Both, Lines::OfBools},     {Either, Lines::OfBools},
       {Not, Lines::OfBools},         {Negate, Lines::OfInts},    {PopCount, Lines::Never},
       {LeadingZeros, Lines::Never},  {Bits, Lines::Never},       {Convert, Lines::OfBools}});
  const auto operation = snesl::operation_of(op, operand);
  return operation ? rows[*operation] : Lines::Never;
}

}  // namespace lockstep::transducer
