// T2 reduction of the dependency graph (Henriksen, Oancea, §3.2 and 3.3, Fig. 10 to 13; l0.md §2 with its amendments):
// an array operation is merged into those that go over what it makes, where that repeats no work and reads nothing
// after it was consumed. One pass over a program, from the back to the front.
#pragma once
#include <memory>
#include <optional>
#include <string_view>

#include "translate/fusion/graph.h"

namespace lockstep::fusion {

// Why a producer stays (Fig. 9, Case 1 to 6; l0.md §2, conditions (5) to (7)).
enum class Case : unsigned char {
  Consumed,     // 1: what it reads is consumed before the consumer
  Combination,  // 2: the two are fused by no rule of theirs
  Repeated,     // 3: the consumer stands in a function or a loop, the producer outside
  SamePath,     // 4: two consumers on one path
  OtherUse,     // 5: it is used otherwise than by array operations
  Siblings,     // 6: two arrays of one producer go into two consumers
  RowConsumed,  // (5)
  LostCheck,    // (6)
  LengthAsked,  // (7)
  Viewed,       // a view that no rule moves stands between them (.dpia)
  NoRule        // the kind of one of the two has no rules at all
};
struct Obstacle {
  Case why;
  Region at{};  // of the use, or the consumption, that is in the way
};

// What was decided of a producer and an operation that goes over what it makes; kernels by the statement where they
// stand.
struct Verdict {
  StatementId producer, consumer;
  std::string_view rule{};             // by which it was fused; "" where it was not
  std::optional<Obstacle> obstacle{};  // where it was not
  bool interesting = false;  // Fig. 18: more uses of what the producer makes, repeats counted, than it makes arrays
};

// What a language knows of its own operations. A kernel is the statement that it began as, with what was merged into
// it.
class Algebra {
 public:
  virtual ~Algebra() = default;
  // The row of the table (Fig. 14) for the kernel as it stands; where there is none, "" and Combination or NoRule.
  struct Rule {
    std::string_view name;
    Case none = Case::Combination;
  };
  virtual Rule rule(StatementId producer, StatementId kernel) = 0;
  // Conditions (5) to (7), and what else the language has to say.
  virtual std::optional<Obstacle> obstacle(StatementId producer, StatementId kernel) = 0;
  // Whether what it makes is as long as what it goes over.
  virtual bool keeps_length(StatementId producer) = 0;
  // So many of the kernel's inputs are what the producer makes.
  virtual std::size_t inputs_from(StatementId producer, StatementId kernel) = 0;
  // What stands in the bodies of this combinator is decided; it is one that others may be merged into.
  virtual void begin(StatementId kernel) = 0;
  // It is merged into each; what asks for a length of its outputs asks that of `instead`, one of its inputs (none where
  // nothing asks).
  virtual void merge(StatementId producer, const std::vector<StatementId>& kernels, Name instead) = 0;
  // The same of Copies, into one; and when nothing but lengths is asked of it any more.
  virtual void merge_copies(StatementId copies, StatementId kernel) = 0;
  virtual void remove_copies(StatementId copies) = 0;
};

// When two kernels that go over one array share a path (Fig. 13, in2_kers). Printed: where they are two, and one of
// them is no consumer of the operation that is looked at; so that what goes into a branch, and by way of another
// operation into the other, stays. Alternatives (ours): where no `if` has them in two of its branches.
enum class Paths : unsigned char { Printed, Alternatives };

// What fusion is made of, where it is to be another: the graph that is decided on, and the algebra.
struct Parts {
  std::function<Graph(const Graph&)> graph{};
  std::function<std::unique_ptr<Algebra>(Algebra&, const Graph&)> algebra{};
};

// An algebra that asks another, to be one with a difference.
class SameAlgebra : public Algebra {
 public:
  SameAlgebra(Algebra& right, const Graph& graph) : right_(right), graph_(graph) {}
  Rule rule(StatementId p, StatementId k) override { return right_.rule(p, k); }
  std::optional<Obstacle> obstacle(StatementId p, StatementId k) override { return right_.obstacle(p, k); }
  bool keeps_length(StatementId p) override { return right_.keeps_length(p); }
  std::size_t inputs_from(StatementId p, StatementId k) override { return right_.inputs_from(p, k); }
  void begin(StatementId k) override { right_.begin(k); }
  void merge(StatementId p, const std::vector<StatementId>& kernels, Name instead) override {
    right_.merge(p, kernels, instead);
  }
  void merge_copies(StatementId c, StatementId k) override { right_.merge_copies(c, k); }
  void remove_copies(StatementId c) override { right_.remove_copies(c); }

 protected:
  Algebra& right_;
  const Graph& graph_;
};

// For which this stands against nothing.
class WithoutCase : public SameAlgebra {
 public:
  WithoutCase(Algebra& right, const Graph& graph, Case why) : SameAlgebra(right, graph), why_(why) {}
  std::optional<Obstacle> obstacle(StatementId p, StatementId k) override {
    auto found = right_.obstacle(p, k);
    return found && found->why == why_ ? std::nullopt : found;
  }

 private:
  const Case why_;
};

// Decides for what stands in these blocks, of which none stands in another.
std::vector<Verdict> reduce(const Graph& graph, Algebra& algebra, const std::vector<BlockId>& blocks, Paths paths);

}  // namespace lockstep::fusion
