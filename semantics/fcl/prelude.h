// The prelude of FCL, in FCL: what programs see before their own definitions (fcl.md §1).
#pragma once
#include "semantics/fcl/infer.h"

namespace lockstep::fcl {

inline constexpr std::string_view prelude_name = "prelude.fcl";
const Inferred& prelude();

std::string prelude_summary(std::string_view name);  // the line above its `sig`

// The name that a definition has in the prelude, also of what stages copied from it; "" of any other.
std::string name_in_prelude(const Definition& d);

// A program behind the prelude.
Checked<Inferred> typed(const Program& program, const PrintedTypes& printed = {});

}  // namespace lockstep::fcl
