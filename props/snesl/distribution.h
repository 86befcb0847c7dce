// What random programs of .snesl and their inputs are like: the shares that a campaign prints.
#pragma once
#include "props/engine/statistics.h"
#include "props/snesl/subjects.h"

namespace lockstep::props::stream {

void count_program(const snesl::core::Program& program, Statistics& into);
void count_inputs(const snesl::core::Program& program, const std::vector<StreamInput>& inputs, Statistics& into);

}  // namespace lockstep::props::stream
