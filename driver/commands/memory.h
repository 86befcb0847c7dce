// What the command allocates for itself, interpreters included, is refused where the machine has no room for it.
#pragma once
#include <string>

#include "semantics/core/memory_limit.h"

namespace lockstep::driver {

// What was asked for, what is held and what there is.
std::string message_of(const NotEnoughMemory& e);

}  // namespace lockstep::driver
