// Atomic values: printing, and the scalar operators.
//
// max and min are one rule, as operators and as monoids: NaN where either side is NaN, and 0 is greater than -0.
#include "semantics/snesl/atom.h"

#include "semantics/core/logarithm.h"
#include "semantics/text/literal.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace lockstep::snesl {

namespace {

struct ScalarOpRow {
  ScalarOp op;
  std::string_view name;
  int arity;
};
constexpr ScalarOpRow scalar_ops[] = {
    {ScalarOp::Add, "add", 2},       {ScalarOp::Sub, "sub", 2},     {ScalarOp::Mul, "mul", 2},
    {ScalarOp::Div, "div", 2},       {ScalarOp::Mod, "mod", 2},     {ScalarOp::Neg, "neg", 1},
    {ScalarOp::Eq, "eq", 2},         {ScalarOp::Ne, "ne", 2},       {ScalarOp::Lt, "lt", 2},
    {ScalarOp::Le, "le", 2},         {ScalarOp::Gt, "gt", 2},       {ScalarOp::Ge, "ge", 2},
    {ScalarOp::And, "and", 2},       {ScalarOp::Or, "or", 2},       {ScalarOp::Not, "not", 1},
    {ScalarOp::BitAnd, "bitand", 2}, {ScalarOp::BitOr, "bitor", 2}, {ScalarOp::BitXor, "bitxor", 2},
    {ScalarOp::Shl, "shl", 2},       {ScalarOp::Shr, "shr", 2},     {ScalarOp::Select, "select", 3},
    {ScalarOp::ToReal, "real", 1},   {ScalarOp::ToInt, "int", 1},   {ScalarOp::ToChar, "char", 1},
    {ScalarOp::Sqrt, "sqrt", 1},     {ScalarOp::Log, "log", 1},     {ScalarOp::Exp, "exp", 1},
    {ScalarOp::Sin, "sin", 1},       {ScalarOp::Cos, "cos", 1},     {ScalarOp::Pow, "pow", 2},
    {ScalarOp::Floor, "floor", 1},   {ScalarOp::Abs, "abs", 1},     {ScalarOp::Min, "min", 2},
    {ScalarOp::Max, "max", 2},
};

constexpr bool rows_in_order() {
  for (std::size_t i = 0; i < std::size(scalar_ops); ++i)
    if (static_cast<std::size_t>(scalar_ops[i].op) != i) return false;
  return std::size(scalar_ops) == static_cast<std::size_t>(ScalarOp::Max) + 1;
}
static_assert(rows_in_order(), "a row for each ScalarOp, in its order");

const ScalarOpRow& row(ScalarOp op) { return scalar_ops[static_cast<std::size_t>(op)]; }

std::string show_real(double r) {
  if (std::isnan(r)) return "nan";  // the sign of a NaN means nothing
  char text[64];
  const std::string digits(text, std::to_chars(text, text + sizeof text, r).ptr);
  return digits.find_first_of(".ein") == std::string::npos ? digits + ".0" : digits;  // a Real where it is read back
}

// Arithmetic modulo 2^64.
std::int64_t wrap(std::uint64_t n) { return static_cast<std::int64_t>(n); }
std::uint64_t bits(std::int64_t n) { return static_cast<std::uint64_t>(n); }

double greater(double x, double y) {
  if (std::isnan(x) || std::isnan(y)) return std::numeric_limits<double>::quiet_NaN();
  if (x == y) return std::signbit(x) ? y : x;
  return x > y ? x : y;
}
double smaller(double x, double y) {
  if (std::isnan(x) || std::isnan(y)) return std::numeric_limits<double>::quiet_NaN();
  if (x == y) return std::signbit(x) ? x : y;
  return x < y ? x : y;
}

[[noreturn]] void mistyped(ScalarOp op) {
  throw Bug("operator " + std::string(name_of(op)) + " on operands it does not take");
}

std::int64_t quotient(std::int64_t x, std::int64_t y, const Region& region) {
  if (y == 0) throw TrapSignal{{"/", "division by zero: " + std::to_string(x) + " / 0", region}};
  return y == -1 ? wrap(0 - bits(x)) : x / y;
}
std::int64_t remainder(std::int64_t x, std::int64_t y, const Region& region) {
  if (y == 0) throw TrapSignal{{"%", "remainder by zero: " + std::to_string(x) + " % 0", region}};
  return y == -1 ? 0 : x % y;
}

std::int64_t integer_op(ScalarOp op, std::int64_t x, std::int64_t y, const Region& region) {
  switch (op) {
    case ScalarOp::Add:
      return wrap(bits(x) + bits(y));
    case ScalarOp::Sub:
      return wrap(bits(x) - bits(y));
    case ScalarOp::Mul:
      return wrap(bits(x) * bits(y));
    case ScalarOp::Div:
      return quotient(x, y, region);
    case ScalarOp::Mod:
      return remainder(x, y, region);
    case ScalarOp::Neg:
      return wrap(0 - bits(x));
    case ScalarOp::BitAnd:
      return x & y;
    case ScalarOp::BitOr:
      return x | y;
    case ScalarOp::BitXor:
      return x ^ y;
    case ScalarOp::Shl:
      return wrap(bits(x) << (bits(y) % 64));
    case ScalarOp::Shr:
      return x >> (bits(y) % 64);
    case ScalarOp::Abs:
      return x < 0 ? wrap(0 - bits(x)) : x;
    case ScalarOp::Min:
      return x < y ? x : y;
    case ScalarOp::Max:
      return x > y ? x : y;
    default:
      mistyped(op);
  }
}

double real_op(ScalarOp op, double x, double y) {
  switch (op) {
    case ScalarOp::Add:
      return x + y;
    case ScalarOp::Sub:
      return x - y;
    case ScalarOp::Mul:
      return x * y;
    case ScalarOp::Div:
      return x / y;
    case ScalarOp::Mod:
      return std::fmod(x, y);
    case ScalarOp::Neg:
      return -x;
    case ScalarOp::Sqrt:
      return std::sqrt(x);
    case ScalarOp::Log:
      return natural_log(x);
    case ScalarOp::Exp:
      return std::exp(x);
    case ScalarOp::Sin:
      return std::sin(x);
    case ScalarOp::Cos:
      return std::cos(x);
    case ScalarOp::Pow:
      return std::pow(x, y);
    case ScalarOp::Floor:
      return std::floor(x);
    case ScalarOp::Abs:
      return std::fabs(x);
    case ScalarOp::Min:
      return smaller(x, y);
    case ScalarOp::Max:
      return greater(x, y);
    default:
      mistyped(op);
  }
}

bool boolean_op(ScalarOp op, bool x, bool y) {
  switch (op) {
    case ScalarOp::And:
    case ScalarOp::BitAnd:
      return x && y;
    case ScalarOp::Or:
    case ScalarOp::BitOr:
      return x || y;
    case ScalarOp::BitXor:
      return x != y;
    case ScalarOp::Not:
      return !x;
    default:
      mistyped(op);
  }
}

template <class N>
bool compare(ScalarOp op, N x, N y) {
  switch (op) {
    case ScalarOp::Eq:
      return x == y;
    case ScalarOp::Ne:
      return x != y;
    case ScalarOp::Lt:
      return x < y;
    case ScalarOp::Le:
      return x <= y;
    case ScalarOp::Gt:
      return x > y;
    case ScalarOp::Ge:
      return x >= y;
    default:
      mistyped(op);
  }
}

// Toward zero; a trap outside [least, beyond). Integers wrap, Reals do not.
std::int64_t truncated(double r, double least, double beyond, std::string_view type, ScalarOp op,
                       const Region& region) {
  const double whole = std::trunc(r);
  if (whole >= least && whole < beyond) return static_cast<std::int64_t>(whole);
  const std::string what = std::isnan(r) ? "NaN is no " : show_real(r) + " is outside the range of ";
  throw TrapSignal{{std::string(name_of(op)), what + std::string(type), region}};
}

Atom convert(ScalarOp op, const Atom& a, const Region& region) {
  const bool real = a.type == Prim::Real;
  if (op == ScalarOp::ToReal) return real_atom(real ? a.real : static_cast<double>(a.integer));
  if (op == ScalarOp::ToInt) return int_atom(real ? truncated(a.real, -0x1p63, 0x1p63, "Int", op, region) : a.integer);
  return char_atom(static_cast<unsigned char>(real ? truncated(a.real, 0, 256, "Char", op, region) : a.integer));
}

bool is_conversion(ScalarOp op) { return op >= ScalarOp::ToReal && op <= ScalarOp::ToChar; }

// Of operands of one type π, neither a comparison, a conversion nor Select.
bool takes(ScalarOp op, Prim p) {
  switch (op) {
    case ScalarOp::And:
    case ScalarOp::Or:
    case ScalarOp::Not:
      return p == Prim::Bool;
    case ScalarOp::BitAnd:
    case ScalarOp::BitOr:
    case ScalarOp::BitXor:
      return p == Prim::Int || p == Prim::Bool;
    case ScalarOp::Shl:
    case ScalarOp::Shr:
      return p == Prim::Int;
    case ScalarOp::Sqrt:
    case ScalarOp::Log:
    case ScalarOp::Exp:
    case ScalarOp::Sin:
    case ScalarOp::Cos:
    case ScalarOp::Pow:
    case ScalarOp::Floor:
      return p == Prim::Real;
    default:
      return p == Prim::Int || p == Prim::Real;  // arithmetic, Abs, Min, Max
  }
}

}  // namespace

std::string_view show(Prim p) {
  constexpr std::string_view names[] = {"Unit", "Bool", "Int", "Real", "Char"};
  return names[static_cast<std::size_t>(p)];
}

bool operator==(const Atom& a, const Atom& b) {
  if (a.type != b.type) return false;
  if (a.type == Prim::Real && std::isnan(a.real) && std::isnan(b.real)) return true;
  return a.integer == b.integer;  // of a Real its bits
}

std::string show(const Atom& a) {
  switch (a.type) {
    case Prim::Unit:
      return "()";
    case Prim::Bool:
      return a.integer ? "true" : "false";
    case Prim::Int:
      return std::to_string(a.integer);
    case Prim::Real:
      return show_real(a.real);
    case Prim::Char:
      return "'" + reading::escaped(static_cast<unsigned char>(a.integer), '\'') + "'";
  }
  throw Bug("an atom of no type");
}

std::string_view name_of(ScalarOp op) { return row(op).name; }
std::optional<ScalarOp> scalar_op_named(std::string_view name) {
  for (const ScalarOpRow& r : scalar_ops)
    if (r.name == name) return r.op;
  return std::nullopt;
}
int arity_of(ScalarOp op) { return row(op).arity; }

std::optional<Prim> result_type(ScalarOp op, std::span<const Prim> operands) {
  if (operands.size() != static_cast<std::size_t>(arity_of(op))) return std::nullopt;
  for (const Prim p : operands)
    if (p == Prim::Unit) return std::nullopt;
  if (op == ScalarOp::ToReal) return Prim::Real;
  if (op == ScalarOp::ToInt) return Prim::Int;
  if (op == ScalarOp::ToChar) return Prim::Char;
  if (op == ScalarOp::Select)
    return operands[0] == Prim::Bool && operands[1] == operands[2] ? std::optional(operands[1]) : std::nullopt;
  for (const Prim p : operands)
    if (p != operands[0]) return std::nullopt;
  if (is_comparison(op)) return Prim::Bool;
  return takes(op, operands[0]) ? std::optional(operands[0]) : std::nullopt;
}

bool is_comparison(ScalarOp op) { return op >= ScalarOp::Eq && op <= ScalarOp::Ge; }
bool can_trap(ScalarOp op, Prim operand) {
  if (op == ScalarOp::Div || op == ScalarOp::Mod) return operand == Prim::Int;
  return (op == ScalarOp::ToInt || op == ScalarOp::ToChar) && operand == Prim::Real;
}

Atom apply(ScalarOp op, std::span<const Atom> operands, const Region& region) {
  if (operands.size() != static_cast<std::size_t>(arity_of(op))) mistyped(op);
  const Atom& x = operands[0];
  if (op == ScalarOp::Select) return x.integer ? operands[1] : operands[2];
  if (is_conversion(op)) return convert(op, x, region);
  const Atom& y = operands.back();  // x again where there is one operand
  if (x.type != y.type) mistyped(op);
  if (is_comparison(op))
    return bool_atom(x.type == Prim::Real ? compare(op, x.real, y.real) : compare(op, x.integer, y.integer));
  if (x.type == Prim::Int) return int_atom(integer_op(op, x.integer, y.integer, region));
  if (x.type == Prim::Real) return real_atom(real_op(op, x.real, y.real));
  if (x.type == Prim::Bool) return bool_atom(boolean_op(op, x.integer, y.integer));
  mistyped(op);
}

}  // namespace lockstep::snesl
