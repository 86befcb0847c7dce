// Ints along a segment as straight lines, and Bools that stay the same on pieces of it: what an operator makes of such.
#pragma once
#include "semantics/svcode/program.h"

namespace lockstep::transducer {

enum class Lines : unsigned char {
  Never,     // no line comes out
  OfInts,    // of Ints: a line, or a Bool up to where it changes
  OneLevel,  // of Ints of which one is level
  OfBools    // of Bools: the same up to where one of them changes
};
Lines lines_of(snesl::OperatorRef op, snesl::Prim operand);

}  // namespace lockstep::transducer
