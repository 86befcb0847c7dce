// Arguments that are drawn, of lengths that follow from what is given.
#pragma once
#include "driver/kernels/large_sizes.h"
#include "driver/languages/l0/arguments.h"
#include "driver/languages/l0/compiled.h"
#include "props/dpia/inputs.h"

namespace lockstep::driver {

// What is random has the lengths that `program` gives it: of its sizes those that given arguments or words say, as
// n=1000, and those that follow. The others are `choose`'s; without it a Failure with status 2, which names them.
l0::Values drawn_arguments(const l0::Function& entry, const L0Arguments& bound, const l0::InCalculus& program,
                           const std::function<SizeValues(const SizeValues& known)>& choose = {});
// All random, but for what is given: of a run that is timed.
l0::Values drawn_at(const l0::Function& entry, const L0Arguments& bound, const l0::InCalculus& program,
                    const SizeValues& sizes, props::Integers integers);

}  // namespace lockstep::driver
