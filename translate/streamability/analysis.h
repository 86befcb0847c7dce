// The streamability analysis: one pass over the instructions gives each stream its clock and writes into an Order what
// waits for what; circles in it, or lags that nothing can make up for, refuse the program.
//
//   P, C       clocks; a descriptor's parent and child
//   D, f, g    descriptors
//   S, R, E    of a traversal in one iteration of its parent: it starts; values that every element needs are there; the
//              last element has passed
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "semantics/svcode/program.h"
#include "translate/streamability/order.h"

namespace lockstep::streaming {

using svcode::Instr;
using svcode::Opcode;
using svcode::StreamId;

// A predicate: streams with one key are equal, or negations of each other.
struct Predicate {
  int key = 0;
  bool positive = true;
  friend auto operator<=>(const Predicate&, const Predicate&) = default;
  Predicate operator!() const { return {key, !positive}; }
};

// What the elements of a stream are counted by.
struct Clock {
  enum class Kind : unsigned char {
    Root,      // the one element of the control stream of the program
    Source,    // a traversal of its own for each element of `parent`
    Part,      // the elements of `base` that a predicate picks
    Flags,     // a tick for each element of `base` and for each end of a segment, of which `parent` counts
    Sequence,  // one of `parts` after the other in each element of `parent`, or one of them
  };
  struct Traversed {  // as the elements of descriptors
    int parent, span;
  };
  struct Piece {
    int clock, span;
  };
  Kind kind{};
  int base = -1, parent = -1;
  Predicate predicate;  // of Part
  std::vector<Piece> parts;
  int instr = 0;                       // where it begins
  std::optional<Traversed> single_in;  // has exactly one element in each of these traversals
  bool for_parent = false;             // it is meant for the parent's (`the`)
  std::vector<Traversed> traversed;
};

constexpr int root_clock = 0;

// All that is traversed in lockstep within an iteration of the parent's clock.
struct Span {
  struct Seam {
    Node end, start;  // of two traversals inside, one of which follows the other
  };
  Node start{}, ready{}, end{};
  std::vector<Seam> seams;
  std::vector<int> inner;  // spans that lie inside
};

struct Descriptor {
  int child = 0, parent = 0, span = 0;
  std::optional<Predicate> guard;  // all segments are empty where it does not hold
  bool picks = false;              // its elements are some of another descriptor's: known when that one's are
  bool pieces = false;             // cuts up a traversal that goes on: its iterations are where its elements are
  bool counts_pieces = false;      // an element at the beginning of each piece: as late as the elements of the pieces
};

struct Stream {
  Node node{};
  int clock = 0;
  int value = 0;  // streams with one number are equal
  Predicate predicate;
  std::optional<Descriptor> descriptor;
  bool unbounded = false;                 // in a buffer without a bound
  bool keeps_any_pace = false;            // made of constants of their own
  std::vector<StreamId> awaits_first_of;  // descriptors whose first flag it waits for, and no more of that traversal
};

struct Refused {
  Diagnostic diagnostic;
};

class Analysis {
 public:
  explicit Analysis(const svcode::Program& p);
  std::vector<std::int64_t> slack();  // throws Refused

 private:
  // rules.cpp, segments.cpp
  void instruction(const Instr& i);
  int meeting(const std::vector<StreamId>& arguments);
  void of_networks(const Instr& i);
  void ctrl(const Instr& i);
  void input(const Instr& i);
  void of_children(const Instr& i);
  void segtab(const Instr& i);
  void gather(const Instr& i);
  void elementwise(const Instr& i);
  void map(const Instr& i);
  int picked(int clock, StreamId b);
  void pack(const Instr& i);
  void unpack(const Instr& i);
  void lookahead(const Instr& i);
  void after_end(const Instr& i);
  void source(const Instr& i);
  void pmerge(const Instr& i);
  void constant(const Instr& i);
  void whole(const Instr& i);
  void pdist(const Instr& i);
  void upack(const Instr& i);
  void b2u(const Instr& i);
  void ends(const Instr& i);
  void usegsum(const Instr& i);
  void uempty(const Instr& i);
  void umerge(const Instr& i);
  void merge_segments(const Instr& i);
  void usegmerge(const Instr& i);
  void inputs(const snesl::Type& t, int clock);
  void before_traversal(StreamId x, const Descriptor& d);
  void before_segment(StreamId x, const Descriptor& d);
  void from_memory(StreamId base, int clock, Node v);
  bool at_most_one(const Descriptor& f);
  Descriptor flat(const Descriptor& f, const Descriptor& g);
  Descriptor descriptor(StreamId s);
  void define(const Descriptor& d);
  void cut(const Descriptor& d, Predicate ends);
  Node consumed(const std::vector<StreamId>& arguments);
  void waits(StreamId x, Node v);
  void carries(StreamId x, Node v);
  void uses(StreamId x, Node at, std::optional<Node> since = {}) { uses_.push_back({x, at, since}); }
  void reads(StreamId x, Node at) { waits(x, at), uses(x, at); }
  int value_of(const Instr& i);
  int intern(std::vector<std::int64_t> key);
  Predicate spread(StreamId b, StreamId f);

  // clocks.cpp, meet.cpp
  int add_clock(Clock c);
  int clock(int c) const { return clock_classes_.find(c); }
  Clock& of(int c) { return clocks_[static_cast<std::size_t>(clock(c))]; }
  void join_clocks(int kept, int gone);
  void one_clock(int kept, int gone);
  bool same(int a, int b);
  bool alike(int a, int b);
  int add_span();
  Span& span(int s) { return spans_[static_cast<std::size_t>(locksteps_.find(s))]; }
  int span_between(int child, int parent);
  std::optional<int> span_within(int child, int parent);
  void traverse(int child, int parent, int span);
  int new_source(int parent);
  int part(int base, Predicate p);
  std::vector<int> picked_from(int clock);
  bool constant_parts(Predicate p, int clock, std::vector<int>* holds, std::vector<int>* all);
  int part_picked(int clock);
  Clock::Piece in_turn(const std::vector<Descriptor>& ds, const std::vector<int>& values);
  void contain(int outer, int inner);
  std::vector<Span::Seam> seams_of(int span);
  bool one_way(int from, int to, std::vector<int>* spans, bool constructed = false);
  void agree(StreamId x, int expected, Node consumer);
  void same_traversal(const Descriptor& a, const Descriptor& b);
  bool merge(int a, int b, int span_a, int span_b);
  bool merge_parts(int a, int b);
  int merging_ = 0;  // merges in each other
  void unchecked(int a, int b);
  bool by_construction(int a, int b, int nesting = 3);
  void parents_agree(int a, int b, Node consumer, int inside = -1);

  // report.cpp
  std::string shown(int instr) const;
  [[noreturn]] void refuse_meeting(int a, int b);
  [[noreturn]] void refuse_circle(const Order::Circle& c);
  [[noreturn]] void refuse_parts(int instr);
  [[noreturn]] void refuse_lag(int late, int meeting);
  [[noreturn]] void refuse(int meeting, int late, int other, const std::string& why);
  int origin(int clock) const;
  std::pair<int, int> operands(int meeting) const;

  Stream& stream(StreamId s) { return streams_[index_.at(s)]; }
  Stream& now() { return streams_[static_cast<std::size_t>(now_)]; }
  const Instr& instr(StreamId s) const { return p_.instructions[index_.at(s)]; }

  struct Use {
    StreamId stream;
    Node at;
    std::optional<Node> since;  // none: since the stream's own node
  };
  struct Forbidden {  // a way from one of `from` to one of `to`
    std::vector<Node> from, to;
    int instr;
  };
  struct Part {
    Predicate predicate;
    int clock;
  };
  struct Leaf {
    int clock;
    std::optional<Descriptor> descriptor;
    std::size_t parameter = 0;
  };

  const svcode::Program& p_;
  Order order_;
  std::vector<Stream> streams_;
  std::map<StreamId, std::size_t> index_;
  int now_ = 0;  // the instruction that is looked at
  std::vector<Clock> clocks_;
  Classes clock_classes_;
  std::set<std::pair<int, int>> differing_;  // clocks that have been compared
  std::vector<Span> spans_;
  Classes locksteps_, together_;  // of spans: one traversal; in one iteration of the parent
  std::vector<Use> uses_;
  std::vector<Forbidden> forbidden_;
  std::vector<int> pinned_;  // spans of pieces
  std::vector<Leaf> leaves_;
  std::map<std::vector<std::int64_t>, int> values_;
  std::map<Predicate, int> parts_;
  std::map<int, bool> constants_;                  // of predicates, by key
  std::map<int, std::vector<Part>> sequences_;     // of predicates over sequences, by key: its parts
  std::map<Predicate, Descriptor> flags_;          // streams of flags that are used as descriptors
  std::map<Predicate, std::vector<int>> cuts_;     // spans of pieces, by what ends a piece
  std::map<Predicate, std::vector<Node>> picked_;  // what a predicate picks, and so known at the end of a piece
  std::map<int, std::vector<Node>> counting_;      // by clock: the descriptors that count its elements
  std::map<std::vector<int>, Clock::Piece> in_turn_;
  std::map<int, int> within_;  // the span of what is in the first of a segment (`the`), and the segment's
};

}  // namespace lockstep::streaming
