// One table a kind of type: integers by their width and sign, bools, floats. x: arguments.
#include "proofs/calculus/operators/meanings.h"

#include <bit>

namespace lockstep::proofs {
namespace {

using Arguments = std::vector<Term>;

Term whole(ScalarType t, std::uint64_t n) { return number(sort_of(t), n); }
Term float_number(ScalarType t, double v) { return value_term(make_ieee(t, v)); }
Term less_than(ScalarType t, const Term& a, const Term& b) {
  const TermOp op = is_float(t) ? TermOp::FloatLess : is_signed(t) ? TermOp::LessSigned : TermOp::LessUnsigned;
  return make(op, boolean, {a, b});
}

// ------------------------------------------------------------------------------------------------- comparisons
std::optional<Term> comparison(std::string_view op, ScalarType t, const Arguments& x) {
  const auto same = [&] { return is_float(t) ? make(TermOp::FloatEqual, boolean, {x[0], x[1]}) : equal(x[0], x[1]); };
  const auto ordered = [&](const Term& a, const Term& b) {
    return is_float(t) ? make(TermOp::FloatLessEqual, boolean, {a, b}) : negation(less_than(t, b, a));
  };
  if (op == "==") return same();
  if (op == "!=") return negation(same());
  if (op == "<") return less_than(t, x[0], x[1]);
  if (op == ">") return less_than(t, x[1], x[0]);
  if (op == "<=") return ordered(x[0], x[1]);
  if (op == ">=") return ordered(x[1], x[0]);
  return {};
}

// ------------------------------------------------------------------------------------------------- integers
std::optional<Term> integer_term(std::string_view op, ScalarType t, const Arguments& x) {
  const bool sign = is_signed(t);
  const Sort sort = x[0].sort;
  const std::map<std::string_view, TermOp> direct = {{"+", TermOp::BitAdd},
                                                     {"-", TermOp::BitSubtract},
                                                     {"*", TermOp::BitMultiply},
                                                     {"neg", TermOp::BitNegate},
                                                     {"&", TermOp::BitAnd},
                                                     {"|", TermOp::BitOr},
                                                     {"^", TermOp::BitXor},
                                                     {"/", sign ? TermOp::DivideSigned : TermOp::DivideUnsigned},
                                                     {"%", sign ? TermOp::ModuloSigned : TermOp::ModuloUnsigned}};
  if (const auto it = direct.find(op); it != direct.end()) return make(it->second, sort, x);
  if (op == "<<" || op == ">>") {  // the amount is modulo the width
    const Term amount = make(TermOp::BitAnd, sort, {x[1], whole(t, static_cast<std::uint64_t>(bits_of(t) - 1))});
    const TermOp right = sign ? TermOp::ShiftRightArithmetic : TermOp::ShiftRightLogical;
    return make(op == "<<" ? TermOp::ShiftLeft : right, sort, {x[0], amount});
  }
  if (op == "min") return choose(less_than(t, x[1], x[0]), x[1], x[0]);
  if (op == "max") return choose(less_than(t, x[1], x[0]), x[0], x[1]);
  if (op == "abs") return sign ? choose(less_than(t, x[0], whole(t, 0)), make(TermOp::BitNegate, sort, x), x[0]) : x[0];
  return comparison(op, t, x);
}

std::optional<Term> bool_term(std::string_view op, const Arguments& x) {
  if (op == "&&" || op == "&") return all_of(x);
  if (op == "||" || op == "|") return any_of(x);
  if (op == "^" || op == "!=") return unequal(x[0], x[1]);
  if (op == "==") return equal(x[0], x[1]);
  if (op == "not") return negation(x[0]);
  return {};
}

// ------------------------------------------------------------------------------------------------- floats
// Of two numbers the smaller or greater, of equal ones the second; a NaN is ignored.
Term extremum(const Term& x, const Term& y, bool least) {
  const Term before = make(TermOp::FloatLess, boolean, least ? Arguments{x, y} : Arguments{y, x});
  return choose(any_of({before, make(TermOp::FloatIsNan, boolean, {y})}), x, y);
}

std::optional<Term> float_term(std::string_view op, ScalarType t, const Arguments& x) {
  static const std::map<std::string_view, TermOp> direct = {{"+", TermOp::FloatAdd},       {"-", TermOp::FloatSubtract},
                                                            {"*", TermOp::FloatMultiply},  {"/", TermOp::FloatDivide},
                                                            {"neg", TermOp::FloatNegate},  {"abs", TermOp::FloatAbs},
                                                            {"sqrt", TermOp::FloatSqrt},   {"fma", TermOp::FloatFma},
                                                            {"floor", TermOp::FloatFloor}, {"ceil", TermOp::FloatCeil}};
  if (const auto it = direct.find(op); it != direct.end()) return make(it->second, sort_of(t), x);
  if (op == "min" || op == "max") return extremum(x[0], x[1], op == "min");
  return comparison(op, t, x);
}

// ------------------------------------------------------------------------------------------------- conversions
std::optional<Term> conversion(ScalarType to, ScalarType from, const Term& x) {
  const Sort sort = sort_of(to);
  if (from == ScalarType::Bool) {
    if (to == ScalarType::Bool) return x;
    return is_float(to) ? choose(x, float_number(to, 1), float_number(to, 0)) : choose(x, whole(to, 1), whole(to, 0));
  }
  if (to == ScalarType::Bool)
    return is_float(from) ? negation(make(TermOp::FloatEqual, boolean, {x, float_number(from, 0)}))
                          : unequal(x, whole(from, 0));
  if (is_float(from)) return is_float(to) ? std::optional(make(TermOp::FloatOfFloat, sort, {x})) : std::nullopt;
  if (is_float(to)) return make(is_signed(from) ? TermOp::FloatOfSigned : TermOp::FloatOfUnsigned, sort, {x});
  if (bits_of(to) == bits_of(from)) return x;
  if (bits_of(to) < bits_of(from)) return make(TermOp::Truncate, sort, {x});
  return make(is_signed(from) ? TermOp::SignExtend : TermOp::ZeroExtend, sort, {x});
}

}  // namespace

Sort sort_of(ScalarType t) {
  if (t == ScalarType::Bool) return boolean;
  return is_float(t) ? floating(bits_of(t)) : bits(bits_of(t));
}

Term value_term(const Scalar& s) {
  if (s.type == ScalarType::Bool) return truth(s.bits != 0);
  if (s.type == ScalarType::F32)
    return number(floating(32), std::bit_cast<std::uint32_t>(static_cast<float>(s.ieee())));
  if (s.type == ScalarType::F64) return number(floating(64), std::bit_cast<std::uint64_t>(s.ieee()));
  const int width = bits_of(s.type);
  return number(bits(width), width == 64 ? s.bits : s.bits & ((std::uint64_t(1) << width) - 1));
}

std::optional<Term> operator_term(std::string_view op, ScalarType t, const std::vector<Term>& x) {
  if (const auto to = scalar_named(op)) return conversion(*to, t, x[0]);
  if (t == ScalarType::Bool) return bool_term(op, x);
  return is_float(t) ? float_term(op, t, x) : integer_term(op, t, x);
}

std::vector<ScalarType> operand_types(const ScalarOp& op) {
  const auto fits = [&](ScalarType t) {
    if (t == ScalarType::Bool) return op.operands == Operands::Bool || op.operands == Operands::Any || op.bools;
    if (op.operands == Operands::Bool) return false;
    return is_float(t) ? op.operands != Operands::Integer : op.operands != Operands::Float;
  };
  std::vector<ScalarType> out{ScalarType::Bool, ScalarType::U8,  ScalarType::I32, ScalarType::I64,
                              ScalarType::U32,  ScalarType::U64, ScalarType::F32, ScalarType::F64};
  std::erase_if(out, [&](ScalarType t) { return !fits(t); });
  return out;
}

}  // namespace lockstep::proofs
