// L0 §2.3: every binder has a name of its own, in all functions.
#pragma once
#include "semantics/l0/syntax.h"

namespace lockstep::l0 {

// Of a typed program. The first of a name in the last function that has it keeps it; `_` stays.
Program with_distinct_names(const Program& p);

}  // namespace lockstep::l0
