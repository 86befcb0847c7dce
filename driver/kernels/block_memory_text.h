// What a program's blocks need of their memory on a GPU (semantics/kernel/block_memory.h), for `check`.
#pragma once
#include <nlohmann/json.hpp>

#include "driver/report.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::driver {

// Of an entry point whose calls are expanded and that says what blocks do (mapWorkgroup): of each launch whose blocks
// need any, and what of it is live at one time.
struct BlockNeeds {
  std::string text;  // a line each, or two
  Json json = Json::array();
  void add(BlockNeeds more);
};
// `entry`: how it is called.
BlockNeeds block_needs(const std::string& entry, const PhraseProgram& program, const Calculus& calculus);

}  // namespace lockstep::driver
