// A network that has steps, step by step on whole streams.
#pragma once
#include "semantics/svcode/run.h"
#include "semantics/transducer/program.h"

namespace lockstep::transducer {

// Throws TrapSignal. Only what a step before has given is there to be read. `given`: of inputs that have no number.
svcode::Run run_steps(const Network& n, const std::vector<svcode::Stream>& inputs,
                      const std::map<StreamId, svcode::Stream>& given, snesl::Files& files);

}  // namespace lockstep::transducer
