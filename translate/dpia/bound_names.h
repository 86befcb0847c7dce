// The names that a kernel binds.
#pragma once
#include "semantics/kernel/syntax.h"

namespace lockstep {

std::vector<std::string> bound_by(const kernel::Stmt& s);  // itself, not what stands in it: variables and buffers
std::vector<std::string> parameters_of(const kernel::Program& p);  // sizes and buffers
Names names_of(const kernel::Program& p);                          // so that fresh ones stay apart
kernel::Stmt with_own_names(const kernel::Stmt& s, Names& names);  // the same with other names for what it binds

}  // namespace lockstep
