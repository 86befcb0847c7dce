// The primitives of Fig. 2.2 as SVCODE (F of SNESL §4.3), at any number of values at once.
#pragma once
#include "semantics/snesl/core.h"
#include "translate/flatten/emit.h"

namespace lockstep::streaming {

// A variable: its type and its streams.
struct Bound {
  Type type;
  Tree tree;
};

// Where an expression is evaluated: a unit for each value, and whether that is the program's own control stream, where
// one value stands alone and its streams need no descriptors (§4.3, the unlifted special cases).
struct Control {
  StreamId s{};
  Lifted lifted{};
};

Tree builtin(Emitter& e, const snesl::core::Apply& apply, const std::vector<Bound>& arguments, const Type& result,
             const Control& control);
// A vector of the characters of a text, one for each element of the control stream.
Tree text(Emitter& e, const std::string& text, const Control& control);

}  // namespace lockstep::streaming
