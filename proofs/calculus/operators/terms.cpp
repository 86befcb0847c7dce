// Definitions read as terms (terms.h): a table of what solvers call the operations, by the type that they are on.
#include "proofs/calculus/operators/terms.h"

#include <bit>

#include "semantics/core/table.h"

namespace lockstep::proofs {
namespace {

using scalars::Definition;
using scalars::Operation;

Term whole(ScalarType t, std::uint64_t n) { return number(sort_of(t), n); }
Term float_number(ScalarType t, double v) { return value_term(make_ieee(t, v)); }

// On signed integers, on those without a sign, on floats, on bools.
struct Operations {
  std::optional<TermOp> on_signed{}, on_unsigned{}, on_floats{}, on_bools{};
};
const Operations& operations_of(Operation op) {
  using enum Operation;
  static constexpr auto rows =
      table<Operation, Operations>({{Add, {TermOp::BitAdd, TermOp::BitAdd, TermOp::FloatAdd}},
                                    {Subtract, {TermOp::BitSubtract, TermOp::BitSubtract, TermOp::FloatSubtract}},
                                    {Multiply, {TermOp::BitMultiply, TermOp::BitMultiply, TermOp::FloatMultiply}},
                                    {Divide, {TermOp::DivideSigned, TermOp::DivideUnsigned, TermOp::FloatDivide}},
                                    {Remainder, {TermOp::ModuloSigned, TermOp::ModuloUnsigned}},
                                    {And, {TermOp::BitAnd, TermOp::BitAnd, {}, TermOp::And}},
                                    {Or, {TermOp::BitOr, TermOp::BitOr, {}, TermOp::Or}},
                                    {Xor, {TermOp::BitXor, TermOp::BitXor}},
                                    {ShiftLeft, {TermOp::ShiftLeft, TermOp::ShiftLeft}},
                                    {ShiftRight, {TermOp::ShiftRightArithmetic, TermOp::ShiftRightLogical}},
                                    {Equal, {TermOp::Equal, TermOp::Equal, TermOp::FloatEqual, TermOp::Equal}},
                                    {NotEqual, {}},
                                    {Less, {TermOp::LessSigned, TermOp::LessUnsigned, TermOp::FloatLess}},
                                    {LessEqual, {{}, {}, TermOp::FloatLessEqual}},
                                    {Greater, {}},
                                    {GreaterEqual, {}},
                                    {Both, {{}, {}, {}, TermOp::And}},
                                    {Either, {{}, {}, {}, TermOp::Or}},
                                    {Not, {{}, {}, {}, TermOp::Not}},
                                    {Negate, {TermOp::BitNegate, TermOp::BitNegate, TermOp::FloatNegate}},
                                    {PopCount, {}},
                                    {LeadingZeros, {}},
                                    {Bits, {}},
                                    {Convert, {}}});
  return rows[op];
}

std::optional<Term> conversion(ScalarType to, ScalarType from, const Term& x) {
  const Sort sort = sort_of(to);
  if (from == ScalarType::Bool)
    return is_float(to) ? choose(x, float_number(to, 1), float_number(to, 0)) : choose(x, whole(to, 1), whole(to, 0));
  if (is_float(from)) return is_float(to) ? std::optional(make(TermOp::FloatOfFloat, sort, {x})) : std::nullopt;
  if (is_float(to)) return make(is_signed(from) ? TermOp::FloatOfSigned : TermOp::FloatOfUnsigned, sort, {x});
  if (bits_of(to) == bits_of(from)) return x;
  if (bits_of(to) < bits_of(from)) return make(TermOp::Truncate, sort, {x});
  return make(is_signed(from) ? TermOp::SignExtend : TermOp::ZeroExtend, sort, {x});
}

// Bit k of x, as a number of x's sort.
Term bit_of(const Term& x, int k, ScalarType t) {
  const Term shifted = make(TermOp::ShiftRightLogical, x.sort, {x, whole(t, static_cast<std::uint64_t>(k))});
  return make(TermOp::BitAnd, x.sort, {shifted, whole(t, 1)});
}
Term bits_counted(const Term& x, ScalarType t) {
  Term sum = bit_of(x, 0, t);
  for (int k = 1; k < bits_of(t); ++k) sum = make(TermOp::BitAdd, x.sort, {sum, bit_of(x, k, t)});
  return sum;
}
Term leading_zeros(const Term& x, ScalarType t) {
  Term out = whole(t, static_cast<std::uint64_t>(bits_of(t)));
  for (int k = 0; k < bits_of(t); ++k)
    out = choose(equal(bit_of(x, k, t), whole(t, 1)), whole(t, static_cast<std::uint64_t>(bits_of(t) - 1 - k)), out);
  return out;
}

// `of`: the operands' type. What the table leaves out is said by others.
std::optional<Term> operation(Operation op, ScalarType of, ScalarType to, const std::vector<Term>& x) {
  using enum Operation;
  if (op == Convert) return conversion(to, of, x[0]);
  if (op == PopCount) return bits_counted(x[0], of);
  if (op == LeadingZeros) return leading_zeros(x[0], of);
  const auto negated = [&](Operation other, const std::vector<Term>& operands) {
    const auto t = operation(other, of, to, operands);
    return t ? std::optional(negation(*t)) : t;
  };
  const bool bools = of == ScalarType::Bool;
  if (op == NotEqual || (bools && op == Xor)) return negated(Equal, x);
  if (op == Greater) return operation(Less, of, to, {x[1], x[0]});
  if (op == GreaterEqual) return operation(LessEqual, of, to, {x[1], x[0]});
  if (bools && op == Less) return make(TermOp::And, boolean, {negation(x[0]), x[1]});
  if (op == LessEqual && !is_float(of)) return negated(Less, {x[1], x[0]});
  const Operations& ops = operations_of(op);
  const auto found = bools           ? ops.on_bools
                     : is_float(of)  ? ops.on_floats
                     : is_signed(of) ? ops.on_signed
                                     : ops.on_unsigned;
  return found ? std::optional(make(*found, sort_of(to), x)) : std::nullopt;
}

// Those that IEEE 754 rounds exactly.
std::optional<Term> library(const std::string& name, ScalarType t, const std::vector<Term>& x) {
  static const std::map<std::string_view, TermOp> exact = {{"fabs", TermOp::FloatAbs},
                                                           {"sqrt", TermOp::FloatSqrt},
                                                           {"fma", TermOp::FloatFma},
                                                           {"floor", TermOp::FloatFloor},
                                                           {"ceil", TermOp::FloatCeil}};
  const auto it = exact.find(name);
  return it == exact.end() ? std::nullopt : std::optional(make(it->second, sort_of(t), x));
}

std::optional<Term> term_of(const Definition& d, const std::vector<Term>& arguments) {
  std::vector<Term> x;
  for (const Definition& operand : operands_of(d)) {
    const auto t = term_of(operand, arguments);
    if (!t) return {};
    x.push_back(*t);
  }
  return match(
      d.node, [&](const Definition::Argument& a) -> std::optional<Term> { return arguments.at(a.k); },
      [&](const Definition::Constant& c) -> std::optional<Term> { return value_term(c.value); },
      [&](const Definition::Apply& a) { return operation(a.op, a.operands[0].type, d.type, x); },
      [&](const Definition::Choice&) -> std::optional<Term> { return choose(x[0], x[1], x[2]); },
      [&](const Definition::Library& l) { return library(l.name, d.type, x); });
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

std::optional<Term> operator_term(const ScalarOp& op, ScalarType t, const std::vector<Term>& x) {
  return term_of(op.definition(t), x);
}

}  // namespace lockstep::proofs
