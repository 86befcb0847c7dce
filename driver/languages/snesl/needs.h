// Memory that a run needs whatever its values are, as far as it follows from the arguments before it starts.
#pragma once
#include "driver/languages/snesl/arguments.h"

namespace lockstep::driver {

// Bytes of the largest vector that is made outside of comprehensions and conditions, of a length that Ints among the
// arguments and their lengths say; and of the result, where all of it is `kept`. 0 where nothing is known.
std::uint64_t bytes_needed(const snesl::core::Program& program, const snesl::Values& arguments, bool kept);

}  // namespace lockstep::driver
