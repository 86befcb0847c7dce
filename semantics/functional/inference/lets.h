// What is computed before an expression, and named.
#pragma once
#include "semantics/functional/inference/work.h"

namespace lockstep::inference {

using Lets = std::vector<std::pair<std::string, PhraseRef>>;

bool atomic(const Phrase& p);  // reading it twice costs nothing: a name, a number, or a component of a name
Typed atom(Work& w, Typed t, const std::string& base, Lets& lets);
PhraseRef wrap(const Lets& lets, PhraseRef body);

}  // namespace lockstep::inference
