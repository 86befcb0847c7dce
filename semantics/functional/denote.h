// The denotation of the functional fragment (DPIA §5.1, after Steuwer et al. 2015): a value from values, strict, over a
// number domain. It runs on the elaborated source, before any translation.
#pragma once
#include <tl/expected.hpp>

#include "semantics/core/phrase.h"
#include "semantics/core/value.h"

namespace lockstep {

// Sizes by name, arguments in the order of the parameters. UndecidedSignal passes through (the bounded domain only).
tl::expected<Value, Trap> denote(const PhraseProgram& program, const SizeValues& sizes,
                                 const std::vector<Value>& arguments, const Domain& domain);

// Every trap that a run may report, whatever order it takes (languages.md: "any of those traps may be the one
// reported"): those of the operations that are reached where one that traps gives nothing, and what needs its value
// gives nothing either. None where the program gives a result.
std::vector<Trap> traps_of(const PhraseProgram& program, const SizeValues& sizes, const std::vector<Value>& arguments,
                           const Domain& domain);

}  // namespace lockstep
