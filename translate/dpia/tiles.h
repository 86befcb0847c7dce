// The strategies of `tiles`, in the language of translate/rewriting: what the stage applies, and what a search varies.
#pragma once
#include <string>

#include "semantics/core/phrase.h"

namespace lockstep {

// Definitions, to stand before a strategy:
//   product     of `map (\row -> map (\column -> reduce f z (zip row column)) (transpose b)) a`
//   packed      the same, `block` rows at a time, for which columns of a tile are copied to lie side by side
//   sums        of `map (\column -> reduce f z column) (transpose a)`
//   sumsOfRows  of `reduce (\row sums -> map f (zip row sums)) (replicate n z) a`
// The sizes are numbers, none 0; a tile has so many short vectors of columns.
std::string tile_definitions(const TileSizes& sizes, std::int64_t vectors = 1, std::int64_t block = 96);

}  // namespace lockstep
