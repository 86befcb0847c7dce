// What waits for what. Of one iteration of a loop an Order says which events come before which, and how many iterations
// later; Traversals are the loops inside, three events each. Both only collect; solve.h asks.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "translate/streamability/index.h"

namespace lockstep::streaming {

// An event is that a stream's element of this iteration is there, or one of the three of a traversal. An edge u -> v
// says that v waits for u; with weight w, for the u that is w iterations ahead; or, where u and v belong to different
// loops, for the u of its iteration, and the lags of one say nothing of the other's.
constexpr int other_loop = -1;  // the weight between different loops
struct Edge {
  Event from, to;
  int weight;
  InstrIndex instr;  // which instruction makes `to` wait
};

class Order {
 public:
  // What follows is of this instruction.
  void at(InstrIndex i) { now_ = i; }
  InstrIndex now() const { return now_; }

  Event add() { return blocks_.add(); }
  void before(Event u, Event v, int weight = 0) { edges_.push_back({u, v, weight, now_}); }
  // One event from now on.
  void identify(Event u, Event v) { identities_.push_back({u, v, 0, now_}); }
  // Events that lie in one iteration: whatever delays one by an iteration delays the other.
  void together(Event u, Event v) { blocks_.join(u, v); }

  const std::vector<Edge>& edges() const { return edges_; }
  const std::vector<Edge>& identities() const { return identities_; }
  const Classes<Event>& blocks() const { return blocks_; }

 private:
  InstrIndex now_;
  Classes<Event> blocks_;
  std::vector<Edge> edges_, identities_;
};

// All that is traversed in lockstep within an iteration of the loop around it.
struct Traversal {
  struct Seam {
    Event end, start;  // of two traversals inside, one of which follows the other
  };
  Event start;  // it starts
  Event ready;  // values that every element needs are there
  Event end;    // the last element has passed
  std::vector<Seam> seams;
  std::vector<TraversalId> inner;  // traversals that lie inside
};

// No event of `to` may wait for one of `from`.
struct Forbidden {
  std::vector<Event> from, to;
  InstrIndex instr;
};

class Traversals {
 public:
  explicit Traversals(Order& order) : order_(order) {}
  Traversals(const Traversals&) = delete;
  Traversals& operator=(const Traversals&) = delete;

  TraversalId add();
  const Traversal& operator[](TraversalId t) const { return all_[lockstep_.find(t)]; }
  const Numbered<TraversalId, Traversal>& all() const { return all_; }  // as they were added, before any merge
  TraversalId find(TraversalId t) const { return lockstep_.find(t); }

  // One traversal from now on, side by side: no part of one may wait for a part of the other, since they may lie beside
  // each other in any way.
  void merge(TraversalId a, TraversalId b);
  bool merged(TraversalId a, TraversalId b) const { return lockstep_.same(a, b); }

  // The inner begins and ends within the outer; the second begins after the first ends, both inside.
  void contain(TraversalId outer, TraversalId inner);
  void follow(TraversalId outer, TraversalId first, TraversalId second);
  // In one iteration of what is around both.
  void beside(TraversalId a, TraversalId b);
  bool together(TraversalId a, TraversalId b) const { return together_.same(a, b); }

  // Pieces are iterations of the traversal that they cut up: nothing makes them later.
  void cut_up(TraversalId pieces) { pieces_.push_back(pieces); }
  const std::vector<TraversalId>& pieces() const { return pieces_; }
  const std::vector<Forbidden>& forbidden() const { return forbidden_; }

  // What is in the first of a segment (`the`) is gone through within the segment, so not after it.
  void first_of(TraversalId inside, TraversalId segment) { first_of_.insert_or_assign(inside, segment); }
  std::optional<TraversalId> segment_of(TraversalId inside) const;

 private:
  std::vector<Traversal::Seam> seams_of(TraversalId t) const;

  Order& order_;
  Numbered<TraversalId, Traversal> all_;
  Classes<TraversalId> lockstep_, together_;
  std::vector<TraversalId> pieces_;
  std::vector<Forbidden> forbidden_;
  std::map<TraversalId, TraversalId> first_of_;
};

// A stream's elements, from the event `since`, are in its buffer until the event `until`; without `since`, from the
// beginning of the program.
struct Use {
  InstrIndex stream;
  std::optional<Event> since;
  Event until;
};

}  // namespace lockstep::streaming
