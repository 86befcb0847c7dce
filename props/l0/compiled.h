// A program of L0 in the calculus: its arguments as those of the calculus, and results back.
#pragma once
#include "codegen/runtime/arrays.h"
#include "semantics/l0/language.h"
#include "translate/l0/lower/lower.h"

namespace lockstep::props::l0 {

namespace language = lockstep::l0;

// `leaves`: of the source's arguments. Where they do not meet a condition, which: "the length of y is 2, and n is
// 3".
tl::expected<Arguments, std::string> arguments_in_calculus(const InCalculus& program, const language::Values& leaves);
// Leaves of L0 as arrays, and back. Ints and reals are handed over as they lie in memory, and are not to be written.
Leaves leaves_from(const language::Values& leaves);
language::Values values_from(const Leaves& leaves);

}  // namespace lockstep::props::l0
