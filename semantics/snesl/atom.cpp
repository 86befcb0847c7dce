// Atoms, and the operators of semantics/scalars on them.
#include "semantics/snesl/atom.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "semantics/core/table.h"
#include "semantics/text/literal.h"

namespace lockstep::snesl {

namespace {

std::string show_real(double r) {
  if (std::isnan(r)) return "nan";  // the sign of a NaN means nothing
  char text[64];
  const std::string digits(text, std::to_chars(text, text + sizeof text, r).ptr);
  return digits.find_first_of(".ein") == std::string::npos ? digits + ".0" : digits;  // a Real where it is read back
}

constexpr std::array prims{Prim::Bool, Prim::Int, Prim::Real, Prim::Char};
std::optional<Prim> prim_of(ScalarType t) {
  for (const Prim p : prims)
    if (scalar_type(p) == t) return p;
  return std::nullopt;
}

// A conversion is named after its target in .snesl: int, real, char.
std::string own_name(const ScalarOp& op) {
  const auto to = op.gives ? prim_of(*op.gives) : std::nullopt;
  if (!to) return op.identifier();
  std::string name(show(*to));
  name[0] = static_cast<char>(name[0] - 'A' + 'a');
  return name;
}

Atom atom_of(Scalar s) { return {*prim_of(s.type), static_cast<std::int64_t>(s.bits), std::move(s.real)}; }

}  // namespace

std::string_view show(Prim p) {
  constexpr std::string_view names[] = {"Unit", "Bool", "Int", "Real", "Char"};
  return names[static_cast<std::size_t>(p)];
}

std::optional<ScalarType> scalar_type(Prim p) {
  static constexpr auto rows = table<Prim, std::optional<ScalarType>>({{Prim::Unit, {}},
                                                                       {Prim::Bool, ScalarType::Bool},
                                                                       {Prim::Int, ScalarType::I64},
                                                                       {Prim::Real, ScalarType::F64},
                                                                       {Prim::Char, ScalarType::U8}});
  return rows[p];
}

bool operator==(const Atom& a, const Atom& b) {
  if (a.type != b.type) return false;
  if (a.type == Prim::Real && std::isnan(a.ieee()) && std::isnan(b.ieee())) return true;
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
      return show_real(a.ieee());
    case Prim::Char:
      return "'" + reading::escaped(static_cast<unsigned char>(a.integer), '\'') + "'";
  }
  throw Bug("an atom of no type");
}

const std::vector<OperatorRef>& scalar_operators() {
  static const std::vector<OperatorRef> all = [] {
    std::vector<OperatorRef> found{&scalars::choice()};
    for (const ScalarOp& op : scalars::operators())
      if (std::any_of(prims.begin(), prims.end(),
                      [&](Prim p) { return op.takes(*scalar_type(p)) && prim_of(op.result(*scalar_type(p))); }))
        found.push_back(&op);
    return found;
  }();
  return all;
}

std::string name_of(OperatorRef op) { return own_name(*op); }
OperatorRef operator_named(std::string_view name) {
  for (const OperatorRef op : scalar_operators())
    if (own_name(*op) == name) return op;
  return nullptr;
}

std::optional<Prim> result_type(OperatorRef op, std::span<const Prim> operands) {
  if (static_cast<int>(operands.size()) != op->arity) return std::nullopt;
  const Prim p = operands.back();
  for (std::size_t k = 0; k < operands.size(); ++k)
    if (operands[k] != (op->chooses && k == 0 ? Prim::Bool : p)) return std::nullopt;
  const auto t = scalar_type(p);
  if (!t || !op->takes(*t) || (p == Prim::Char && op->keeps() && !op->chooses)) return std::nullopt;
  return prim_of(op->result(*t));
}

std::int64_t key_of(OperatorRef op) {
  if (!op || op->chooses) return op ? -1 : -2;
  return op - scalars::operators().data();
}
bool is_comparison(OperatorRef op) { return op->compares.has_value(); }
std::optional<scalars::Operation> operation_of(OperatorRef op, Prim p) {
  const auto t = scalar_type(p);
  return t ? scalars::operation_of(*op, *t) : std::nullopt;
}
bool can_trap(OperatorRef op, Prim operand) {
  const auto t = scalar_type(operand);
  return t && op->can_trap(*t);
}

Scalar scalar_of(const Atom& a) {
  const auto t = scalar_type(a.type);
  if (!t) throw Bug("a unit is no scalar");
  return {*t, static_cast<std::uint64_t>(a.integer), a.real};
}

Atom apply(OperatorRef op, std::span<const Atom> operands, const Region& region, const Domain& domain) {
  std::array<Prim, 3> types;
  std::transform(operands.begin(), operands.begin() + std::min(operands.size(), types.size()), types.begin(),
                 [](const Atom& a) { return a.type; });
  if (operands.size() > types.size() || !result_type(op, std::span(types).first(operands.size())))
    throw Bug("operator " + name_of(op) + " on operands that it does not take");
  if (op->chooses) return operands[0].integer ? operands[1] : operands[2];
  std::array<Scalar, 3> x;
  for (std::size_t k = 0; k < operands.size(); ++k) x[k] = scalar_of(operands[k]);
  try {
    return atom_of(op->meaning(domain, x[0].type, std::span(x).first(operands.size())));
  } catch (const TrapSignal& s) {
    const bool named = op->gives.has_value();  // as in the source
    throw TrapSignal{{named ? own_name(*op) : s.trap.primitive, s.trap.message, region}};
  }
}

}  // namespace lockstep::snesl
