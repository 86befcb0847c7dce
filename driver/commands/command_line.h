// The command line as a function, for `lockstep` and for programs with languages or a calculus of their own
// (examples/extending).
#pragma once
#include "driver/frontend.h"

namespace lockstep::driver {

// Runs the command that the words name, over these languages, which outlive the call; what it says goes to standard
// output and standard error. The exit status (driver/README.md).
int run_command_line(int argc, char** argv, const Languages& languages);

}  // namespace lockstep::driver
