// Temporaries of the translation against the expressions that they are for.
#pragma once
#include <optional>
#include <string>

#include "semantics/core/phrase.h"

namespace lockstep::props {

// Fig. 5 introduces a temporary for the value of an expression, at most one for each: of every type there are no more
// variables in the imperative program than expressions in its source that are not names. What is wrong, or nothing.
std::optional<std::string> undeclared_temporary(const PhraseProgram& source, const PhraseProgram& translated);

}  // namespace lockstep::props
