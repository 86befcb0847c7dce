// Which window grows where no step can go on: the function `grow` of a program's text.
#pragma once
#include "codegen/streaming/network.h"

namespace lockstep::engine {

// Windows of all of a program, or of a part of a split one.
struct Windows {
  std::set<StreamId> whole;  // inputs that are there, and have none
  std::set<StreamId> given;  // a tail's, which the body fills piece by piece
  std::set<StreamId> kept;   // a body's, of what it gives
};
std::string grow_function(const Network& network, const Windows& windows);

}  // namespace lockstep::engine
