// Smaller SNESL programs that may fail too: parts of the surface tree are left out, pulled up or replaced by
// small ones, and what no longer has a type does not fail in the same way.
#pragma once
#include "props/snesl/generate.h"

namespace lockstep::props::stream {

std::vector<GeneratedProgram> smaller_programs(const GeneratedProgram& program);
std::size_t measure(const GeneratedProgram& program);

}  // namespace lockstep::props::stream
