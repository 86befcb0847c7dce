// What code of a kernel accesses, by buffer and by the range that an index goes through, and which accesses of two
// threads of a block, or of two lanes of a warp, can meet.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "semantics/core/size.h"
#include "semantics/kernel/syntax.h"

namespace lockstep {

// Extents of loops, by their variables; nothing where it is no size, or where two loops have the name.
using Extents = std::map<std::string, std::optional<Size>>;
Extents extents_in(const kernel::Stmt& s);

// Scalars from `first` to before `end`.
struct Interval {
  Size first, end;
  friend bool operator==(const Interval&, const Interval&) = default;
};
// Of an access inside loops that deal work out (a local loop, or a warp loop and a local one): thread (i, j) is at
// `first` moved by i * strides[0] + j * strides[1].
struct OwnPart {
  Interval first;                      // of thread 0
  std::vector<Size> strides, extents;  // of the loops, outermost first
  friend bool operator==(const OwnPart&, const OwnPart&) = default;
};
// Of a buffer's scalars those of the interval, over names that stay while the group is at its code.
struct Range : Interval {
  std::optional<OwnPart> part{};
  friend bool operator==(const Range&, const Range&) = default;
};
struct Places {
  bool all = false;
  std::vector<Range> ranges;
  friend bool operator==(const Places&, const Places&) = default;
  void add(const std::optional<Range>& r);  // nothing: all of the buffer
  void add(const Places& p);
};
using Accessed = std::map<std::string, Places>;  // by buffer
struct Accesses {
  Accessed read, written;
  friend bool operator==(const Accesses&, const Accesses&) = default;
};

// Of the code of one group: the body of a workgroup or a warp loop.
class Ranges {
 public:
  Ranges(const kernel::Stmt& code, const SizeContext& facts);

  // What the index goes through while the loops run; nothing where it is not linear in their variables. `dealt`: those
  // of them that deal work out, outermost first, to one thread an iteration.
  std::optional<Range> range_of(const kernel::Expr& index, int width, const Extents& loops,
                                const std::vector<std::string>& dealt) const;
  // Whether two threads can touch one scalar; `dealt`: each thread as its own part says.
  bool meet(const Accessed& a, const Accessed& b, bool dealt) const;

 private:
  std::optional<Interval> over(Interval i, const Extents& loops) const;
  std::optional<OwnPart> part_of(const Size& index, int width, const Extents& loops,
                                 const std::vector<std::string>& dealt) const;
  bool apart(const Interval& x, const Interval& y) const;
  bool apart(const OwnPart& x, const OwnPart& y) const;
  bool meet(const Places& x, const Places& y, bool dealt) const;
  bool at_most(const Size& a, const Size& b) const { return facts_.proves({a, SizeRelation::LessEqual, b}); }

  const SizeContext& facts_;
  Extents extents_;                 // of the code's loops
  std::set<std::string> changing_;  // variables of the code: an index over others is the same all along
};

}  // namespace lockstep
