// Identities of the scalar operators. What holds of Reals holds bit for bit.
#include "translate/simplify/rules.h"

namespace lockstep::streaming {
namespace {

using svcode::Atom;
using svcode::Instr;
using svcode::Opcode;
using svcode::Prim;
using svcode::StreamId;
using Result = std::optional<Rewritten>;

bool is_map(const Instr& i, snesl::OperatorRef o) { return i.opcode == Opcode::Map && i.op() == o; }
bool constantly(const RuleContext& s, StreamId x, const Atom& a) { return s.facts.is(x, a); }
Atom number(Prim p, std::int64_t n) {
  return p == Prim::Real ? snesl::real_atom(static_cast<double>(n)) : snesl::int_atom(n);
}

Result double_negation(const Instr& i, const RuleContext& s) {
  if (!is_map(i, scalars::row<"not">()) || !is_map(s.definition(i.arguments[0]), scalars::row<"not">())) return {};
  return s.definition(i.arguments[0]).arguments[0];
}
Result and_true(const Instr& i, const RuleContext& s) {
  if (!is_map(i, scalars::row<"&&">())) return {};
  if (constantly(s, i.arguments[0], snesl::bool_atom(true))) return i.arguments[1];
  if (constantly(s, i.arguments[1], snesl::bool_atom(true))) return i.arguments[0];
  return {};
}
Result or_false(const Instr& i, const RuleContext& s) {
  if (!is_map(i, scalars::row<"||">())) return {};
  if (constantly(s, i.arguments[0], snesl::bool_atom(false))) return i.arguments[1];
  if (constantly(s, i.arguments[1], snesl::bool_atom(false))) return i.arguments[0];
  return {};
}
// Of Int alone: -0.0 + 0.0 is 0.0.
Result add_zero(const Instr& i, const RuleContext& s) {
  if (!is_map(i, scalars::row<"+">()) || i.type != Prim::Int) return {};
  if (constantly(s, i.arguments[1], number(Prim::Int, 0))) return i.arguments[0];
  if (constantly(s, i.arguments[0], number(Prim::Int, 0))) return i.arguments[1];
  return {};
}
Result subtract_zero(const Instr& i, const RuleContext& s) {
  if (!is_map(i, scalars::row<"-">()) || !constantly(s, i.arguments[1], number(i.type, 0))) return {};
  return i.arguments[0];
}
Result multiply_by_one(const Instr& i, const RuleContext& s) {
  if (!is_map(i, scalars::row<"*">())) return {};
  if (constantly(s, i.arguments[1], number(i.type, 1))) return i.arguments[0];
  if (constantly(s, i.arguments[0], number(i.type, 1))) return i.arguments[1];
  return {};
}
Result divide_by_one(const Instr& i, const RuleContext& s) {
  if (!is_map(i, scalars::row<"/">()) || !constantly(s, i.arguments[1], number(i.type, 1))) return {};
  return i.arguments[0];
}
Result select_one_side(const Instr& i, const RuleContext& s) {
  if (!is_map(i, &scalars::choice())) return {};
  if (constantly(s, i.arguments[0], snesl::bool_atom(true))) return i.arguments[1];
  if (constantly(s, i.arguments[0], snesl::bool_atom(false))) return i.arguments[2];
  return {};
}
Result conversion_to_itself(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Map || !i.op()->gives || s.definition(i.arguments[0]).type != i.type) return {};
  return i.arguments[0];
}

constexpr Rule on_scalars[] = {
    {"not (not b) = b", double_negation},
    {"b and true = b", and_true},
    {"b or false = b", or_false},
    {"n + 0 = n", add_zero},
    {"x - 0 = x", subtract_zero},
    {"x * 1 = x", multiply_by_one},
    {"x / 1 = x", divide_by_one},
    {"true ? x : y = x; false ? x : y = y", select_one_side},
    {"a conversion of a type to itself", conversion_to_itself},
};

}  // namespace

std::span<const Rule> scalar_rules() { return on_scalars; }

}  // namespace lockstep::streaming
