// Entry points of .fcl in the calculus, and on targets.
#pragma once
#include "driver/kernels/lowered_execution.h"
#include "driver/languages/fcl/fcl.h"
#include "driver/languages/fcl/instances.h"
#include "translate/fcl/lower/lower.h"

namespace lockstep::driver {

// After the last stage of FCL. A Failure with the place rule's text where it was broken.
MadeInCalculus in_calculus(const fcl::Traced& stages);
// What the source gives on arguments as arrays.
SourceRun source_run(const fcl::Entry& entry, const props::fcl::Signature& signature);
ToDraw to_draw(const FclEntryPoint& entry, const FclArguments& arguments);

}  // namespace lockstep::driver
