// The pass over a program that gives each stream its clock and collects what waits for what: each instruction's rule
// (rules.h) writes into the parts below. Throws a DifferentPaces where two clocks cannot be used together.
#pragma once
#include <map>
#include <vector>

#include "semantics/svcode/rows.h"
#include "translate/streamability/meet.h"
#include "translate/streamability/solve.h"

namespace lockstep::streaming {

// Equal streams are found by what they are computed from, in numbers of equal values before.
class Values {
 public:
  ValueId of(std::vector<std::int64_t> key) {
    return numbers_.try_emplace(std::move(key), ValueId(numbers_.size())).first->second;
  }

 private:
  std::map<std::vector<std::int64_t>, ValueId> numbers_;
};

// What a predicate picks is known at the end of a piece, where the predicate is what ends pieces.
class PieceEnds {
 public:
  PieceEnds(Order& order, const Traversals& traversals) : order_(order), traversals_(traversals) {}
  void cut(Predicate ends, TraversalId pieces);
  void pick(Predicate p, Event picked);

 private:
  Order& order_;
  const Traversals& traversals_;
  std::map<Predicate, std::vector<TraversalId>> cuts_;
  std::map<Predicate, std::vector<Event>> picked_;
};

struct ParameterLeaf {
  ClockId clock;
  std::optional<Descriptor> descriptor;
};

struct Analysis : Loops {
  explicit Analysis(const svcode::Program& p, svcode::Rows rows = {}) : program(p), rows(rows) {}

  const svcode::Program& program;
  const svcode::Rows rows;
  Streams streams{program};
  Values values;
  std::vector<Use> uses;
  std::vector<ParameterLeaf> leaves;
  PieceEnds piece_ends{order, traversals};
  std::map<Predicate, Descriptor> flags;                            // streams of flags that are used as descriptors
  std::map<ClockId, std::vector<Event>> counting;                   // the descriptors that count a clock's elements
  std::map<std::vector<ValueId>, Clock::Traversed> concatenations;  // by the values of what is concatenated
  std::map<ValueId, TraversalId> flattened;  // of segments of one element: by the value of all their elements' segments
};

// Every instruction's constraints.
void constrain(Analysis& a);
// The slack of each instruction's buffer, or why there is none.
tl::expected<std::vector<std::int64_t>, Conflict> slack_of(Analysis& a);
// The number of what an instruction gives, by what it computes from what.
ValueId value_of(Analysis& a, const Instr& i);

}  // namespace lockstep::streaming
