// What is said of kernels, whatever language they were made from: the targets that run them, and their texts.
#pragma once
#include "codegen/targets/target.h"
#include "driver/frontend.h"
#include "translate/dpia/stage.h"

namespace lockstep::driver {

// The interpreter, of which that is said, and then those that run kernels.
std::vector<Runner> runners(const std::string& interpreter);
// The target that text is made for, whether or not it can run here; the first where nothing is said. A Failure where
// there is none, or it has none.
const Target& target_with_text(const std::string& name);
// What was asked for, in the place of the program's own; a Failure where that is none.
void set_launch(Launch& launch, const AskedRun& asked);
// The programs of a trace, one text each.
std::vector<StageText> texts_of_steps(const Trace& trace);
// The last text, as it stands among those of the stages: why there is none, where there is none.
StageText text_stage(const Target& target, const DpiaTrace& trace);
// The same as files: a Failure where there is none. `name`: of the program.
EmittedText text_files(const Target& target, const DpiaTrace& trace, const std::string& name);

}  // namespace lockstep::driver
