// What takes minutes: a test that includes this is run a second time by ./dev test --long, where it does what it left
// out (tests/CMakeLists.txt).
#pragma once
#include <cstdlib>

namespace lockstep::test {

inline bool long_run() { return std::getenv("LOCKSTEP_LONG") != nullptr; }

}  // namespace lockstep::test
