// Which build of a program is running.
#pragma once
#include <string>

namespace lockstep {

// What the linker has named the executable by, in hexadecimal; the SHA-256 of its file where it has not.
const std::string& build_id();

}  // namespace lockstep
