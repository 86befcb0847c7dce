// The primitives of this project. To have them in a calculus: calculus.add(rotate_primitive()).
#pragma once
#include "semantics/primitives/primitive.h"

namespace lockstep {

PrimitiveRef rotate_primitive();
PrimitiveRef pairwise_primitive();
PrimitiveRef tally_primitive();

}  // namespace lockstep
