// Whether && or || does what it is there for: the left side decides where the right one would trap.
#pragma once
#include "props/dpia/campaign.h"

namespace lockstep::props {

// On one of the inputs the program gives a result, and traps where the right sides of these operators are evaluated
// first.
bool keeps_from_traps(const PhraseProgram& source, const std::string& symbol, const std::vector<Expected>& inputs);

}  // namespace lockstep::props
