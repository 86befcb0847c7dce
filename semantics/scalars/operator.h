// A scalar operator: a row {operands, meaning over every number domain, definition, guard, laws}, the same for every
// language that has it. The families are a file each; operators() lists all rows.
#pragma once
#include <algorithm>
#include <functional>
#include <optional>
#include <span>

#include "semantics/core/diagnostic.h"
#include "semantics/core/required.h"
#include "semantics/scalars/definition.h"

namespace lockstep {

enum class Operands { Numeric, Float, Integer, Bool, Any, Words };  // which scalar types; words: u32 and u64
struct Laws {
  bool associative = false, commutative = false;  // on integers and booleans; on floats "up to rounding"
  std::optional<std::int64_t> identity{};
  bool idempotent = false;  // of x and x it is x
};
enum class OnReals { Unknown, Exact, Sum, Product };  // an operator on floats: what it is on the reals, unrounded
struct Compares {
  Comparison relation;
  bool swapped = false;  // x > y is y < x
};
struct ScalarOp {
  std::string name{}, summary{};
  std::string word{};  // where the name is no identifier: add of +
  Required<int> arity;
  Operands operands = Operands::Numeric;
  bool chooses = false;               // the first operand is a bool, the others are of one type
  bool bools = false;                 // beside integers
  bool gives_bool = false;            // comparisons; otherwise the operands' type
  std::optional<ScalarType> gives{};  // conversions
  bool gives_bits = false;            // the word of as many bits as a float has, or the float of a word
  // Arguments of scalar type t. May throw TrapSignal (division by zero), whose region the caller fills in.
  Required<std::function<Scalar(const Domain&, ScalarType t, std::span<const Scalar>)>> meaning;
  // The same in operations of machines and solvers, on arguments of type t: what texts and terms are made of.
  Required<std::function<scalars::Definition(ScalarType t)>> definition;
  Laws laws{};
  // When it can trap: the condition under which it does not, over the arguments, and the message ({0} the first
  // argument, ...), which shows arguments of these numbers. Nothing: never traps at t.
  struct Guard {
    scalars::Definition ok;
    std::string message;
    std::vector<std::size_t> shown;
  };
  std::function<std::optional<Guard>(ScalarType t)> guard{};
  bool can_trap(ScalarType t) const { return guard && guard(t); }
  bool takes(ScalarType t) const;
  ScalarType result(ScalarType t) const;                               // of arguments of type t
  bool keeps() const { return !gives && !gives_bool && !gives_bits; }  // the operands' type
  std::vector<ScalarType> types() const;                               // that it takes
  const std::string& identifier() const { return word.empty() ? name : word; }
  // Of two bools: where the first has this value it is the result, and the second is not evaluated; elsewhere the
  // second is the result. Nothing: all operands are evaluated.
  std::optional<bool> decided_by{};
  bool negates = false;  // of one bool, the other
  std::optional<Compares> compares{};
  OnReals on_reals = OnReals::Unknown;
  char on_sizes = 0;   // on i64, the operation of this symbol on sizes (core/size.h)
  std::string sign{};  // stands before its operand in a program, where the name does not: -x of neg
};

namespace scalars {

const std::vector<ScalarOp>& operators();
const ScalarOp& operator_named(std::string_view name);  // a Bug where there is none
// The second operand where the first is true, else the third: both are evaluated. Not among operators(), whose operands
// are of one type.
const ScalarOp& choice();

template <std::size_t size>
struct Name {
  constexpr Name(const char (&literal)[size]) { std::copy_n(literal, size, text); }
  char text[size];
};
// The row of this name, for a translation that makes it or looks for it.
template <Name name>
const ScalarOp* row() {
  static const ScalarOp* const found = &operator_named(name.text);
  return found;
}

// The operation that an operator of operators() is on t, of all its operands in their order; nothing where it is more
// than one, or none.
std::optional<Operation> operation_of(const ScalarOp& op, ScalarType t);

// Why updates x := op(y, x) on scalars of type t, by y1, y2, ..., do not give one result in whatever order they come;
// nothing where they do. Of integers, and of operators that are exact, never trap, associate and commute.
std::optional<std::string> why_ordered(const ScalarOp& op, ScalarType t);

// The families.
std::vector<ScalarOp> arithmetic();   // + - * / % neg
std::vector<ScalarOp> comparisons();  // == != < <= > >=
std::vector<ScalarOp> logic();        // && || not, all operands evaluated
std::vector<ScalarOp> bitwise();      // & | ^ << >> ~ rotl rotr
std::vector<ScalarOp> math();         // the C library's functions; abs, min, max, minimum, maximum, isnan
std::vector<ScalarOp> conversions();  // bool u8 i32 i64 u32 u64 f32 f64

// For the families' own use.
using Arguments = std::span<const Scalar>;
// The operation itself, on two arguments.
std::function<Definition(ScalarType)> defined_by(Operation op);

}  // namespace scalars
}  // namespace lockstep
