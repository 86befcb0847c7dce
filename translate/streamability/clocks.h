// Clocks, and when two are one. In: clocks as instructions make them, and predicates by what picks; out: which are the
// same, and which have one element for each of another. What a clock is: semantics/snesl/README.md, "Clocks and lags".
#pragma once
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "semantics/core/diagnostic.h"
#include "translate/streamability/index.h"

namespace lockstep::streaming {

// Streams of flags with one key are equal, or negations of each other.
struct Predicate {
  ValueId key;
  bool positive = true;
  friend auto operator<=>(const Predicate&, const Predicate&) = default;
  Predicate operator!() const { return {key, !positive}; }
};

// What is known of predicates: a constant, or the parts that a sequence of flags is made of.
class Predicates {
 public:
  void set_constant(Predicate p, bool value) { constants_[p.key] = value == p.positive; }
  std::optional<bool> constant(Predicate p) const;

  struct Part {
    Predicate predicate;
    ClockId clock;
  };
  void set_parts(ValueId key, std::vector<Part> parts) { parts_.emplace(key, std::move(parts)); }
  // Whether p is constant in each part of the sequence whose elements a clock counts; the parts, and in which it holds.
  struct ConstantParts {
    std::vector<ClockId> holds, all;
  };
  bool constant_in_parts(Predicate p, ClockId sequence, ConstantParts& found) const;

 private:
  std::map<ValueId, bool> constants_;
  std::map<ValueId, std::vector<Part>> parts_;
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
  struct Around {  // a traversal in each element of `parent`
    ClockId parent;
    TraversalId traversal;
  };
  struct Traversed {  // what counts the elements of a traversal
    ClockId clock;
    TraversalId traversal;
  };
  Kind kind{};
  std::optional<ClockId> base, parent;
  Predicate predicate;  // of Part
  std::vector<Traversed> parts;
  InstrIndex begins;
  std::vector<Around> traversed;    // where its elements are gone through
  std::optional<Around> single_in;  // has exactly one element in each of these traversals
  bool stands_for_parent = false;   // that element is meant for the parent's (`the`)
};

constexpr ClockId root_clock{0};

class Clocks {
 public:
  explicit Clocks(const Predicates& predicates);

  // What follows begins at this instruction.
  void at(InstrIndex i) { now_ = i; }

  ClockId add(Clock c);
  ClockId part(ClockId base, Predicate p);  // those of `base` where p
  void name_part(Predicate p, ClockId c) { parts_.try_emplace(p, c); }
  Clock& operator[](ClockId c) { return all_[find(c)]; }
  const Clock& operator[](ClockId c) const { return all_[find(c)]; }
  ClockId find(ClockId c) const {
    if (c.number() >= classes_.size()) throw Bug("a stream without a clock");
    return classes_.find(c);
  }
  std::size_t size() const { return all_.size(); }

  bool same(ClockId a, ClockId b);
  bool alike(ClockId a, ClockId b);  // one clock, or one has exactly one element for each of the other
  // One clock from now on: what is known of either is known of both.
  void unite(ClockId kept, ClockId gone);

  // Whether each element of `outer` has exactly one of `inner`, and the traversals around that one, from the inside
  // out.
  struct Nesting {
    bool holds = false;
    std::vector<TraversalId> traversals;
    explicit operator bool() const { return holds; }
  };
  Nesting single_within(ClockId inner, ClockId outer) {
    return single_within_any(inner, [&](ClockId around) { return same(around, outer); });
  }
  template <class IsOuter>
  Nesting single_within_any(ClockId inner, IsOuter is_outer);

  // The clock and those that it is a part of, each a part of the next.
  std::vector<ClockId> picked_from(ClockId c) const;
  // What is picked from a sequence where that is its first part, as `!f` picks s in f = {false : _ in s} ++ {true};
  // else the clock itself.
  ClockId first_part(ClockId c) const;
  // The traversal around what the clock counts in which an element of the parent is the same: none where the clock
  // itself counts the parent's elements, or some of them.
  std::optional<TraversalId> traversal_within(ClockId c, ClockId parent);
  // The instruction where the traversal of a clock begins.
  InstrIndex origin(ClockId c) const;

 private:
  void join(ClockId kept, ClockId gone);

  const Predicates& predicates_;
  InstrIndex now_;
  Numbered<ClockId, Clock> all_;
  Classes<ClockId> classes_;
  std::map<Predicate, ClockId> parts_;
  std::set<std::pair<ClockId, ClockId>> compared_;  // and found to differ, or being compared
};

template <class IsOuter>
Clocks::Nesting Clocks::single_within_any(ClockId inner, IsOuter is_outer) {
  Nesting nesting;
  std::set<ClockId> seen;  // merged traversals of one element each may stand around one another
  for (ClockId c = inner; (*this)[c].single_in && seen.insert(find(c)).second; c = (*this)[c].single_in->parent) {
    nesting.traversals.push_back((*this)[c].single_in->traversal);
    nesting.holds = is_outer((*this)[c].single_in->parent);
    if (nesting.holds) break;
  }
  return nesting;
}

}  // namespace lockstep::streaming
