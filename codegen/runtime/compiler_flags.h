// Flags that not every compiler takes on every machine, asked of the compiler before they are used: -march=native on a
// processor that is newer than it, -fno-finite-loops. In: flags. Out: those of them that it takes.
#pragma once
#include <string>
#include <vector>

#include "codegen/runtime/compiler.h"

namespace lockstep {

// -march=native is -march=$LOCKSTEP_MARCH where that is set: x86-64 for code that runs on any such processor.
std::vector<std::string> with_architecture(const std::vector<std::string>& flags);

// What "native" means here: the first processor's model and features.
std::string processor();
std::string processor_name();  // as it is sold; "unknown" where it does not say

// In the order given. A small program is compiled with those in doubt, under `scratch`, once in a process; with a
// `cache`, a folder of this user's alone, once for this compiler and processor.
std::vector<std::string> flags_taken(const Compiler& compiler, const std::vector<std::string>& flags,
                                     const std::string& scratch, const std::string& cache = "");

}  // namespace lockstep
