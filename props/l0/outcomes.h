// What programs of L0 give on an input, traps included.
#pragma once
#include "semantics/l0/language.h"

namespace lockstep::props::l0 {

namespace language = lockstep::l0;

using Outcome = tl::expected<language::Values, Trap>;  // leaves

// The leaves are kept: arguments may be consumed.
Outcome outcome(const AnyProgram& p, const language::Values& leaves, const language::Evaluation& how = {});
// Nothing where it makes an array for which there is no memory.
std::optional<Outcome> outcome_within_memory(const AnyProgram& p, const language::Values& leaves,
                                             const language::Evaluation& how);
std::string shown(const Outcome& o, const language::Function& f);  // with the shapes of arrays
bool same(const Outcome& a, const Outcome& b);                     // bit for bit; any trap is any
std::string shown_arguments(const language::Function& f, const language::Values& leaves);  // "a=[1, 2] n=2"

}  // namespace lockstep::props::l0
