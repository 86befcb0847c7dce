#pragma once
#include <string>

namespace lockstep {

// The flags of a text (openmp_flags) as it says them, each behind a space: without those that are g++'s alone, or that
// the text asks for itself. LOCKSTEP_MARCH stands for native, as where it is compiled to be run.
std::string flags_in_text();

}  // namespace lockstep
