// Entry points at types and levels, through the stages.
#pragma once
#include "driver/languages/fcl/arguments.h"
#include "translate/fcl/pipeline.h"

namespace lockstep::driver {

struct FclInstance {
  fcl::Entry entry;
  fcl::Traced stages;  // misplaced where it stands nowhere: at the last levels that were tried
};
// At these types, and at the levels that are given; of the others at the first at which everything stands where its
// level may.
FclInstance standing_instance(const FclFile& file, const FclEntryPoint& entry, const FclArguments& arguments);
// At ints.
FclInstance standing_instance(const FclFile& file, const FclEntryPoint& entry);

}  // namespace lockstep::driver
