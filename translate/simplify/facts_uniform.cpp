// What is one for all: the value of all elements, the length of all segments, and what all elements are less than.
#include "semantics/core/table.h"
#include "translate/simplify/facts.h"

namespace lockstep::streaming {

using svcode::Instr;
using svcode::Opcode;
using svcode::Prim;
using svcode::StreamId;

// What an operator gives of named operands, Ints modulo 2^64.
int Facts::mapped(const Instr& i, const std::vector<int>& operands) {
  using enum scalars::Operation;
  if (i.type == Prim::Int && definition(i.arguments[0]).type == Prim::Int) {
    const auto operation = operation_of(i);
    if (operation == Add) return numbers_.plus(operands[0], operands[1]);
    if (operation == Subtract) return numbers_.minus(operands[0], operands[1]);
    if (operation == Multiply) return numbers_.times(operands[0], operands[1]);
    if (operation == Negate) return numbers_.minus(exactly(0), operands[0]);
    if (i.op() == scalars::row<"i64">()) return operands[0];
  }
  Key key = {Mapped, snesl::key_of(i.op())};
  for (const StreamId s : i.arguments) key.push_back(static_cast<std::int64_t>(definition(s).type));
  key.insert(key.end(), operands.begin(), operands.end());
  return numbers_.named(std::move(key));
}

// The one value that all elements are. Of one element alone it is that element.
std::optional<int> Facts::each(const Instr& i, const Fact& known) {
  if (known.value) return named(*known.value);
  const auto one = facts_of(row(i).rule).each;
  if (const auto n = one ? (this->*one)(i) : std::nullopt) return n;
  return number(known.length) == 1 ? std::optional(numbers_.named({Single, known.content})) : std::nullopt;
}

std::optional<int> Facts::taken_each(const Instr& i) {
  return has_atom(i) ? std::nullopt : common(i, row(i).elements, &Fact::each);
}
std::optional<int> Facts::map_each(const Instr& i) {
  std::vector<int> operands;
  for (const StreamId s : i.arguments) {
    if (!of(s).each) return {};
    operands.push_back(*of(s).each);
  }
  return mapped(i, operands);
}
std::optional<int> Facts::gathered_each(const Instr& i) {
  if (const auto n = taken_each(i)) return n;
  const Fact &start = of(i.arguments[0]), &at = of(i.arguments[1]), &base = of(i.arguments[2]);
  if (!start.each || !at.each) return {};
  return numbers_.named({Gathered, base.content, numbers_.plus(*start.each, *at.each)});
}
std::optional<int> Facts::lengths_each(const Instr& i) { return of(i.arguments[0]).uniform; }
std::optional<int> Facts::emptiness_each(const Instr& i) {
  const auto n = of(i.arguments[0]).uniform;
  return n ? std::optional(numbers_.named({Empty, *n})) : std::nullopt;
}
std::optional<int> Facts::folds_each(const Instr& i) {
  const auto a = of(i.arguments[0]).each, n = of(i.arguments[1]).uniform;
  if (!a || !n) return {};
  if (i.monoid() == snesl::Monoid::Plus && i.type == Prim::Int) return numbers_.times(*a, *n);
  return numbers_.named({Folded, static_cast<std::int64_t>(i.monoid()), *a, *n});
}
std::optional<int> Facts::fold_each(const Instr& i) {
  const auto a = of(i.arguments[0]).each;
  if (!a || i.monoid() != snesl::Monoid::Plus || i.type != Prim::Int) return {};
  return numbers_.times(*a, of(i.arguments[0]).length);
}

Exact Facts::exactness(const Instr& i, const Fact& known) const {
  if (i.type != Prim::Int || !known.each) return Exact::No;
  if (constant(*known.each) || numbers_.is_name(*known.each)) return Exact::Yes;
  if (row(i).rule == svcode::ElementRule::Lengths) return Exact::Yes;
  const auto operand = [&](std::size_t k) -> const Fact& { return of(i.arguments[k]); };
  Exact least = Exact::Yes;  // of the arguments with the same value: what is distributed, merged, added to 0
  bool same = false;
  for (const StreamId s : i.arguments)
    if (definition(s).type == Prim::Int && of(s).each == known.each) same = true, least = std::min(least, of(s).exact);
  if (same) return least;
  if (i.opcode != Opcode::Map || i.arguments.size() != 2) return Exact::No;
  const Fact &x = operand(0), &y = operand(1);
  if (x.exact != Exact::Yes || y.exact != Exact::Yes) return Exact::No;
  if (i.op() == scalars::row<"-">() && x.natural) return y.natural ? Exact::Yes : Exact::IfNatural;
  if (i.op() == scalars::row<"+">() && (x.natural || y.natural)) return Exact::IfNatural;
  return Exact::No;
}

// As the length of a traversal, which it is only where it is not negative.
std::optional<int> Facts::count_of(const Fact& n) {
  if (!n.each) return {};
  return n.exact == Exact::No ? numbers_.named({Counted, *n.each}) : *n.each;
}

// The number of elements that each segment has.
std::optional<int> Facts::uniform(const Instr& i, const Fact& known) {
  if (known.value == snesl::bool_atom(true)) return exactly(0);  // no segment has an element
  using Kind = svcode::SegmentRule::Kind;
  static constexpr auto rules =
      table<Kind, std::optional<int> (Facts::*)(const Instr&)>({{Kind::Unknown, nullptr},
                                                                {Kind::Numbered, &Facts::numbered},
                                                                {Kind::Kept, &Facts::kept},
                                                                {Kind::Appended, &Facts::appended},
                                                                {Kind::SideBySide, &Facts::side_by_side},
                                                                {Kind::Parted, &Facts::parted}});
  const auto rule = rules[row(i).segments.kind];
  return rule ? (this->*rule)(i) : std::nullopt;
}

std::optional<int> Facts::numbered(const Instr& i) {
  const Fact& n = of(i.arguments[0]);
  if (n.value && n.value->integer < 0) return {};
  if (n.value) return exactly(n.value->integer);
  if (!n.each || definition(i.arguments[0]).type == Prim::Int) return count_of(n);
  return numbers_.named({Mapped, snesl::key_of(scalars::row<"i64">()), static_cast<std::int64_t>(Prim::Bool), *n.each});
}
std::optional<int> Facts::kept(const Instr& i) { return common(i, row(i).segments.of, &Fact::uniform); }
std::optional<int> Facts::appended(const Instr& i) {
  const Fact &f = of(i.arguments[0]), &g = of(i.arguments[1]);
  if (f.segment == 0 || g.segment == 0) return exactly(0);
  return f.uniform && g.uniform ? std::optional(numbers_.times(*f.uniform, *g.uniform)) : std::nullopt;
}
std::optional<int> Facts::side_by_side(const Instr& i) {
  const Instr &f = definition(i.arguments[0]), &g = definition(i.arguments.back());
  if (i.arguments.size() == 2 && f.opcode == Opcode::B2u && g.opcode == Opcode::B2u &&
      complementary(f.arguments[0], g.arguments[0]))
    return exactly(1);  // a conditional (§2.2.1)
  int n = exactly(0);
  for (const StreamId s : i.arguments) {
    if (!of(s).uniform) return {};
    n = numbers_.plus(n, *of(s).uniform);
  }
  return n;
}

std::optional<int> Facts::parted(const Instr& i) {
  return is(i.arguments[0], snesl::bool_atom(true)) ? std::optional(exactly(1)) : std::nullopt;
}

// What an element of a traversal is less than, wherever it is brought.
std::optional<int> Facts::below(const Instr& i, const Fact& known) {
  const auto limit = facts_of(row(i).rule).below;
  return limit ? (this->*limit)(i, known) : std::nullopt;
}

std::optional<int> Facts::taken_below(const Instr& i, const Fact&) {
  return has_atom(i) ? std::nullopt : common(i, row(i).elements, &Fact::below);
}
std::optional<int> Facts::positions_below(const Instr& i, const Fact&) { return of(i.arguments[0]).uniform; }
std::optional<int> Facts::numbers_below(const Instr&, const Fact& known) { return known.length; }
std::optional<int> Facts::map_below(const Instr& i, const Fact&) {
  const auto arg = [&](std::size_t k) -> const Fact& { return of(i.arguments[k]); };
  if (i.op() == scalars::row<"+">() && is(i.arguments[1], snesl::int_atom(0))) return arg(0).below;
  if (i.op() == scalars::row<"%">() && arg(0).natural && arg(1).natural) return count_of(arg(1));
  if (i.op() == scalars::row<"i64">() && definition(i.arguments[0]).type == Prim::Bool) return exactly(2);
  if (i.op() == scalars::row<"i64">() && definition(i.arguments[0]).type == Prim::Char) return exactly(256);
  return i.op()->chooses ? common(i, {1, 1}, &Fact::below) : std::nullopt;
}

}  // namespace lockstep::streaming
