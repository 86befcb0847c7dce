// What is known of the elements: values, the lengths of segments, signs.
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

std::optional<Atom> Facts::value(const Instr& i) {
  const auto arg = [&](std::size_t k) -> const Fact& { return of(i.arguments[k]); };
  // The value that every second argument has, where it is one.
  const auto common = [&](std::size_t first, std::size_t step) -> std::optional<Atom> {
    const auto a = arg(first).value;
    for (std::size_t k = first; a && k < i.arguments.size(); k += step)
      if (!is(i.arguments[k], *a)) return {};
    return a;
  };
  const auto segment_value = [&](auto f) -> std::optional<Atom> {
    const auto n = arg(0).segment;
    return n ? std::optional<Atom>(f(*n)) : std::nullopt;
  };
  switch (i.opcode) {
    case Opcode::Rep:
    case Opcode::Constant:
      return i.atom;
    case Opcode::Ctrl:
    case Opcode::Usum:
    case Opcode::Check:
    case Opcode::WriteFile:
      return snesl::unit_atom();
    case Opcode::Map:
      return map_value(i);
    case Opcode::Pdist:
    case Opcode::Pack:
    case Opcode::Segtab:
      return arg(0).value;
    case Opcode::Gather:
      return arg(2).value;
    case Opcode::Unpack:
      return common(1, 1);
    case Opcode::Pmerge:
      return common(0, 1);
    case Opcode::Segmerge:
      return common(1, 2);
    case Opcode::Cons:
      return is(i.arguments[0], i.atom) ? arg(0).value : std::nullopt;
    case Opcode::ToFlags:
      return is(i.arguments[0], snesl::int_atom(0)) ? std::optional(snesl::bool_atom(true)) : std::nullopt;
    case Opcode::B2u:
      return is(i.arguments[0], snesl::bool_atom(false)) ? std::optional(snesl::bool_atom(true)) : std::nullopt;
    case Opcode::Lens:
      return segment_value([](std::int64_t n) { return snesl::int_atom(n); });
    case Opcode::Uempty:
      if (never_empty(i.arguments[0])) return snesl::bool_atom(false);
      return segment_value([](std::int64_t n) { return snesl::bool_atom(n == 0); });
    case Opcode::Short:
      if (arg(0).segment == 1 || definition(i.arguments[0]).opcode == Opcode::B2u) return snesl::bool_atom(true);
      return {};
    case Opcode::Iotas:
      return arg(0).segment == 1 || definition(i.arguments[0]).opcode == Opcode::B2u ? std::optional(snesl::int_atom(0))
                                                                                     : std::nullopt;
    case Opcode::Segreduce:
      return arg(0).value && arg(1).segment ? folded(i.monoid, *arg(0).value, *arg(1).segment) : std::nullopt;
    case Opcode::Reduce: {
      const auto n = length_of(i.arguments[0]);
      return arg(0).value && n ? folded(i.monoid, *arg(0).value, *n) : std::nullopt;
    }
    case Opcode::Segscan:
    case Opcode::Scan:
      return arg(0).value && i.type != Prim::Real && is(i.arguments[0], snesl::identity_of(i.monoid, i.type))
                 ? arg(0).value
                 : std::nullopt;
    case Opcode::Input:
    case Opcode::Upack:
    case Opcode::Ends:
    case Opcode::Usegsum:
    case Opcode::Umerge:
    case Opcode::Uappend:
    case Opcode::Usegmerge:
    case Opcode::ReadFile:
    case Opcode::Range:
    case Opcode::Terminated:
    case Opcode::ReadWhole:
    case Opcode::UsegsumB2u:
    case Opcode::EndsAmong:
    case Opcode::Segcount:
    case Opcode::CountTrue:
    case Opcode::CountCompare:
    case Opcode::LastFlag:
    case Opcode::TerminatedCount:
    case Opcode::Ended:
    case Opcode::AllOf:
      return {};
  }
  throw Bug("an instruction of SVCODE that is none");
}

std::optional<Atom> Facts::map_value(const Instr& i) {
  const auto truth = [](bool b) { return std::optional(snesl::bool_atom(b)); };
  std::vector<Atom> operands;
  for (const StreamId s : i.arguments)
    if (of(s).value) operands.push_back(*of(s).value);
  if (operands.size() == i.arguments.size()) {
    try {
      return snesl::apply(i.op, operands, i.region);
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
  const auto arg = [&](std::size_t k) { return of(i.arguments[k]).natural; };
  switch (i.opcode) {
    case Opcode::Input:
      return natural_inputs_.contains(i.number);
    case Opcode::Lens:
    case Opcode::Iotas:
    case Opcode::Range:
      return true;
    case Opcode::Pdist:
    case Opcode::Pack:
    case Opcode::Segtab:
      return arg(0);
    case Opcode::Gather:
      return arg(2);
    case Opcode::Unpack:
      return arg(1) && arg(2);
    case Opcode::Map: {
      if (operation_of(i) == scalars::Operation::Convert) return true;  // of a Bool or a Char
      if (operation_of(i) == scalars::Operation::And || i.op == scalars::row<"maximum">()) return arg(0) || arg(1);
      if (i.op == scalars::row<"minimum">() || i.op == scalars::row<"/">() || i.op == scalars::row<"%">())
        return arg(0) && arg(1);
      if (i.op->chooses) return arg(1) && arg(2);
      return i.op == scalars::row<"+">() && arg(0) && is(i.arguments[1], snesl::int_atom(0));
    }
    default:
      return false;
  }
}

}  // namespace lockstep::streaming
