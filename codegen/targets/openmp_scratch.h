// The memory of a C++ text's arrays that are too large for a stack.
#pragma once
#include <string>

namespace lockstep {

// Scratch<T>: so many elements to the end of their scope, uninitialised; data is null where there is no memory. Blocks
// of a MiB or more are kept for the next array that is as large, at least half: a system maps memory page by page,
// which takes longer than to fill it. Not where LOCKSTEP_NO_POOL is defined: then each array has its own bounds.
std::string scratch_text();

}  // namespace lockstep
