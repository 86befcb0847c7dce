// Terms: what every prover here writes its questions in, without a solver. A term is an operation over terms, immutable
// and shared. What the solvers are given for each operation is the table in operations.h.
#pragma once
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::proofs::smt {

// Element: an element of some data type, of which nothing is known but equality. Store: from places (Int) to the sort
// of what a place holds. Bits and Float: of a machine's width.
struct Sort {
  enum Kind { Bool, Int, Real, Element, ElementStore, IntStore, Bits, Float } kind = Int;
  int width = 0;
  friend auto operator<=>(const Sort&, const Sort&) = default;
};
inline constexpr Sort boolean{Sort::Bool}, integer{Sort::Int}, real{Sort::Real}, element_sort{Sort::Element},
    element_store{Sort::ElementStore}, integer_store{Sort::IntStore};
inline Sort bits(int width) { return {Sort::Bits, width}; }
inline Sort floating(int width) { return {Sort::Float, width}; }

enum class TermOp {
  Name,    // a free or bound name
  Number,  // of sort Int, Real (a whole one) or Bits; of sort Float: the IEEE bits
  Truth,   // number: 0 or 1
  Call,    // of an unknown function, `name`
  ForAll,  // over the Names before the last argument, the body
  // On Int: the floor division and its remainder, both by a divisor of at least one.
  Divide,
  Modulo,
  // On Int and Real.
  Add,
  Subtract,
  Multiply,
  Less,
  LessEqual,
  // On any sort. Equality of floats is identity: one NaN, two zeros.
  Equal,
  If,
  Not,
  And,
  Or,
  Implies,
  Select,
  Store,
  // On Bits; shifts by an amount below the width.
  BitAdd,
  BitSubtract,
  BitMultiply,
  DivideUnsigned,
  DivideSigned,
  ModuloUnsigned,
  ModuloSigned,
  BitNegate,
  BitAnd,
  BitOr,
  BitXor,
  ShiftLeft,
  ShiftRightLogical,
  ShiftRightArithmetic,
  LessUnsigned,
  LessSigned,
  ZeroExtend,
  SignExtend,
  Truncate,  // to the sort's width
  // On Float, to the nearest, ties to even; comparisons as IEEE.
  FloatAdd,
  FloatSubtract,
  FloatMultiply,
  FloatDivide,
  FloatNegate,
  FloatAbs,
  FloatSqrt,
  FloatFma,
  FloatFloor,
  FloatCeil,
  FloatEqual,
  FloatLess,
  FloatLessEqual,
  FloatIsNan,
  FloatOfSigned,
  FloatOfUnsigned,
  FloatOfFloat,  // conversions to the sort's width
};

struct Term {
  TermOp op;
  Sort sort;
  std::string name{};
  std::uint64_t number = 0;
  std::shared_ptr<const std::vector<Term>> arguments{};
  const Term& at(std::size_t k) const { return arguments->at(k); }
  friend std::weak_ordering operator<=>(const Term& a, const Term& b);  // of their form; what is shared is not compared
};

Term make(TermOp op, Sort sort, std::vector<Term> arguments);
Term name(std::string n, Sort sort = integer);
Term number(std::int64_t n);
Term number(Sort sort, std::uint64_t value);
Term truth(bool b);
Term call(std::string function, Sort sort, std::vector<Term> arguments);
Term operator+(const Term& a, const Term& b);
Term operator-(const Term& a, const Term& b);
Term operator*(const Term& a, const Term& b);
Term quotient(const Term& a, const Term& b);
Term remainder(const Term& a, const Term& b);
Term less(const Term& a, const Term& b);
Term at_most(const Term& a, const Term& b);
Term within(const Term& i, const Term& n);  // 0 <= i < n
Term equal(const Term& a, const Term& b);
Term unequal(const Term& a, const Term& b);
Term negation(const Term& a);
Term all_of(std::vector<Term> terms);  // of none: true
Term any_of(std::vector<Term> terms);  // of none: false
Term implies(const Term& a, const Term& b);
Term choose(const Term& condition, const Term& a, const Term& b);
Term select(const Term& store, const Term& place);
Term store(const Term& s, const Term& place, const Term& value);
Term for_all(std::vector<Term> names, Term body);

bool is_truth(const Term& t, bool b);
// The free names, each of one sort.
std::map<std::string, Term> names_in(const std::vector<Term>& terms);
// Free names. A bound one is a Bug, and so is one that what is put in has free.
Term substitute(const Term& t, const std::map<std::string, Term>& by);

// The value of a term of sort Int or Bool over Int, Bool and Call: `function` gives the value of a call. A free name
// without a value is a Bug.
using CallValue = std::function<std::int64_t(const std::string& function, const std::vector<std::int64_t>& arguments)>;
std::int64_t evaluate(const Term& t, const std::map<std::string, std::int64_t>& names, const CallValue& function);

}  // namespace lockstep::proofs::smt
