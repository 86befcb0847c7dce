// What random programs of .snesl and their inputs are like: the shares that a campaign prints.
#pragma once
#include "props/engine/statistics.h"
#include "props/snesl/subjects.h"

namespace lockstep::props::stream {

void count_program(const snesl::core::Program& program, Statistics& into);
void count_inputs(const snesl::core::Program& program, const std::vector<StreamInput>& inputs, Statistics& into);
// Right sides of `||` and `&&` that would trap, and are not needed: the program with both sides evaluated traps on an
// input where it does not.
void count_right_sides(const GeneratedProgram& program, const std::vector<StreamInput>& inputs, const Toolchain& tools,
                       Statistics& into);
// How many vectors there are that are seldom asked, and how seldom.
void count_seldom(const GeneratedProgram& program, const std::vector<StreamInput>& inputs, const Toolchain& tools,
                  Statistics& into);

}  // namespace lockstep::props::stream
