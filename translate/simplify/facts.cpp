// What follows from each definition (facts.h). In: a program; out: a fact a stream.
#include "translate/simplify/facts.h"

namespace lockstep::streaming {

using svcode::Atom;
using svcode::Instr;
using svcode::Opcode;
using svcode::Prim;
using svcode::StreamId;

// `alone`: what is given once, not in the elements of a vector or a sequence.
void Facts::number_inputs(const snesl::Type& t, bool alone, std::int64_t& next) {
  match(
      t.node,
      [&](Prim) {
        if (alone) single_inputs_.insert(next);
        ++next;
      },
      [&](const snesl::TupleType& tuple) {
        for (const snesl::Type& item : tuple.items) number_inputs(item, alone, next);
      },
      [&](const snesl::VectorType& v) {
        number_inputs(*v.element, false, next);
        natural_inputs_.insert({next, next + 1});
        if (alone) single_inputs_.insert({next, next + 1});
        next += 2;
      },
      [&](const snesl::SequenceType& s) {
        number_inputs(*s.element, false, next);
        if (alone) descriptor_inputs_.insert(next);
        ++next;
      });
}

Facts::Facts(const std::vector<snesl::Type>& parameters) {
  std::int64_t next = 0;
  for (const snesl::Type& t : parameters) number_inputs(t, true, next);
}

// Lengths are not negative: `&` of a negative number never gets as far, its check traps.
std::optional<std::int64_t> Facts::number(int count) const {
  const auto n = constant(count);
  return n && *n >= 0 ? n : std::nullopt;
}

int Facts::named(const Atom& a) {
  if (a.type == Prim::Int) return exactly(a.integer);
  return numbers_.named({Value, static_cast<std::int64_t>(a.type), a.integer});
}

// The count of all arguments, or of every second one.
int Facts::total(const Instr& i, std::size_t first, std::size_t step, int Fact::*count) {
  int n = exactly(0);
  for (std::size_t k = first; k < i.arguments.size(); k += step) n = numbers_.plus(n, of(i.arguments[k]).*count);
  return n;
}

bool Facts::complementary(StreamId b1, StreamId b2) const {
  const Fact &x = of(b1), &y = of(b2);
  if (x.value && y.value && x.length == y.length) return x.value->integer != y.value->integer;
  const auto negates = [&](StreamId b, StreamId other) {
    const Instr& i = definition(b);
    return i.opcode == Opcode::Map && i.op == scalars::row<"not">() && of(i.arguments[0]).content == of(other).content;
  };
  return negates(b1, b2) || negates(b2, b1);
}

std::optional<StreamId> Facts::parent_of(StreamId f) const {
  const Instr& i = definition(f);
  switch (i.opcode) {
    case Opcode::ToFlags:
    case Opcode::B2u:
      return i.arguments[0];
    case Opcode::Uappend:
    case Opcode::Usegsum:
      return parent_of(i.arguments[0]);
    default:
      return {};
  }
}

int Facts::children(const Instr& i, const Fact& known) {
  if (i.type != Prim::Bool) return exactly(0);
  const auto arg = [&](std::size_t k) -> const Fact& { return of(i.arguments[k]); };
  switch (i.opcode) {
    case Opcode::ToFlags: {
      const StreamId n = i.arguments[0];
      if (definition(n).opcode == Opcode::Lens) return of(definition(n).arguments[0]).children;
      if (known.uniform) return numbers_.times(known.trues, *known.uniform);
      return numbers_.named({Sum, of(n).content});
    }
    case Opcode::Terminated:
    case Opcode::Ends:
      return arg(0).length;
    case Opcode::B2u:
      return arg(0).trues;
    case Opcode::Usegsum:
      return arg(1).children;
    case Opcode::Umerge:
    case Opcode::Uappend:
      if (known.segment != 1) return total(i, 0, 1, &Fact::children);
      break;
    case Opcode::Usegmerge:
      return total(i, 1, 2, &Fact::children);
    default:
      break;
  }
  if (known.uniform) return numbers_.times(known.trues, *known.uniform);
  return numbers_.minus(known.length, known.trues);
}

// The elements are a function of the opcode and the arguments' elements, but for what comes from outside.
int Facts::content(const Instr& i) {
  switch (i.opcode) {
    case Opcode::Input:
    case Opcode::ReadFile:
    case Opcode::ReadWhole:
      return numbers_.fresh();
    case Opcode::Segtab:
      return of(i.arguments[0]).content;
    case Opcode::Terminated:
      return numbers_.named({Same, static_cast<std::int64_t>(i.opcode), of(i.arguments[0]).length});
    case Opcode::Map:
      if (i.op == scalars::row<"+">() && is(i.arguments[1], snesl::int_atom(0))) return of(i.arguments[0]).content;
      break;
    case Opcode::ToFlags:
      if (definition(i.arguments[0]).opcode == Opcode::Lens) return of(definition(i.arguments[0]).arguments[0]).content;
      break;
    case Opcode::Lens:
      if (definition(i.arguments[0]).opcode == Opcode::ToFlags)
        return of(definition(i.arguments[0]).arguments[0]).content;
      break;
    default:
      break;
  }
  Key key = {Same,
             static_cast<std::int64_t>(i.opcode),
             snesl::key_of(i.op),
             static_cast<std::int64_t>(i.monoid),
             static_cast<std::int64_t>(i.atom.type),
             i.atom.integer,
             i.number};
  for (const StreamId s : i.arguments) key.push_back(of(s).content);
  return numbers_.named(std::move(key));
}

int Facts::length(const Instr& i) {
  const auto arg = [&](std::size_t k) -> const Fact& { return of(i.arguments[k]); };
  switch (i.opcode) {
    case Opcode::Ctrl:
    case Opcode::Reduce:
      return exactly(1);
    case Opcode::Constant:
      return exactly(i.number);
    case Opcode::Rep:
    case Opcode::Map:
    case Opcode::Cons:
    case Opcode::Segscan:
    case Opcode::Scan:
    case Opcode::Segtab:
    case Opcode::Check:
    case Opcode::Unpack:
    case Opcode::WriteFile:
      return arg(0).length;
    case Opcode::Usum:
    case Opcode::Short:
    case Opcode::Iotas:
      return arg(0).children;
    case Opcode::Pdist:
      return arg(1).children;
    case Opcode::Pack:
      return arg(1).trues;
    case Opcode::Lens:
    case Opcode::Uempty:
      return arg(0).trues;
    case Opcode::Segreduce:
      return arg(1).trues;
    case Opcode::Gather:
      return arg(1).length;
    case Opcode::B2u:
    case Opcode::Ends:
      return numbers_.plus(arg(0).length, arg(0).trues);
    case Opcode::ToFlags:
      if (const auto n = count_of(arg(0))) return numbers_.times(arg(0).length, numbers_.plus(*n, exactly(1)));
      return numbers_.fresh();
    case Opcode::Range: {
      const Instr& n = definition(i.arguments[0]);
      if (n.opcode == Opcode::Lens) return of(n.arguments[0]).children;
      return arg(0).each ? *count_of(arg(0)) : numbers_.named({Sum, arg(0).content});
    }
    case Opcode::Terminated:
      return numbers_.plus(arg(0).length, exactly(1));
    case Opcode::Usegsum:
      return numbers_.plus(arg(0).trues, arg(1).children);
    case Opcode::Pmerge:
    case Opcode::Umerge:
      return total(i, 0, 1, &Fact::length);
    case Opcode::Segmerge:
    case Opcode::Usegmerge:
      return total(i, 1, 2, &Fact::length);
    case Opcode::Uappend:
      return numbers_.plus(total(i, 0, 1, &Fact::children), arg(0).trues);
    case Opcode::Upack:
      return arg(0).uniform ? numbers_.times(arg(1).trues, numbers_.plus(*arg(0).uniform, exactly(1)))
                            : numbers_.fresh();
    case Opcode::Input:
      return single_inputs_.contains(i.number) ? exactly(1) : numbers_.fresh();
    case Opcode::ReadFile:
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
      return numbers_.fresh();
  }
  throw Bug("an instruction of SVCODE that is none");
}

int Facts::trues(const Instr& i, const Fact& known) {
  if (i.type != Prim::Bool) return exactly(0);
  if (known.value) return known.value->integer != 0 ? known.length : exactly(0);
  const auto arg = [&](std::size_t k) -> const Fact& { return of(i.arguments[k]); };
  switch (i.opcode) {
    case Opcode::ToFlags:
    case Opcode::B2u:
      return arg(0).length;
    case Opcode::Terminated:
      return exactly(1);
    case Opcode::Usegsum:
    case Opcode::Uappend:
    case Opcode::Ends:
      return arg(0).trues;
    case Opcode::Umerge:
      return total(i, 0, 1, &Fact::trues);
    case Opcode::Usegmerge:
      return total(i, 1, 2, &Fact::trues);
    case Opcode::Upack:
      return arg(1).trues;
    case Opcode::Map:
      if (i.op == scalars::row<"not">()) return numbers_.minus(known.length, arg(0).trues);
      break;
    case Opcode::Input:
      if (descriptor_inputs_.contains(i.number)) return exactly(1);
      break;
    default:
      break;
  }
  return numbers_.named({Trues, known.content});
}

void Facts::add(const Instr& i) {
  Fact f;
  f.length = length(i);
  f.value = value(i);
  f.content = content(i);
  f.each = each(i, f);
  if (!f.value && i.type == Prim::Int && f.each)
    if (const auto n = constant(*f.each)) f.value = snesl::int_atom(*n);
  f.exact = exactness(i, f);
  if (f.each) f.content = numbers_.named({Repeated, *f.each, f.length});
  f.trues = trues(i, f);
  if (i.type == Prim::Bool) f.uniform = uniform(i);
  if (f.uniform) f.segment = number(*f.uniform);
  f.children = children(i, f);
  if (i.type == Prim::Bool && !f.value && i.opcode != Opcode::Map && i.opcode != Opcode::Ends) {
    if (number(f.trues) == 1 && !f.uniform) f.uniform = f.children, f.segment = number(f.children);
    // A descriptor is its segments and their lengths; one with one segment is its length.
    if (number(f.trues) == 1)
      f.content = numbers_.named({Same, static_cast<std::int64_t>(Opcode::Terminated), f.children});
    else if (f.uniform)
      f.content = numbers_.named({Same, static_cast<std::int64_t>(Opcode::ToFlags), f.trues, *f.uniform});
  }
  f.after_check = i.opcode == Opcode::Check;
  if (f.value && (i.opcode == Opcode::Rep || i.opcode == Opcode::Map))
    for (const StreamId s : i.arguments) f.after_check |= of(s).after_check;
  f.natural = natural(i, f);
  if (i.type == Prim::Int) f.below = below(i);
  instructions_.push_back(i);
  facts_.push_back(f);
}

}  // namespace lockstep::streaming
