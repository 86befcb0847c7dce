// One access of a warp to memory: its sectors or its turns, from how far apart the lanes' indices are.
//
// Why it holds for all sizes. Index arithmetic is a polynomial over the sizes, the variables of the loops around and
// the lane; an access is an issue of all lanes at once, so that everything but the lane is the same for all of them.
// Put 0, 1, ... in the place of the lane: where the differences from lane 0 are numbers, the rest has cancelled,
// whatever it is.
//   Banks: the rest moves every word by as much, which turns the banks round. How many words of one bank are asked for
//   stays. So the count from the differences alone is the count at every size, block and round.
//   Sectors: the rest decides where the first sector begins. It is known modulo the sector as far as its coefficients
//   say; every remainder that is left is tried. Where all give one count, that is the count; otherwise the most is a
//   bound.
//   Where the differences are no numbers, as of (lane + j) % 32, multiples of all banks are left out of the indices:
//   they change the word, not the bank. Each lane then counts with a word of its own, which is a bound, and exact where
//   it is a turn for each group.
// Lanes whose differences are no numbers are in rows of their own, counted one by one. Rows have no sector in common
// where their distance is a sum of which one term is long enough and none is taken away: an access lies inside its
// buffer, which is not empty then, so that a size that divides its length is 1 or more. Where that is not so, and for
// banks, the sum over the rows is a bound. An index that is read from data has the bound that no two lanes have
// anything in common.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "semantics/core/size.h"
#include "semantics/kernel/gpu_model.h"

namespace lockstep::kernel {

// The index, in elements, of each lane's first element; nothing where it is no polynomial.
struct WarpIndex {
  std::optional<Size> index;           // over `lane` and names that are the same in all lanes
  std::string lane;                    // its name
  std::vector<std::int64_t> lanes{0};  // that take part
  std::int64_t bytes = 4;              // of an element
  std::int64_t elements = 1;           // neighbours that a lane moves at once
  std::set<std::string> positive;      // names that are 1 or more wherever the access is made
};
// Sectors, or turns; exact: neither more nor fewer, whenever all these lanes take part. With fewer lanes, at most
// these.
struct WarpCost {
  std::int64_t count = 0;
  bool exact = false;
  friend bool operator==(const WarpCost&, const WarpCost&) = default;
};
WarpCost sectors(const WarpIndex& w, const SizeContext& known, const GpuModel& model);
// Lanes are served in groups that ask for as many bytes as all banks have: 8-byte scalars in two halves of a warp.
WarpCost turns(const WarpIndex& w, const SizeContext& known, const GpuModel& model);
// The turns without a conflict: one a group.
std::int64_t fewest_turns(const std::vector<std::int64_t>& lanes, std::int64_t bytes_of_lane, const GpuModel& model);

}  // namespace lockstep::kernel
