// The list: a primitive is one file and a row here, in the order in which they are listed for people.
#pragma once
#include "semantics/primitives/operators.h"
#include "semantics/primitives/primitive.h"

// ONE(NAME) for PrimitiveRef NAME_primitive(), SOME(NAME) for std::vector<PrimitiveRef> NAME_primitives().
#define LOCKSTEP_PRIMITIVES(ONE, SOME)                                            \
  /* views */                                                                     \
  ONE(zip)                                                                        \
  ONE(unzip)                                                                      \
  ONE(split)                                                                      \
  ONE(join)                                                                       \
  ONE(transpose)                                                                  \
  ONE(map_transpose)                                                              \
  ONE(swizzle)                                                                    \
  ONE(unswizzle)                                                                  \
  ONE(pair)                                                                       \
  ONE(fst)                                                                        \
  ONE(snd)                                                                        \
  ONE(idx)                                                                        \
  ONE(at)                                                                         \
  ONE(iota)                                                                       \
  ONE(indices)                                                                    \
  ONE(replicate)                                                                  \
  ONE(reverse)                                                                    \
  ONE(take)                                                                       \
  ONE(drop)                                                                       \
  ONE(concat)                                                                     \
  ONE(slide)                                                                      \
  ONE(pad)                                                                        \
  ONE(gather)                                                                     \
  ONE(select)                                                                     \
  ONE(as_vector)                                                                  \
  ONE(as_scalar)                                                                  \
  ONE(splat)                                                                      \
  ONE(lanes)                                                                      \
  ONE(stream)                                                                     \
  /* loops */                                                                     \
  ONE(generate)                                                                   \
  ONE(array) /* [a, b, c] */                                                      \
  ONE(iterate)                                                                    \
  ONE(while)                                                                      \
  ONE(update)                                                                     \
  SOME(scatter) /* scatterBy scatterDistinct too */                               \
  SOME(permute) /* permuteBy permuteGlobal permuteLocal too */                    \
  SOME(spread)  /* spreadGlobal spreadLocal too */                                \
  SOME(map)     /* mapSeq mapPar mapGlobal mapWorkgroup mapLocal mapUnroll too */ \
  SOME(reduce)                                                                    \
  SOME(scan)                                                                      \
  SOME(collective) /* reduceBlock reduceWarp scanBlock scanWarp */                \
  SOME(memory)     /* toGlobal toLocal toPrivate toStream */

namespace lockstep {

#define LOCKSTEP_ONE(name) PrimitiveRef name##_primitive();
#define LOCKSTEP_SOME(name) std::vector<PrimitiveRef> name##_primitives();
LOCKSTEP_PRIMITIVES(LOCKSTEP_ONE, LOCKSTEP_SOME)
#undef LOCKSTEP_ONE
#undef LOCKSTEP_SOME

inline std::vector<PrimitiveRef> standard_primitives() {
  std::vector<PrimitiveRef> all;
  const auto add = [&](const std::vector<PrimitiveRef>& family) {
    all.insert(all.end(), family.begin(), family.end());
  };
#define LOCKSTEP_ONE(name) all.push_back(name##_primitive());
#define LOCKSTEP_SOME(name) add(name##_primitives());
  LOCKSTEP_PRIMITIVES(LOCKSTEP_ONE, LOCKSTEP_SOME)
#undef LOCKSTEP_ONE
#undef LOCKSTEP_SOME
  add(scalar_operators());
  return all;
}

}  // namespace lockstep
