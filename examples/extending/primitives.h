// The two primitives of this project. To have them in a calculus: calculus.add(rotate_primitive()).
#pragma once
#include "semantics/primitives/primitive.h"

lockstep::PrimitiveRef rotate_primitive();
lockstep::PrimitiveRef pairwise_primitive();
