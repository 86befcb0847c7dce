// The third reading of a trace of FCL (semantics/fcl/cost.h): it gives what the source gives, and no stage makes more
// work.
#pragma once
#include "props/fcl/subjects.h"

namespace lockstep::props::fcl {

// What is wrong at an input, of programs after `instantiate`: by name the stage, and in words what; nothing where
// nothing is. Fusion: administrative steps first or last, never more work (FCL §2.1, §5.2).
struct WrongCost {
  std::string stage, property, detail;
};
std::optional<WrongCost> wrong_cost(const Tests& tests, const Input& input);

}  // namespace lockstep::props::fcl
