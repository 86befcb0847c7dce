// What is said of an opcode once, as data, and read by the check, both interpreters, the analyses and the text: the
// rows are in opcodes.h.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

#include "semantics/svcode/program.h"

namespace lockstep::svcode {

// What an instruction has beside its streams, `rep 'c' s1`, `map_add s1 s2`, `check s1 s2 "&" "text"`: which of the
// payloads.
enum class Extra : unsigned char { None, Number, Atom, Repeated, Operator, Comparison, Monoid, Failure };
template <Extra e>
using PayloadOf = std::variant_alternative_t<static_cast<std::size_t>(e), Payload>;
static_assert(std::is_same_v<PayloadOf<Extra::None>, std::monostate> &&
              std::is_same_v<PayloadOf<Extra::Number>, Number>);
static_assert(std::is_same_v<PayloadOf<Extra::Atom>, Atom> && std::is_same_v<PayloadOf<Extra::Repeated>, Repeated>);
static_assert(std::is_same_v<PayloadOf<Extra::Operator>, OperatorRef>);
static_assert(std::is_same_v<PayloadOf<Extra::Comparison>, Comparison>);
static_assert(std::is_same_v<PayloadOf<Extra::Monoid>, Monoid> && std::is_same_v<PayloadOf<Extra::Failure>, Failure>);
static_assert(std::variant_size_v<Payload> == static_cast<std::size_t>(Extra::Failure) + 1);

// Of what type elements are: a given one, the instruction's own, or any.
enum class ElementType : unsigned char { Unit, Bool, Int, Char, Own, Any };
// How an operand is read: an element at a time; by the segments that its flags end; at places, in memory.
enum class Role : unsigned char { Element, Descriptor, Base };
struct OperandRow {
  ElementType type = ElementType::Any;
  Role role = Role::Element;
};
// The operands in order; the last `repeating` of them any number of times, at least `least`.
struct Operands {
  std::array<OperandRow, 5> rows{};
  unsigned char count = 0, repeating = 0, least = 0;
  constexpr const OperandRow& operator[](std::size_t k) const {
    if (k >= count && repeating > 0) k = count - repeating + (k - count) % repeating;
    return rows[k < rows.size() ? k : rows.size() - 1];
  }
};
namespace rows {
template <class... Row>
constexpr Operands takes(Row... rows) {
  return {{rows...}, sizeof...(rows), 0, 0};
}
template <class... Row>
constexpr Operands groups_of(Row... rows) {
  return {{rows...}, sizeof...(rows), sizeof...(rows), 1};
}
template <class Row, class... More>
constexpr Operands two_groups_of(Row row, More... more) {
  return {{row, more...}, 1 + sizeof...(more), 1 + sizeof...(more), 2};
}
constexpr Operands takes_and_any_more(OperandRow first, OperandRow more) { return {{first, more}, 2, 1, 0}; }
}  // namespace rows

// Beside a stream being defined: nothing; a trap where the operator has one; a trap; a file.
enum class Effect : unsigned char { None, ByOperator, Fails, Files };
// The rate of what is made: that of the arguments; a traversal of its own in which the arguments are taken in turn; one
// that runs through all its elements for one element of the arguments, or without any.
enum class Pace : unsigned char { Kept, InTurn, Own };
// The rules of translate/streamability.
enum class ClockRule : unsigned char {
  Root,
  Input,
  Constant,
  Elementwise,
  Map,
  OfChildren,
  Pdist,
  Pack,
  Upack,
  B2u,
  Unpack,
  Source,
  AfterEnd,
  Lookahead,
  Ends,
  Usegsum,
  Uempty,
  Pmerge,
  Umerge,
  MergeSegments,
  Usegmerge,
  Segtab,
  Gather,
  Whole,
  OfNetworks,  // none: programs are analysed before
};

// What of a stream a piece of the root has (translate/transducers): nothing that is known, so that the whole is made at
// the end; what follows from the roles of the operands; or the opcode's own rule.
enum class PieceRule : unsigned char {
  Tail,
  ByOperands,
  Single,
  Input,
  Rep,
  Map,
  Usum,
  Pdist,
  Pmerge,
  Cons,
  Short,
  Ends,
  Segscan,
  Usegsum,
  Gather,
  Scan,
  Terminated,
};

// What the source calls a sequence that is gone through: nothing; the parameter's name; the expression.
enum class Called : unsigned char { Nothing, Parameter, Expression };

// Operands first, first + step, ...; with a step of 0 the first alone.
struct OperandSet {
  signed char first = -1;
  unsigned char step = 0;
  constexpr OperandSet() = default;
  constexpr OperandSet(int first, int step = 0)
      : first(static_cast<signed char>(first)), step(static_cast<unsigned char>(step)) {}
  constexpr bool none() const { return first < 0; }
  constexpr bool contains(std::size_t k) const {
    if (none() || k < static_cast<std::size_t>(first)) return false;
    const std::size_t after = k - static_cast<std::size_t>(first);
    return step == 0 ? after == 0 : after % step == 0;
  }
  template <class F>
  void visit(std::size_t arguments, F f) const {
    for (std::size_t k = none() ? arguments : static_cast<std::size_t>(first); k < arguments; k += step) {
      f(k);
      if (step == 0) return;
    }
  }
};
namespace rows {
constexpr OperandSet each(int first, int step) { return {first, step}; }
}  // namespace rows

// What is counted of a stream: its elements; the true ones, of a descriptor its segments; the elements of these; of
// Ints their sum; of the one Int that there is, that.
enum class Count : unsigned char { Length, Trues, Children, Sum, Only };
struct Term {
  Count count{};
  OperandSet of;
};
// A number of elements as a sum of what is counted of the operands; unknown: without a term.
struct Law {
  std::array<Term, 2> terms{};
  unsigned char count = 0;
  std::int64_t more = 0;
  bool given = false;  // the instruction's number
  constexpr bool known() const { return count > 0 || more > 0 || given; }
};
constexpr Law operator+(Law a, const Law& b) {
  for (std::size_t k = 0; k < b.count; ++k) a.terms[a.count++] = b.terms[k];
  a.more += b.more;
  return a;
}
namespace rows {
constexpr Law counting(Count c, OperandSet of) { return {{Term{c, of}}, 1, 0, false}; }
constexpr Law length_of(OperandSet of) { return counting(Count::Length, of); }
constexpr Law trues_of(OperandSet of) { return counting(Count::Trues, of); }
constexpr Law children_of(OperandSet of) { return counting(Count::Children, of); }
constexpr Law sum_of(OperandSet of) { return counting(Count::Sum, of); }
constexpr Law only_of(OperandSet of) { return counting(Count::Only, of); }
constexpr Law one{{}, 0, 1, false};
constexpr Law given_number{{}, 0, 0, true};
}  // namespace rows

// The lengths of the segments that a descriptor has.
struct SegmentRule {
  enum class Kind : unsigned char {
    Unknown,
    Numbered,    // as the operand's Ints or Bools say
    Kept,        // each is a segment of one of the operands
    Appended,    // of each the segments of the second operand that the first one counts
    SideBySide,  // of each one segment of every operand, appended
    Parted       // after each element whose flag is true
  } kind{};
  OperandSet of;
};
namespace rows {
constexpr SegmentRule numbered{SegmentRule::Kind::Numbered, 0};
constexpr SegmentRule appended{SegmentRule::Kind::Appended, each(0, 1)};
constexpr SegmentRule side_by_side{SegmentRule::Kind::SideBySide, each(0, 1)};
constexpr SegmentRule parted{SegmentRule::Kind::Parted, 0};
constexpr SegmentRule kept(OperandSet of) { return {SegmentRule::Kind::Kept, of}; }
}  // namespace rows

// What the elements are beyond those of `elements`.
enum class ElementRule : unsigned char {
  Taken,      // those of operands, and the instruction's atom; with neither, nothing is known
  Computed,   // by the operator
  Gathered,   // those of the last operand at the sums of the first two
  Lengths,    // of the operand's segments
  Emptiness,  // of the operand's segments
  LastFlags,  // true at the last of each segment
  Positions,  // in each segment
  Numbers,    // 0, 1, ...
  Folds,      // of the segments of the second operand
  Fold,
  Prefixes,  // of folds
  Unary,     // flags of unary numbers
};
// Of what the elements are a function: the opcode with all that it has; what is outside the program; those of the first
// operand as they are; the first operand's length.
enum class Content : unsigned char { Function, Outside, Same, OfLength };

struct Eager;
struct Transducer;
enum class Step : unsigned char;
struct Ahead;

// The name in a form: "map" of "map_op s1 ... sk", "segscan" of "segscan_R s e".
constexpr std::string_view name_in(std::string_view form) {
  const std::string_view word = form.substr(0, form.find(' '));
  for (const std::string_view suffix : {"_op", "_R"})
    if (word.ends_with(suffix)) return word.substr(0, word.size() - suffix.size());
  return word;
}

struct OpcodeRow {
  Opcode opcode;
  std::string_view name;
  std::string_view form;     // with a name for each thing that it takes: "pdist s f"
  std::string_view meaning;  // in these names, for readers
  bool fused = false;        // several in one, of networks of transducers only
  Extra extra = Extra::None;
  Operands operands{};
  ElementType gives;
  bool in_memory = false;  // what is made stays a group at a time, so that it may be a Base
  Effect effect = Effect::None;
  Pace pace = Pace::Kept;
  ClockRule clock;
  PieceRule pieces = PieceRule::Tail;
  Called called = Called::Nothing;
  OperandSet counted{};  // the operands of which a kernel reads constants where it is only known how many there are
  Law length{};          // unknown where segments have lengths of their own, or it comes from outside
  Law trues{};           // of a descriptor: its segments
  Law children{};        // of a descriptor, where they are known otherwise than as the length less the segments
  Law from_base{};       // how many elements of the base are read
  SegmentRule segments{};
  OperandSet elements{};  // the operands among whose elements they are
  ElementRule rule = ElementRule::Taken;
  Content content = Content::Function;
  std::optional<Opcode> undoes{};   // of an operand made so, it gives what that was made of
  Stream (*eager)(const Eager& e);  // eager_streams.h
  Step (*step)(Transducer& t);      // chunked_network.h
  std::optional<Ahead> (*ahead)(const Transducer& t) = nullptr;  // of starts: what all to come are at least
};

}  // namespace lockstep::svcode
