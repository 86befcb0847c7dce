// Uniqueness (§2.2, Fig. 4; l0.md §1): what an array may share data with, and that what is consumed is not used again.
#pragma once
#include <map>
#include <set>

#include "semantics/l0/syntax.h"

namespace lockstep::l0 {

// Of a typed program: every use after a consumption, with both places; every consumption of what others may see.
Diagnostics wrong_uses(const Program& program);

// Of a typed program with distinct names and nothing wrong with its uses: what each binding consumes, with all that may
// share data with it (A*); nothing for those that consume nothing.
using Consumed = std::map<const Binding*, std::set<std::string>>;
Consumed consumed_by(const Program& program);

// What the program may be run with: typed, and nothing wrong with its uses.
Checked<Program> checked(const Program& program);

}  // namespace lockstep::l0
