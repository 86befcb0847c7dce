// What is one for all: the value of all elements, the length of all segments, and what all elements are less than.
#include "translate/simplify/facts.h"

namespace lockstep::streaming {

using svcode::Instr;
using svcode::Opcode;
using svcode::Prim;
using svcode::StreamId;

// What every argument has, or every second one, where it is the same.
std::optional<int> Facts::common(const Instr& i, std::size_t first, std::size_t step,
                                 std::optional<int> Fact::*number) const {
  const auto n = of(i.arguments[first]).*number;
  for (std::size_t k = first; k < i.arguments.size(); k += step)
    if (of(i.arguments[k]).*number != n) return {};
  return n;
}

// What an operator gives of named operands, Ints modulo 2^64.
int Facts::mapped(const Instr& i, const std::vector<int>& operands) {
  using enum scalars::Operation;
  if (i.type == Prim::Int && definition(i.arguments[0]).type == Prim::Int) {
    const auto operation = operation_of(i);
    if (operation == Add) return numbers_.plus(operands[0], operands[1]);
    if (operation == Subtract) return numbers_.minus(operands[0], operands[1]);
    if (operation == Multiply) return numbers_.times(operands[0], operands[1]);
    if (operation == Negate) return numbers_.minus(exactly(0), operands[0]);
    if (i.op == scalars::row<"i64">()) return operands[0];
  }
  Key key = {Mapped, snesl::key_of(i.op)};
  for (const StreamId s : i.arguments) key.push_back(static_cast<std::int64_t>(definition(s).type));
  key.insert(key.end(), operands.begin(), operands.end());
  return numbers_.named(std::move(key));
}

// The one value that all elements are. Of one element alone it is that element.
std::optional<int> Facts::each(const Instr& i, const Fact& known) {
  if (known.value) return named(*known.value);
  const auto arg = [&](std::size_t k) -> const Fact& { return of(i.arguments[k]); };
  std::optional<int> n;
  switch (i.opcode) {
    case Opcode::Map: {
      std::vector<int> operands;
      for (std::size_t k = 0; k < i.arguments.size(); ++k)
        if (arg(k).each) operands.push_back(*arg(k).each);
      if (operands.size() == i.arguments.size()) n = mapped(i, operands);
      break;
    }
    case Opcode::Pdist:
    case Opcode::Pack:
    case Opcode::Segtab:
      n = arg(0).each;
      break;
    case Opcode::Unpack:
      n = common(i, 1, 1, &Fact::each);
      break;
    case Opcode::Pmerge:
      n = common(i, 0, 1, &Fact::each);
      break;
    case Opcode::Segmerge:
      n = common(i, 1, 2, &Fact::each);
      break;
    case Opcode::Gather:
      n = arg(2).each;
      if (!n && arg(0).each && arg(1).each)
        n = numbers_.named({Gathered, arg(2).content, numbers_.plus(*arg(0).each, *arg(1).each)});
      break;
    case Opcode::Lens:
      n = arg(0).uniform;
      break;
    case Opcode::Uempty:
      if (arg(0).uniform) n = numbers_.named({Empty, *arg(0).uniform});
      break;
    case Opcode::Segreduce:
      if (!arg(0).each || !arg(1).uniform) break;
      n = i.monoid == snesl::Monoid::Plus && i.type == Prim::Int
              ? numbers_.times(*arg(0).each, *arg(1).uniform)
              : numbers_.named({Folded, static_cast<std::int64_t>(i.monoid), *arg(0).each, *arg(1).uniform});
      break;
    case Opcode::Reduce:
      if (arg(0).each && i.monoid == snesl::Monoid::Plus && i.type == Prim::Int)
        n = numbers_.times(*arg(0).each, arg(0).length);
      break;
    default:
      break;
  }
  if (!n && number(known.length) == 1) n = numbers_.named({Single, known.content});
  return n;
}

Exact Facts::exactness(const Instr& i, const Fact& known) const {
  if (i.type != Prim::Int || !known.each) return Exact::No;
  if (constant(*known.each) || numbers_.is_name(*known.each)) return Exact::Yes;
  if (i.opcode == Opcode::Lens) return Exact::Yes;
  const auto operand = [&](std::size_t k) -> const Fact& { return of(i.arguments[k]); };
  Exact least = Exact::Yes;  // of the arguments with the same value: what is distributed, merged, added to 0
  bool same = false;
  for (const StreamId s : i.arguments)
    if (definition(s).type == Prim::Int && of(s).each == known.each) same = true, least = std::min(least, of(s).exact);
  if (same) return least;
  if (i.opcode != Opcode::Map || i.arguments.size() != 2) return Exact::No;
  const Fact &x = operand(0), &y = operand(1);
  if (x.exact != Exact::Yes || y.exact != Exact::Yes) return Exact::No;
  if (i.op == scalars::row<"-">() && x.natural) return y.natural ? Exact::Yes : Exact::IfNatural;
  if (i.op == scalars::row<"+">() && (x.natural || y.natural)) return Exact::IfNatural;
  return Exact::No;
}

// As the length of a traversal, which it is only where it is not negative.
std::optional<int> Facts::count_of(const Fact& n) {
  if (!n.each) return {};
  return n.exact == Exact::No ? numbers_.named({Counted, *n.each}) : *n.each;
}

// Segments of one length: a descriptor made of lengths that are all equal, or of such descriptors.
std::optional<int> Facts::uniform(const Instr& i) {
  const auto arg = [&](std::size_t k) -> const Fact& { return of(i.arguments[k]); };
  switch (i.opcode) {
    case Opcode::ToFlags:
      if (arg(0).value && arg(0).value->integer < 0) return {};
      return count_of(arg(0));
    case Opcode::B2u:
      if (arg(0).value) return exactly(arg(0).value->integer);
      if (arg(0).each)
        return numbers_.named(
            {Mapped, snesl::key_of(scalars::row<"i64">()), static_cast<std::int64_t>(Prim::Bool), *arg(0).each});
      return {};
    case Opcode::Terminated:
      return arg(0).length;
    case Opcode::Upack:
      return arg(0).uniform;
    case Opcode::Ends:
      return is(i.arguments[0], snesl::bool_atom(true)) ? std::optional(exactly(1)) : std::nullopt;
    case Opcode::Usegsum:
      if (arg(0).segment == 0 || arg(1).segment == 0) return exactly(0);
      if (arg(0).uniform && arg(1).uniform) return numbers_.times(*arg(0).uniform, *arg(1).uniform);
      return {};
    case Opcode::Umerge:
      return common(i, 0, 1, &Fact::uniform);
    case Opcode::Usegmerge:
      return common(i, 1, 2, &Fact::uniform);
    case Opcode::Uappend: {
      const Instr &f = definition(i.arguments[0]), &g = definition(i.arguments[1]);
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
    case Opcode::Rep:
    case Opcode::Constant:
      return i.atom.integer != 0 ? std::optional(exactly(0)) : std::nullopt;  // no segment has an element
    default:
      return {};
  }
}

// What an element of a traversal is less than, wherever it is brought.
std::optional<int> Facts::below(const Instr& i) {
  const auto arg = [&](std::size_t k) -> const Fact& { return of(i.arguments[k]); };
  switch (i.opcode) {
    case Opcode::Iotas:
      return arg(0).uniform;
    case Opcode::Range:
      return count_of(arg(0));
    case Opcode::Pdist:
    case Opcode::Pack:
    case Opcode::Segtab:
      return arg(0).below;
    case Opcode::Gather:
      return arg(2).below;
    case Opcode::Unpack:
      return common(i, 1, 1, &Fact::below);
    case Opcode::Pmerge:
      return common(i, 0, 1, &Fact::below);
    case Opcode::Segmerge:
      return common(i, 1, 2, &Fact::below);
    case Opcode::Map:
      if (i.op == scalars::row<"+">() && is(i.arguments[1], snesl::int_atom(0))) return arg(0).below;
      if (i.op == scalars::row<"%">() && arg(0).natural && arg(1).natural) return count_of(arg(1));
      if (i.op == scalars::row<"i64">() && definition(i.arguments[0]).type == Prim::Bool) return exactly(2);
      if (i.op == scalars::row<"i64">() && definition(i.arguments[0]).type == Prim::Char) return exactly(256);
      if (i.op->chooses) return common(i, 1, 1, &Fact::below);
      return {};
    default:
      return {};
  }
}

}  // namespace lockstep::streaming
