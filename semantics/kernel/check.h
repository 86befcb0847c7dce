// Well-formedness of kernel programs: names declared, types agree, inputs not stored to, levels nested as hardware
// nests them, nothing outside a parallel iteration assigned from inside it. Every stage's output passes it.
#pragma once
#include <string>
#include <vector>

#include "semantics/kernel/syntax.h"

namespace lockstep::kernel {

// What is wrong, a line each; empty for a well-formed program.
std::vector<std::string> check(const Program& program);

}  // namespace lockstep::kernel
