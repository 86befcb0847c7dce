// What random programs are like: each share at least so large.
#pragma once
#include <catch2/catch.hpp>

#include "props/engine/statistics.h"

namespace lockstep {

struct Wanted {
  std::string of, what;
  double least;  // in percent
};

inline const std::vector<Wanted> special_floats{
    {"input with floats", "a NaN", 1.5},           {"input with floats", "an infinity", 2},
    {"input with floats", "a subnormal", 4},       {"input with floats", "a negative zero", 2},
    {"result with floats", "a NaN", 1.5},          {"result with floats", "an infinity", 1},
    {"result with floats", "a negative zero", 0.5}};

inline void check_shares(const props::Statistics& statistics, const std::vector<Wanted>& all) {
  for (const Wanted& w : all) {
    INFO(w.of << ": " << w.what);
    CHECK(100 * statistics.part(w.of, w.what) >= w.least);
  }
}

}  // namespace lockstep
