// The sizes at which `bench` runs a program of the calculus.
#pragma once
#include <functional>
#include <optional>

#include "semantics/core/phrase.h"

namespace lockstep::driver {

// One run on random inputs, in seconds; nothing where it traps.
using TimedRun = std::function<std::optional<double>(const SizeValues& sizes)>;
// Powers of two for all sizes that are not given and follow from no other, growing until a run would take more than a
// second or a quarter of a gigabyte; or what was asked for, for all of them (--sizes).
SizeValues large_sizes(const PhraseProgram& program, const SizeValues& known, const std::string& asked,
                       const TimedRun& run);

}  // namespace lockstep::driver
