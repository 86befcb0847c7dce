// Kernel programs for tests, from their text (semantics/kernel/print.h has the grammar).
#pragma once
#include <string>

#include "semantics/kernel/syntax.h"

namespace lockstep::kernel {

// A text that does not parse is an error of the test.
Program program_from(const std::string& text);
// The same, dealt out as it is launched.
Program dealt_out_from(const std::string& text);

}  // namespace lockstep::kernel
