// The strategies of `tiles`, in the language of translate/rewriting: what the stage applies, and what a search varies.
#pragma once
#include <string>

#include "semantics/core/phrase.h"

namespace lockstep {

// Definitions, to stand before a strategy:
//   product     of `map (\row -> map (\column -> reduce f z (zip row column)) (transpose b)) a`
//   sums        of `map (\column -> reduce f z column) (transpose a)`
//   sumsOfRows  of `reduce (\row sums -> map f (zip row sums)) (replicate n z) a`
// `lanes`: columns of a tile.
std::string tile_definitions(const TileSizes& tiles, std::int64_t lanes);

}  // namespace lockstep
