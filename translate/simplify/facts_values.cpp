// What is known of the elements by the rule that they follow: values and signs.
#include "semantics/core/table.h"
#include "translate/simplify/facts.h"

namespace lockstep::streaming {

using snesl::Monoid;
using svcode::Atom;
using svcode::Instr;
using svcode::Opcode;
using svcode::Prim;
using svcode::StreamId;

namespace {

// n times a: what of it does not depend on an order.
std::optional<Atom> folded(Monoid r, const Atom& a, std::int64_t n) {
  if (n == 0) return snesl::identity_of(r, a.type);
  if (r == Monoid::Max || r == Monoid::Min || r == Monoid::Or || r == Monoid::And) return a;
  if (r == Monoid::Plus && a.type == Prim::Int)
    return snesl::int_atom(
        static_cast<std::int64_t>(static_cast<std::uint64_t>(a.integer) * static_cast<std::uint64_t>(n)));
  return {};
}

}  // namespace

// Each piece of `sep` has an element; what has one still has it with others appended.
bool Facts::never_empty(StreamId f) const {
  const Instr& i = definition(f);
  if (of(f).segment) return *of(f).segment > 0;
  if (i.opcode != Opcode::Uappend) return i.opcode == Opcode::Ends;
  for (const StreamId g : i.arguments)
    if (never_empty(g)) return true;
  return false;
}

bool Facts::at_most_one(StreamId f) const {
  const Instr& i = definition(f);
  const bool of_truths =
      row(i).segments.kind == svcode::SegmentRule::Kind::Numbered && definition(i.arguments[0]).type == Prim::Bool;
  return of(f).segment == 1 || of_truths;
}

const Facts::ElementFacts& Facts::facts_of(svcode::ElementRule r) {
  using enum svcode::ElementRule;
  using F = Facts;
  static constexpr auto rules = table<svcode::ElementRule, ElementFacts>(
      {{Taken, {&F::taken_value, &F::taken_each, &F::taken_natural, &F::taken_below}},
       {Computed, {&F::map_value, &F::map_each, &F::map_natural, &F::map_below}},
       {Gathered, {&F::taken_value, &F::gathered_each, &F::taken_natural, &F::taken_below}},
       {Lengths, {.value = &F::lengths_value, .each = &F::lengths_each, .natural = &F::always}},
       {Emptiness, {.value = &F::emptiness_value, .each = &F::emptiness_each}},
       {LastFlags, {.value = &F::last_flags_value}},
       {Positions, {.value = &F::positions_value, .natural = &F::always, .below = &F::positions_below}},
       {Numbers, {.natural = &F::always, .below = &F::numbers_below}},
       {Folds, {.value = &F::folds_value, .each = &F::folds_each}},
       {Fold, {.value = &F::fold_value, .each = &F::fold_each}},
       {Prefixes, {.value = &F::prefixes_value}},
       {Unary, {.value = &F::unary_value}}});
  return rules[r];
}

std::optional<Atom> Facts::value(const Instr& i) {
  if (i.type == Prim::Unit) return snesl::unit_atom();
  const auto value_of = facts_of(row(i).rule).value;
  return value_of ? (this->*value_of)(i) : std::nullopt;
}

// One for the elements of all these operands, and for the instruction's own.
std::optional<Atom> Facts::taken_value(const Instr& i) {
  const std::optional<Atom> taken = common(i, row(i).elements, &Fact::value);
  if (!has_atom(i)) return taken;
  return row(i).elements.none() || taken == i.atom() ? std::optional(i.atom()) : std::nullopt;
}
std::optional<Atom> Facts::lengths_value(const Instr& i) {
  const auto n = of(i.arguments[0]).segment;
  return n ? std::optional(snesl::int_atom(*n)) : std::nullopt;
}
std::optional<Atom> Facts::emptiness_value(const Instr& i) {
  if (never_empty(i.arguments[0])) return snesl::bool_atom(false);
  const auto n = of(i.arguments[0]).segment;
  return n ? std::optional(snesl::bool_atom(*n == 0)) : std::nullopt;
}
std::optional<Atom> Facts::last_flags_value(const Instr& i) {
  return at_most_one(i.arguments[0]) ? std::optional(snesl::bool_atom(true)) : std::nullopt;
}
std::optional<Atom> Facts::positions_value(const Instr& i) {
  return at_most_one(i.arguments[0]) ? std::optional(snesl::int_atom(0)) : std::nullopt;
}
std::optional<Atom> Facts::folds_value(const Instr& i) {
  const auto a = of(i.arguments[0]).value;
  const auto n = of(i.arguments[1]).segment;
  return a && n ? folded(i.monoid(), *a, *n) : std::nullopt;
}
std::optional<Atom> Facts::fold_value(const Instr& i) {
  const auto a = of(i.arguments[0]).value;
  const auto n = length_of(i.arguments[0]);
  return a && n ? folded(i.monoid(), *a, *n) : std::nullopt;
}
// Of identities.
std::optional<Atom> Facts::prefixes_value(const Instr& i) {
  if (i.type == Prim::Real || !is(i.arguments[0], snesl::identity_of(i.monoid(), i.type))) return {};
  return of(i.arguments[0]).value;
}
// Of nothing but zeros.
std::optional<Atom> Facts::unary_value(const Instr& i) {
  const bool zeros = row(i).segments.kind == svcode::SegmentRule::Kind::Numbered && of(i.arguments[0]).value &&
                     of(i.arguments[0]).value->integer == 0;
  return zeros ? std::optional(snesl::bool_atom(true)) : std::nullopt;
}

std::optional<Atom> Facts::map_value(const Instr& i) {
  const auto truth = [](bool b) { return std::optional(snesl::bool_atom(b)); };
  std::vector<Atom> operands;
  for (const StreamId s : i.arguments)
    if (of(s).value) operands.push_back(*of(s).value);
  if (operands.size() == i.arguments.size()) {
    try {
      return snesl::apply(i.op(), operands, i.region);
    } catch (const TrapSignal&) {
      return {};  // it traps where it has an element
    }
  }
  if (i.arguments.size() == 1) return {};
  const StreamId x = i.arguments[0], y = i.arguments[1];
  const auto either = [&](const Atom& a) { return is(x, a) || is(y, a); };
  const bool same =
      (of(x).content == of(y).content || (of(x).each && of(x).each == of(y).each)) && definition(x).type != Prim::Real;
  using enum scalars::Operation;
  const auto operation = operation_of(i);
  const auto never_below = [&](StreamId a, StreamId b) {  // a >= b
    return same || (of(a).natural && is(b, snesl::int_atom(0)));
  };
  const auto when = [&](bool known, bool value) { return known ? truth(value) : std::nullopt; };
  if (operation == Both) return when(either(snesl::bool_atom(false)), false);
  if (operation == Either) return when(either(snesl::bool_atom(true)), true);
  if (operation == Multiply) return either(snesl::int_atom(0)) ? std::optional(snesl::int_atom(0)) : std::nullopt;
  if (operation == Equal) return when(same, true);
  if (operation == NotEqual) return when(same, false);
  if (operation == GreaterEqual) return when(never_below(x, y), true);
  if (operation == LessEqual) return when(never_below(y, x), true);
  if (operation == Greater) return when(never_below(y, x), false);
  return operation == Less ? less(i, never_below(x, y)) : std::nullopt;
}

// x < y.
std::optional<Atom> Facts::less(const Instr& i, bool never) {
  const StreamId x = i.arguments[0], y = i.arguments[1];
  if (never) return snesl::bool_atom(false);
  if (const auto b = of(x).below) {
    if (of(y).exact != Exact::IfNatural && b == count_of(of(y))) return snesl::bool_atom(true);
    if (const auto n = constant(*b); n && of(y).value && *n <= of(y).value->integer) return snesl::bool_atom(true);
  }
  // i in &n is less than n, which each iteration has its own of.
  const Instr &iota = definition(x), &bound = definition(y);
  if (bound.opcode != Opcode::Pdist) return {};
  const Instr& f = definition(bound.arguments[1]);
  const bool lifted = iota.opcode == Opcode::Iotas && f.opcode == Opcode::ToFlags &&
                      iota.arguments[0] == bound.arguments[1] &&
                      of(f.arguments[0]).content == of(bound.arguments[0]).content;
  const bool alone = iota.opcode == Opcode::Range && f.opcode == Opcode::Terminated && f.arguments[0] == x &&
                     of(iota.arguments[0]).content == of(bound.arguments[0]).content;
  return lifted || alone ? std::optional(snesl::bool_atom(true)) : std::nullopt;
}

bool Facts::natural(const Instr& i, const Fact& known) const {
  if (i.type != Prim::Int) return false;
  if (known.value) return known.value->integer >= 0;
  if (i.opcode == Opcode::Input) return natural_inputs_.contains(i.number());
  const auto is_natural = facts_of(row(i).rule).natural;
  return is_natural && (this->*is_natural)(i);
}

bool Facts::taken_natural(const Instr& i) const {
  bool all = !row(i).elements.none() && !has_atom(i);
  row(i).elements.visit(i.arguments.size(), [&](std::size_t k) { all &= of(i.arguments[k]).natural; });
  return all;
}

bool Facts::map_natural(const Instr& i) const {
  const auto arg = [&](std::size_t k) { return of(i.arguments[k]).natural; };
  if (operation_of(i) == scalars::Operation::Convert) {
    const Prim from = definition(i.arguments[0]).type;
    return from == Prim::Bool || from == Prim::Char;
  }
  if (operation_of(i) == scalars::Operation::And || i.op() == scalars::row<"maximum">()) return arg(0) || arg(1);
  if (i.op() == scalars::row<"minimum">() || i.op() == scalars::row<"/">() || i.op() == scalars::row<"%">())
    return arg(0) && arg(1);
  if (i.op()->chooses) return arg(1) && arg(2);
  return i.op() == scalars::row<"+">() && arg(0) && is(i.arguments[1], snesl::int_atom(0));
}

}  // namespace lockstep::streaming
