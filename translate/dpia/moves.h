// Loops that only move elements from one array to another: what is known of them (moves.cpp). Private to transposes.cpp
// and rows.cpp.
#pragma once
#include <map>
#include <string>

#include "semantics/kernel/syntax.h"

namespace lockstep {

constexpr int bytes_of_vector = 32, bytes_of_line = 64;
// Arrays so large are in no cache when they are read.
constexpr std::int64_t bytes_past_caches = std::int64_t{1} << 25;

// to[out] = from[in], in the loop over y: `out` goes on by one with y.
struct Moved {
  std::string to, from, y;
  ScalarType type;
  kernel::Expr out, in;
};
// By the name of y. Nests over x and y of which `in` goes on by one with x, each element to a place of its own; and
// loops along which `in` goes on by one, or back by one, too.
struct MovingLoops {
  std::map<std::string, Moved> transposed, ahead, back;
};
MovingLoops moving_loops(const kernel::Program& p);

// That `to` is no smaller than what no cache holds; nothing of an array that is no output, or is known to be smaller.
std::optional<kernel::Expr> is_past_caches(const kernel::Program& p, const Moved& m);

// Each leaves the loops of the other as they are.
kernel::Program with_transposes_in_lanes(const kernel::Program& p, const MovingLoops& loops);
kernel::Program with_rows_past_caches(const kernel::Program& p, const MovingLoops& loops);

}  // namespace lockstep
