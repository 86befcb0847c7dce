// What only copies: the end of a step of a loop, which the stage in-place drops.
#pragma once
#include "semantics/kernel/walk.h"

namespace lockstep {

// state[I] = next[I] for all I, or state = next.
struct Copy {
  std::string state, next;
  Size covered = 0;  // how many scalars a loop copies; 0 for variables
};

std::optional<Copy> copy_of(const kernel::Stmt& s);
// Of loops around nothing but stores, each of which copies: of arrays of tuples one for each leaf. Else none.
std::vector<Copy> copies_of(const kernel::Stmt& s);

bool copies_itself(const kernel::Stmt& s);      // v = v, or state[i] = state[i]
bool is_copy_to_itself(const kernel::Stmt& s);  // loops around nothing but that, of an array

}  // namespace lockstep
