// What the lanes of a warp do in turn: local loops, and what the first lane stores between them, with the elements of
// the warp's arrays that each iteration stores and reads. In: statements of a warp loop; out: which of its arrays can
// be registers of the lanes, an element each, and on which lanes iterations run then (shuffles.cpp).
#pragma once
#include <map>
#include <set>

#include "semantics/kernel/syntax.h"

namespace lockstep {

struct ElementRead {  // element factor * i + offset in iteration i
  std::string array;
  std::int64_t factor, offset;
};
struct Turn {
  const kernel::Stmt* statement;
  const kernel::Stmt* body;
  std::string name;  // of the iteration; "": once, by the first lane
  std::int64_t extent = 1;
  std::map<std::string, std::int64_t> stores;  // element i + offset of these
  std::vector<ElementRead> reads;
  std::set<std::string> otherwise;                    // touched in another way
  std::set<std::string> read_memory, written_memory;  // of the buffers that are not the iteration's own
};

// An array of the warp's memory that may become registers: elements, at most the lanes.
struct WarpArray {
  kernel::KType type;
  std::int64_t count;
};
using WarpArrays = std::map<std::string, WarpArray>;

// Of a statement that lanes can make in turn with others, nothing where they cannot. `lanes`: of the smallest warp. A
// loop in which the first lane copies elements to arrays is the owners' turn where `dealt`.
std::optional<Turn> turn_of(const kernel::Stmt& s, const WarpArrays& arrays, std::int64_t lanes, bool dealt);

// Element j of an array is lane stride * j's; iteration i of a turn runs on lane stride * (i + offset).
struct Placement {
  std::int64_t stride = 1, offset = 0;
};
struct Registers {
  std::map<std::string, std::int64_t> strides;  // of the arrays that are registers
  std::vector<Turn> turns;
  std::vector<Placement> places;  // of the turns
};
// Reads and writes in the text of s.
std::size_t accesses(const kernel::Stmt& s, const std::string& array);
// Of these statements, one after the other; `touched`: an array's accesses in the warp loop. Nothing where none can be
// registers.
std::optional<Registers> registers_of(const std::vector<const kernel::Stmt*>& statements, const WarpArrays& arrays,
                                      const std::map<std::string, std::size_t>& touched, std::int64_t lanes);
// The first turn that meets what an earlier one leaves in memory.
std::optional<std::size_t> first_conflict(const Registers& r);

}  // namespace lockstep
