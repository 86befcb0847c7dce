// What fusion leaves of arrays (FCL §2.1): `push <level> (generate n f)` and `interleave place n (generate m f)`.
#pragma once
#include <algorithm>

#include "translate/fcl/spine.h"

namespace lockstep::fcl {

// generate n (fn i => …): the function
inline const FnExpr& function_of(const Expr& generated) {
  return std::get<FnExpr>(spine_of(generated).arguments[1]->node);
}
// That writes what is left of an array of schemes.
inline int level_of(const Expr& scheme) {
  if (const auto* l = as<LetExpr>(scheme)) return level_of(*l->body);
  if (const auto* i = as<IfExpr>(scheme)) return std::max(level_of(*i->yes), level_of(*i->no));
  const Spine s = spine_of(scheme);
  return s.head == "push" ? s.level->above : 1 + level_of(*function_of(*s.arguments[2]).body);
}

// What of a definition that was fused (fuse.h) does not hold, in words; "" where all does.
std::string why_not_normal(const Expr& body);

}  // namespace lockstep::fcl
