// What a program's blocks need of their memory on a GPU (semantics/kernel/block_memory.h), for `check`.
#pragma once
#include <nlohmann/json.hpp>

#include "driver/report.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::driver {

// Of an entry point whose calls are expanded and that says what blocks do (mapWorkgroup): of each launch whose blocks
// need any.
struct BlockNeeds {
  std::string text;  // a line each
  Json json = Json::array();
};
BlockNeeds block_needs(const PhraseProgram& entry, const Calculus& calculus);

}  // namespace lockstep::driver
