// What a text calls where it traps or has no memory: in order, and in a parallel loop, where the first thread says why.
#pragma once
#include <string>

namespace lockstep {

// `type`: of what a trap says (entry.h, trap_name).
std::string trapped_text(const std::string& type);
std::string stop_text(const std::string& type);
std::string fail_text();

}  // namespace lockstep
