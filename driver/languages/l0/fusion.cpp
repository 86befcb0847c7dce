// What became of every array operation and those that go over what it makes; the modes of fusion.
#include "driver/kernels/fusions.h"
#include "driver/languages/l0/l0.h"
#include "translate/l0/pipeline.h"

namespace lockstep::driver {

l0::FusionMode fusion_mode(const std::string& option) {
  if (option == "off") return l0::FusionMode::Off;
  return option == "paper" ? l0::FusionMode::Paper : l0::FusionMode::Full;
}

Said fusions(const L0File& file, const l0::Function& entry, const Options& options) {
  return fusions_said("l0", entry.name, l0::fusions_of({file.program, entry.name}, fusion_mode(options.fusion)));
}

}  // namespace lockstep::driver
