// L0 §2.3, enabling optimisations: copies and constants are propagated, constants folded, and what is dead is removed.
#pragma once
#include "semantics/l0/syntax.h"

namespace lockstep::l0 {

// Of a typed program in normal form, until nothing changes. Names and constants alone are propagated, never a[i]; what
// can trap is not folded and not dead, an assertZip never (E16); of the functions those stay that the one named calls,
// and it.
Program simplified(const Program& p, const std::string& function);

}  // namespace lockstep::l0
