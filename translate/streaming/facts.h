// What is known of the streams of an SVCODE program for all its inputs (SNESL §4.3.1): lengths, values, numbers of
// segments. Forward over the program: each definition adds what follows from its arguments.
#pragma once
#include <map>
#include <optional>
#include <set>

#include "semantics/svcode/program.h"

namespace lockstep::streaming {

struct Fact {
  int content = 0;   // streams with one number have the same elements
  int length = 0;    // streams with one number have the same length
  int trues = 0;     // of S Bool: likewise for the number of true elements, the segments of a descriptor
  int children = 0;  // of a descriptor: likewise for the number of elements in all its segments
  std::optional<svcode::Atom> value;    // of every element
  std::optional<std::int64_t> segment;  // of a descriptor: how many elements each segment has
  bool natural = false;                 // no element is negative
  bool after_check = false;             // a constant in itself, which is there so that a check comes first
};

class Facts {
 public:
  explicit Facts(const std::vector<snesl::Type>& parameters);
  // Learns what the next instruction defines; streams are numbered from 0 in this order.
  void add(const svcode::Instr& i);
  const Fact& of(svcode::StreamId s) const { return facts_[s]; }
  const svcode::Instr& definition(svcode::StreamId s) const { return instructions_[s]; }
  // The length or the number of true elements that is a number known now.
  std::optional<std::int64_t> number(int count) const;
  std::optional<std::int64_t> length_of(svcode::StreamId s) const { return number(of(s).length); }
  bool is(svcode::StreamId s, const svcode::Atom& a) const { return of(s).value && *of(s).value == a; }
  // b1 is the negation of b2.
  bool complementary(svcode::StreamId b1, svcode::StreamId b2) const;
  // A stream with one element for each segment of the descriptor, where one is at hand.
  std::optional<svcode::StreamId> parent_of(svcode::StreamId f) const;

 private:
  using Key = std::vector<std::int64_t>;
  int numbered(Key key);
  int count(std::optional<std::int64_t> n, Key otherwise);
  int exactly(std::int64_t n) { return count(n, {}); }
  int children(const svcode::Instr& i, const Fact& known);
  int content(const svcode::Instr& i, int length);
  int length(const svcode::Instr& i);
  int trues(const svcode::Instr& i, const Fact& known);
  std::optional<svcode::Atom> value(const svcode::Instr& i) const;
  std::optional<svcode::Atom> map_value(const svcode::Instr& i) const;
  bool never_empty(svcode::StreamId f) const;
  std::optional<std::int64_t> segment(const svcode::Instr& i) const;
  bool natural(const svcode::Instr& i, const Fact& known) const;

  std::set<std::int64_t> natural_inputs_;     // starts and lengths of vectors
  std::set<std::int64_t> descriptor_inputs_;  // of parameters that are sequences: one segment
  std::vector<svcode::Instr> instructions_;
  std::vector<Fact> facts_;
  std::map<Key, int> numbers_;
  std::map<int, std::int64_t> known_;
};

}  // namespace lockstep::streaming
