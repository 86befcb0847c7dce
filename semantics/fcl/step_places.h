// Places of the located machine (Dybdal et al., §5.2): threads, and groups of places. Private to step*.cpp.
#pragma once
#include <vector>

#include "semantics/fcl/step.h"

namespace lockstep::fcl::stepping {

// Thread, or a group of places.
struct Location {
  std::vector<Location> inside;
};
inline Location machine_of(const Machine& m) {
  const Location warp{std::vector<Location>(static_cast<std::size_t>(m.threads))};
  const Location block{std::vector<Location>(static_cast<std::size_t>(m.warps), warp)};
  return {std::vector<Location>(static_cast<std::size_t>(m.blocks), block)};
}
inline int depth_of(const Location& l) { return l.inside.empty() ? 0 : 1 + depth_of(l.inside[0]); }
inline std::size_t threads_of(const Location& l) {
  std::size_t n = l.inside.empty() ? 1 : 0;
  for (const Location& i : l.inside) n += threads_of(i);
  return n;
}
inline const Location& first_of_depth(const Location& l, int depth) {
  const Location* at = &l;
  for (int own = depth_of(l); own > depth; --own) at = &at->inside[0];
  return *at;
}

}  // namespace lockstep::fcl::stepping
