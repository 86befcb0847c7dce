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

// Scalars from `first` to before `end`.
struct Interval {
  Size first, end;
  friend bool operator==(const Interval&, const Interval&) = default;
};
inline bool mentions(const Interval& i, const std::string& name) {
  return mentions(i.first, name) || mentions(i.end, name);
}
// Of an access inside loops that deal work out (a local loop, or a warp loop and a local one): thread (i, j) is at
// `first` moved by i * strides[0] + j * strides[1], and by a multiple of each of `rounds`, which sequential loops give
// it.
struct OwnPart {
  Interval first;                      // of thread 0, in round 0
  std::vector<Size> strides, extents;  // of the loops, outermost first
  std::vector<Size> rounds;            // strides of sequential loops, the least first, which is no less than strides[0]
  friend bool operator==(const OwnPart&, const OwnPart&) = default;
};
// Of a buffer's scalars, over names that stay while the group is at its code: all that are accessed, where that is
// known; what each thread accesses of them.
struct Range {
  std::optional<Interval> whole{};
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
  std::map<std::string, Accessed> updated{};  // atomically, by operator: two by one are no race
  friend bool operator==(const Accesses&, const Accesses&) = default;
};

// Who makes an access: the first thread of the group, every thread alike, or each its own iterations.
enum class Who { First, All, Threads };

// Of the code of one group: the body of a workgroup or a warp loop.
class Ranges {
 public:
  Ranges(const kernel::Program& p, const kernel::Stmt& code, const SizeContext& facts);

  // What the index goes through while the code's loops run; nothing where it is not linear in their variables. `dealt`:
  // those of them around the access that deal work out, outermost first, to one thread an iteration.
  std::optional<Range> range_of(const kernel::Expr& index, int width, const std::vector<std::string>& dealt) const;
  bool at_most_once(const kernel::Expr& extent) const;  // a loop's
  bool once_or_more(const kernel::Expr& extent) const;
  // Whether two different threads can touch one scalar.
  bool meet(const Accessed& a, Who by, const Accessed& b, Who by_too) const;

 private:
  std::optional<Interval> over(Interval i) const;
  std::optional<OwnPart> part_of(const Size& index, int width, const std::vector<std::string>& dealt) const;
  bool apart(const Range& x, Who by, const Range& y, Who by_too) const;
  bool apart(const Interval& x, const Interval& y) const;
  bool apart(const OwnPart& x, const OwnPart& y) const;
  bool apart_from_first(const Interval& first, const OwnPart& y) const;
  bool stays(const Size& s) const;    // the same all along
  bool natural(const Size& s) const;  // of names of naturals alone
  bool at_most(const Size& a, const Size& b) const { return facts_.proves({a, SizeRelation::LessEqual, b}); }

  const SizeContext& facts_;
  // By the names of variables that change: of the code's loops, nothing where two that differ in it have the name; of
  // what is declared nothing. An index over other names is the same all along, and those are natural.
  std::map<std::string, std::optional<Size>> extents_;
  SizeSubstitution once_;  // variables of loops that have one iteration at most: 0
};

}  // namespace lockstep
