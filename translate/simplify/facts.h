// What is known of the streams of an SVCODE program for all its inputs (SNESL §4.3.1): lengths, values, numbers of
// segments, and segments that all have one length. Forward over the program: each definition adds what follows from its
// arguments.
#pragma once
#include <map>
#include <optional>
#include <set>

#include "semantics/svcode/instruction.h"
#include "translate/simplify/gates.h"
#include "translate/simplify/numbers.h"
#include "translate/simplify/rewrite.h"

namespace lockstep::streaming {

// Whether an Int is the polynomial that names it (numbers.h) as it stands, or modulo 2^64, since sums and products
// wrap. A wrapped sum of two lengths is negative, which a length is not.
enum class Exact : unsigned char { No, IfNatural, Yes };

struct Fact {
  int content = 0;             // streams with one number have the same elements
  int length = 0;              // streams with one number have the same length
  int trues = 0;               // of S Bool: likewise for the number of true elements, the segments of a descriptor
  int children = 0;            // of a descriptor: likewise for the number of elements in all its segments
  std::optional<int> each;     // all elements are one value, and streams with one number have the same one
  Exact exact = Exact::No;     // of S Int with `each`
  std::optional<int> uniform;  // of a descriptor: the number of elements that each segment has
  std::optional<int> below;    // of S Int: the elements are less than this number
  std::optional<svcode::Atom> value;    // of every element
  std::optional<std::int64_t> segment;  // of a descriptor: `uniform`, where it is a number known now
  bool natural = false;                 // no element is negative
  int gates = 0;                        // the checks that must have passed, those that are known to pass apart (Gates)
};

class Facts {
 public:
  explicit Facts(const std::vector<snesl::Type>& parameters);
  // Learns what the next instruction defines; streams are numbered from 0 in this order.
  void add(const svcode::Instr& i);
  // Takes back the last definition.
  void forget() { facts_.pop_back(), instructions_.pop_back(); }
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
  // The checks that must have passed before the instruction's elements are there; whether what takes its place waits
  // for all of these.
  int gates_of(const svcode::Instr& i);
  bool waits_for(int gates, const Rewritten& now) const;
  // A stream at hand that has as many elements as the instruction's, of which the value is known.
  std::optional<svcode::StreamId> as_long_as(const svcode::Instr& i, const svcode::Atom& value) const;

 private:
  using Key = Numbers::Key;
  // The first number of a key, which says what is named.
  enum Kind : std::int64_t { Same, Repeated, Value, Single, Mapped, Empty, Folded, Gathered, Counted, Sum, Trues };
  void number_inputs(const snesl::Type& t, bool alone, std::int64_t& next);
  std::optional<std::int64_t> constant(int n) const { return numbers_.constant(n); }
  int exactly(std::int64_t n) { return numbers_.exactly(n); }
  int named(const svcode::Atom& a);
  int mapped(const svcode::Instr& i, const std::vector<int>& operands);
  static const svcode::OpcodeRow& row(const svcode::Instr& i) { return svcode::row_of(i.opcode); }
  static bool has_atom(const svcode::Instr& i) {
    return row(i).extra == svcode::Extra::Atom || row(i).extra == svcode::Extra::Repeated;
  }
  // What a law says, and one term of it.
  int number_of(const svcode::Law& law, const svcode::Instr& i);
  int counted(svcode::Count c, svcode::StreamId s);
  int sum_of(svcode::StreamId n, bool alone);
  std::optional<svcode::StreamId> counted_by(const svcode::Law& law, const svcode::Instr& i) const;
  // What all of these operands have, where it is the same.
  template <class T>
  std::optional<T> common(const svcode::Instr& i, svcode::OperandSet set, std::optional<T> Fact::*what) const {
    std::optional<std::optional<T>> all;
    set.visit(i.arguments.size(), [&](std::size_t k) {
      const std::optional<T>& one = of(i.arguments[k]).*what;
      all = !all || *all == one ? one : std::optional<T>();
    });
    return all.value_or(std::nullopt);
  }
  int length(const svcode::Instr& i, const Fact& known);
  int content(const svcode::Instr& i);
  int trues(const svcode::Instr& i, const Fact& known);
  int children(const svcode::Instr& i, const Fact& known);
  bool is_descriptor(const svcode::Instr& i) const;
  std::optional<int> uniform(const svcode::Instr& i, const Fact& known);
  std::optional<int> numbered(const svcode::Instr& i);
  std::optional<int> kept(const svcode::Instr& i);
  std::optional<int> appended(const svcode::Instr& i);
  std::optional<int> side_by_side(const svcode::Instr& i);
  std::optional<int> parted(const svcode::Instr& i);
  std::optional<int> each(const svcode::Instr& i, const Fact& known);
  Exact exactness(const svcode::Instr& i, const Fact& known) const;
  std::optional<int> count_of(const Fact& n);
  bool natural(const svcode::Instr& i, const Fact& known) const;
  std::optional<int> below(const svcode::Instr& i, const Fact& known);
  std::optional<svcode::Atom> value(const svcode::Instr& i);

  // What is known of elements by the rule that they follow (ElementRule), each where there is something to know.
  struct ElementFacts {
    std::optional<svcode::Atom> (Facts::*value)(const svcode::Instr& i) = nullptr;
    std::optional<int> (Facts::*each)(const svcode::Instr& i) = nullptr;
    bool (Facts::*natural)(const svcode::Instr& i) const = nullptr;
    std::optional<int> (Facts::*below)(const svcode::Instr& i, const Fact& known) = nullptr;
  };
  static const ElementFacts& facts_of(svcode::ElementRule r);
  std::optional<svcode::Atom> taken_value(const svcode::Instr& i);
  std::optional<int> taken_each(const svcode::Instr& i);
  bool taken_natural(const svcode::Instr& i) const;
  std::optional<int> taken_below(const svcode::Instr& i, const Fact& known);
  std::optional<svcode::Atom> map_value(const svcode::Instr& i);
  std::optional<int> map_each(const svcode::Instr& i);
  bool map_natural(const svcode::Instr& i) const;
  std::optional<int> map_below(const svcode::Instr& i, const Fact& known);
  std::optional<svcode::Atom> less(const svcode::Instr& i, bool never);
  std::optional<int> gathered_each(const svcode::Instr& i);
  std::optional<svcode::Atom> lengths_value(const svcode::Instr& i);
  std::optional<int> lengths_each(const svcode::Instr& i);
  std::optional<svcode::Atom> emptiness_value(const svcode::Instr& i);
  std::optional<int> emptiness_each(const svcode::Instr& i);
  std::optional<svcode::Atom> last_flags_value(const svcode::Instr& i);
  std::optional<svcode::Atom> positions_value(const svcode::Instr& i);
  std::optional<int> positions_below(const svcode::Instr& i, const Fact& known);
  std::optional<int> numbers_below(const svcode::Instr& i, const Fact& known);
  std::optional<svcode::Atom> folds_value(const svcode::Instr& i);
  std::optional<int> folds_each(const svcode::Instr& i);
  std::optional<svcode::Atom> fold_value(const svcode::Instr& i);
  std::optional<int> fold_each(const svcode::Instr& i);
  std::optional<svcode::Atom> prefixes_value(const svcode::Instr& i);
  std::optional<svcode::Atom> unary_value(const svcode::Instr& i);
  bool always(const svcode::Instr&) const { return true; }
  // What the operator is on its operands' type, where it is one operation.
  std::optional<scalars::Operation> operation_of(const svcode::Instr& i) const {
    return snesl::operation_of(i.op(), definition(i.arguments.back()).type);
  }
  bool never_empty(svcode::StreamId f) const;
  bool at_most_one(svcode::StreamId f) const;

  std::set<std::int64_t> natural_inputs_;     // starts and lengths of vectors
  std::set<std::int64_t> single_inputs_;      // of one element
  std::set<std::int64_t> descriptor_inputs_;  // of parameters that are sequences: one segment
  std::vector<svcode::Instr> instructions_;
  std::vector<Fact> facts_;
  Numbers numbers_;
  Gates gates_;
};

}  // namespace lockstep::streaming
