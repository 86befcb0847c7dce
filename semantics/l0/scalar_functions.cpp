// Operators and scalar functions of L0 by the rows of semantics/scalars. A power of ints has no row: no machine has it.
#include "semantics/l0/scalar_functions.h"

#include <algorithm>
#include <array>

#include "semantics/core/table.h"

namespace lockstep::l0 {
namespace {

enum class Takes { Numbers, Ints, Bools, Ordered, Any };
struct InfixRow {
  std::string_view row;
  Takes takes;
};
constexpr auto infix_rows = table<Infix, InfixRow>({{Infix::Or, {"||", Takes::Bools}},
                                                    {Infix::And, {"&&", Takes::Bools}},
                                                    {Infix::BitAnd, {"&", Takes::Ints}},
                                                    {Infix::BitXor, {"^", Takes::Ints}},
                                                    {Infix::BitOr, {"|", Takes::Ints}},
                                                    {Infix::Eq, {"==", Takes::Any}},
                                                    {Infix::Ne, {"!=", Takes::Any}},
                                                    {Infix::Lt, {"<", Takes::Ordered}},
                                                    {Infix::Le, {"<=", Takes::Ordered}},
                                                    {Infix::Gt, {">", Takes::Ordered}},
                                                    {Infix::Ge, {">=", Takes::Ordered}},
                                                    {Infix::Shl, {"<<", Takes::Ints}},
                                                    {Infix::Shr, {">>", Takes::Ints}},
                                                    {Infix::Add, {"+", Takes::Numbers}},
                                                    {Infix::Sub, {"-", Takes::Numbers}},
                                                    {Infix::Mul, {"*", Takes::Numbers}},
                                                    {Infix::Div, {"/", Takes::Numbers}},
                                                    {Infix::Mod, {"%", Takes::Numbers}},
                                                    {Infix::Pow, {"pow", Takes::Numbers}}});

bool takes(Takes which, ScalarType t) {
  const bool number = t == ScalarType::I64 || t == ScalarType::F64;
  switch (which) {
    case Takes::Numbers:
      return number;
    case Takes::Ints:
      return t == ScalarType::I64;
    case Takes::Bools:
      return t == ScalarType::Bool;
    case Takes::Ordered:
      return number || t == ScalarType::U8;
    case Takes::Any:
      return true;
  }
  throw Bug("operands of no kind");
}

const ScalarOp& op_of(Infix op) {
  static const auto rows = [] {
    std::array<const ScalarOp*, static_cast<std::size_t>(Infix::Pow) + 1> found{};
    for (std::size_t k = 0; k < found.size(); ++k)
      found[k] = &scalars::operator_named(std::string(infix_rows[static_cast<Infix>(k)].row));
    return found;
  }();
  return *rows[static_cast<std::size_t>(op)];
}
const ScalarOp& op_of(Prefix op) {
  static const ScalarOp &negate = scalars::operator_named(std::string(row_name(Prefix::Negate))),
                        &inverse = scalars::operator_named(std::string(row_name(Prefix::Not)));
  return op == Prefix::Negate ? negate : inverse;
}
const ScalarOp& op_of(const ScalarFunction& f) {
  static const auto rows = [] {
    std::vector<const ScalarOp*> found;
    for (const ScalarFunction& each : scalar_functions())
      found.push_back(&scalars::operator_named(std::string(each.row)));
    return found;
  }();
  return *rows[static_cast<std::size_t>(&f - scalar_functions().data())];
}

// Wraps, as the product of so many does.
Scalar power(const Scalar& base, const Scalar& exponent, const Region& region) {
  if (exponent.integer() < 0)
    throw TrapSignal{{"pow",
                      "the exponent of an int is negative: " + std::to_string(base.integer()) + " pow " +
                          std::to_string(exponent.integer()),
                      region}};
  std::uint64_t result = 1, square = base.bits;
  for (std::uint64_t left = exponent.bits; left != 0; left >>= 1) {
    if (left & 1) result *= square;
    square *= square;
  }
  return make_integer(ScalarType::I64, result);
}

// The row's meaning, its traps under the name that L0 has for it.
Scalar meaning_of(const ScalarOp& op, std::string_view name, std::span<const Scalar> x, const Region& region,
                  const Domain& domain) {
  try {
    return op.meaning(domain, x[0].type, x);
  } catch (const TrapSignal& s) {
    throw TrapSignal{{std::string(name), s.trap.message, region}};
  }
}

}  // namespace

const std::vector<ScalarFunction>& scalar_functions() {
  using S = ScalarType;
  static const std::vector<ScalarFunction> all = {
      {"toReal", "f64", 1, {S::I64}, S::F64, "the real of an int, the nearest"},
      {"trunc", "i64", 1, {S::F64}, S::I64, "the int of a real, toward zero; it traps where there is none"},
      {"floor", "floor", 1, {S::F64}, {}, "the greatest whole number that is not above"},
      {"sqrt", "sqrt", 1, {S::F64}, {}, "the square root"},
      {"log", "log", 1, {S::F64}, {}, "the natural logarithm"},
      {"exp", "exp", 1, {S::F64}, {}, "e to that power"},
      {"sin", "sin", 1, {S::F64}, {}, "the sine"},
      {"cos", "cos", 1, {S::F64}, {}, "the cosine"},
      {"abs", "abs", 1, {S::I64, S::F64}, {}, "the absolute value; of the least int it is itself"},
      {"min", "min", 2, {S::I64, S::F64}, {}, "the lesser"},
      {"max", "max", 2, {S::I64, S::F64}, {}, "the greater"},
  };
  return all;
}
const ScalarFunction* scalar_function_named(std::string_view name) {
  for (const ScalarFunction& f : scalar_functions())
    if (f.name == name) return &f;
  return nullptr;
}

std::optional<ScalarType> result_of(Infix op, ScalarType t) {
  if (!takes(infix_rows[op].takes, t)) return std::nullopt;
  const bool compares = op >= Infix::Eq && op <= Infix::Ge;
  return compares ? ScalarType::Bool : t;
}
std::optional<ScalarType> result_of(Prefix op, ScalarType t) {
  if (op == Prefix::Not) return t == ScalarType::Bool ? std::optional(t) : std::nullopt;
  return takes(Takes::Numbers, t) ? std::optional(t) : std::nullopt;
}
std::optional<ScalarType> result_of(const ScalarFunction& f, ScalarType t) {
  if (std::find(f.takes.begin(), f.takes.end(), t) == f.takes.end()) return std::nullopt;
  return f.gives ? f.gives : t;
}

std::string_view row_name(Infix op) { return infix_rows[op].row; }
std::string_view row_name(Prefix op) { return op == Prefix::Negate ? "neg" : "not"; }

std::string operands_of(Infix op) {
  switch (infix_rows[op].takes) {
    case Takes::Numbers:
      return "two ints or two reals";
    case Takes::Ints:
      return "two ints";
    case Takes::Bools:
      return "two bools";
    case Takes::Ordered:
      return "two ints, two reals or two chars";
    case Takes::Any:
      return "two ints, reals, chars or bools";
  }
  throw Bug("operands of no kind");
}

Scalar apply(Infix op, const Scalar& a, const Scalar& b, const Region& region, const Domain& domain) {
  if (op == Infix::Pow && a.type == ScalarType::I64) return power(a, b, region);
  const Scalar x[] = {a, b};
  return meaning_of(op_of(op), infix_rows[op].row, x, region, domain);
}
Scalar apply(Prefix op, const Scalar& a, const Region& region, const Domain& domain) {
  return meaning_of(op_of(op), op == Prefix::Negate ? "~" : "not", {&a, 1}, region, domain);
}
Scalar apply(const ScalarFunction& f, std::span<const Scalar> arguments, const Region& region, const Domain& domain) {
  return meaning_of(op_of(f), f.name, arguments, region, domain);
}

bool can_trap(Infix op, ScalarType t) { return op_of(op).can_trap(t) || (op == Infix::Pow && t == ScalarType::I64); }
bool can_trap(const ScalarFunction& f, ScalarType t) { return op_of(f).can_trap(t); }

}  // namespace lockstep::l0
