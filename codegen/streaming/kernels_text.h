// The kernels as text, in the order in which they include each other.
#pragma once
#include <string>

namespace lockstep::engine {

std::string kernels_text();
std::string abi_text();

}  // namespace lockstep::engine
