// Kernel programs as C++ with OpenMP, for g++ and clang++. The outermost parallel loop of any level is spread over
// threads; loops inside it run in their thread, in order. Barriers are needless then.
#pragma once
#include <string>
#include <vector>

#include "codegen/c_entry.h"

namespace lockstep {

std::string openmp_source(
    const kernel::Program& program);  // includes <stdint.h> at most, and <stdlib.h> where it allocates
std::string openmp_header(const kernel::Program& program);  // C
// What texts rely on beside optimisation: no contraction into fma, integers that wrap, calls of the library's
// functions.
std::vector<std::string> openmp_flags();

}  // namespace lockstep
