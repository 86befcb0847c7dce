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

}  // namespace lockstep
