// The list: a primitive is one file, declared and named here once.
#pragma once
#include "semantics/primitives/operators.h"
#include "semantics/primitives/primitive.h"

namespace lockstep {

// Views
PrimitiveRef zip_primitive();
PrimitiveRef unzip_primitive();
PrimitiveRef split_primitive();
PrimitiveRef join_primitive();
PrimitiveRef transpose_primitive();
PrimitiveRef pair_primitive();
PrimitiveRef fst_primitive();
PrimitiveRef snd_primitive();
PrimitiveRef idx_primitive();
PrimitiveRef at_primitive();
PrimitiveRef iota_primitive();
PrimitiveRef replicate_primitive();
PrimitiveRef reverse_primitive();
PrimitiveRef take_primitive();
PrimitiveRef drop_primitive();
PrimitiveRef concat_primitive();
PrimitiveRef slide_primitive();
PrimitiveRef pad_primitive();
PrimitiveRef gather_primitive();
PrimitiveRef select_primitive();
PrimitiveRef as_vector_primitive();
PrimitiveRef as_scalar_primitive();
PrimitiveRef splat_primitive();
PrimitiveRef lanes_primitive();
PrimitiveRef stream_primitive();
// Loops
std::vector<PrimitiveRef> map_primitives();  // map mapSeq mapPar mapGlobal mapWorkgroup mapLocal mapUnroll
std::vector<PrimitiveRef> reduce_primitives();
std::vector<PrimitiveRef> scan_primitives();
std::vector<PrimitiveRef> memory_primitives();  // toGlobal toLocal toPrivate toStream
PrimitiveRef generate_primitive();
PrimitiveRef array_primitive();  // [a, b, c]
PrimitiveRef iterate_primitive();
PrimitiveRef while_primitive();
PrimitiveRef scatter_primitive();
PrimitiveRef permute_primitive();

inline std::vector<PrimitiveRef> standard_primitives() {
  std::vector<PrimitiveRef> all = {
      zip_primitive(),       unzip_primitive(),     split_primitive(),   join_primitive(),   transpose_primitive(),
      pair_primitive(),      fst_primitive(),       snd_primitive(),     idx_primitive(),    at_primitive(),
      iota_primitive(),      replicate_primitive(), reverse_primitive(), take_primitive(),   drop_primitive(),
      concat_primitive(),    slide_primitive(),     pad_primitive(),     gather_primitive(), select_primitive(),
      as_vector_primitive(), as_scalar_primitive(), splat_primitive(),   lanes_primitive(),  stream_primitive(),
      generate_primitive(),  array_primitive(),     iterate_primitive(), while_primitive(),  scatter_primitive(),
      permute_primitive(),
  };
  for (const auto& family :
       {map_primitives(), reduce_primitives(), scan_primitives(), memory_primitives(), scalar_operators()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

}  // namespace lockstep
