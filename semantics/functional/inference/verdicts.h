// Verdicts on what must hold of sizes, and the errors that they are.
#pragma once
#include "semantics/functional/inference/constraints.h"
#include "semantics/functional/inference/definitions.h"

namespace lockstep::inference {

// Where the obligations of a definition are from: those before `written` from sizes in its types, the others from its
// body's constraints.
struct Asked {
  std::size_t written;
  const Constraints& constraints;
  Region facts;  // where the definition's facts are said
};
// Every obligation is decided and listed; one error of each equality of types, and of each fact.
void settle(std::vector<SizeObligation> obligations, const Defined& d, const Asked& asked, const SizeSolver& solver,
            std::vector<SizeObligation>& all, Diagnostics& errors);

}  // namespace lockstep::inference
