// What a stage owes: a statement about its programs, over semantics' terms, not yet discharged. Proofs make claims of
// obligations (design.md).
#pragma once
#include "semantics/language/language.h"

namespace lockstep {

struct Obligation {
  std::string kind;  // "in-place"
  Erased statement;  // by its type who proves it knows what is to be proved
};

}  // namespace lockstep
