// In-place steps.
#include "translate/stage.h"

namespace lockstep {

KernelStage in_place() {
  return {"in-place", "design.md, after DPIA §4.2", [](const kernel::Program& p) { return p; }};
}

}  // namespace lockstep
