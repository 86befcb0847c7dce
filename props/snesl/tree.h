// Places in a surface expression of SNESL (props/engine/places.h), and how large a program is.
#pragma once
#include "props/engine/places.h"
#include "semantics/snesl/walk.h"

namespace lockstep::props::stream {

using props::node_count;
using snesl::surface::Expr;

inline std::size_t node_count(const snesl::surface::Program& p) {
  std::size_t n = 0;
  for (const snesl::surface::Function& f : p.functions) n += props::node_count(*f.body);
  return n;
}

}  // namespace lockstep::props::stream
