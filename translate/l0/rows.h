// What the shapes of rows depend on: the table of L0's README, "Empty arrays", for all arguments at once.
#pragma once
#include "semantics/l0/syntax.h"

namespace lockstep::l0 {

struct RowShapes {
  // Of arrays that it gives, every dimension is the same in all calls over one array: what the function is called with
  // has no part in it but the shapes of rows.
  bool fixed = true;
  // ... and it is known in a call that is never made, too: nothing that makes it traps.
  bool certain = true;
  // Of each parameter: whether a dimension is made of its value, or is made of its dimensions and none of them.
  std::vector<bool> depends{};
};
// Of a function in a combinator, written out, of a typed program without tuples and with distinct names.
RowShapes row_shapes_of(const Lambda& f);

}  // namespace lockstep::l0
