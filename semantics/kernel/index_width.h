// How wide a run's index arithmetic is, and what has to fit: what Add, Subtract and Multiply give, a loop's extent, and
// the extent and the units of one that is dealt out together, which no variable of it comes to. What is read from
// memory or computed by scalar operators has its own width.
#pragma once
#include "semantics/kernel/syntax.h"

namespace lockstep::kernel {

struct IndexRange {
  int bits = 64;
  std::int64_t least() const { return -most() - 1; }
  std::int64_t most() const { return static_cast<std::int64_t>((std::uint64_t{1} << (bits - 1)) - 1); }
  bool holds(std::int64_t i) const { return least() <= i && i <= most(); }
};

// Of the launch's bits where the program is narrow, and its sizes and what it says beside them are in that range.
IndexRange index_range(const Program& p, const SizeValues& sizes);

// "index arithmetic leaves 32 bits"
std::string beyond(const IndexRange& r);

}  // namespace lockstep::kernel
