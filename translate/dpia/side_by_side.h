// Reductions of one array as one of pairs.
#pragma once
#include "translate/fusion/decision.h"
#include "translate/rewriting/rule.h"

namespace lockstep {

// Of two that are evaluated wherever one of them is, over arrays that read the same, and both go by law or neither
// does: the array is read once. `decisions`: which. Whether there are such; then `body` is with them joined.
bool join_reductions(rewriting::Site& site, PhraseRef& body, std::vector<fusion::Decision>* decisions = nullptr);

}  // namespace lockstep
