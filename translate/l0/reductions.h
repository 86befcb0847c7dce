// The reductions of a program, each by itself: what is asserted of their functions can be asked of them (l0.md §1, E6).
#pragma once
#include "semantics/l0/language.h"

namespace lockstep::l0 {

struct Reduction {
  Soac op;  // reduce or scan, of one array or of several
  Region at{};
  Entry entry;  // a function that gives it, of all that is free in it: starts and arrays, too
};
// Of the entry point and what is called in the places of functions there; typed, in normal form, with distinct names.
std::vector<Reduction> reductions_of(const Entry& e);

}  // namespace lockstep::l0
