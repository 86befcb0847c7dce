// What follows from each definition (facts.h). In: a program; out: a fact a stream.
#include "translate/simplify/facts.h"

#include <algorithm>

namespace lockstep::streaming {

using svcode::Atom;
using svcode::Count;
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

int Facts::gates_of(const Instr& i) {
  int gates = 0;
  for (const StreamId s : i.arguments) gates = gates_.both(gates, of(s).gates);
  const bool open = i.opcode != Opcode::Check || is(i.arguments[0], snesl::bool_atom(true));
  return open ? gates : gates_.with(gates, of(i.arguments[0]).content);
}

bool Facts::waits_for(int gates, const Rewritten& now) const {
  if (const auto* s = std::get_if<StreamId>(&now)) return gates_.includes(of(*s).gates, gates);
  const std::vector<StreamId>& read = std::get<Instr>(now).arguments;
  const auto waited = [&](int check) {
    return std::any_of(read.begin(), read.end(), [&](StreamId s) { return gates_.has(of(s).gates, check); });
  };
  const std::set<int>& all = gates_.checks(gates);
  return std::all_of(all.begin(), all.end(), waited);
}

bool Facts::complementary(StreamId b1, StreamId b2) const {
  const Fact &x = of(b1), &y = of(b2);
  if (x.value && y.value && x.length == y.length) return x.value->integer != y.value->integer;
  const auto negates = [&](StreamId b, StreamId other) {
    const Instr& i = definition(b);
    return i.opcode == Opcode::Map && i.op() == scalars::row<"not">() &&
           of(i.arguments[0]).content == of(other).content;
  };
  return negates(b1, b2) || negates(b2, b1);
}

// Where a law counts the elements of one operand, or the segments of one that has a stream for them.
std::optional<StreamId> Facts::counted_by(const svcode::Law& law, const Instr& i) const {
  if (law.count != 1 || law.more != 0 || law.terms[0].of.step != 0) return {};
  const StreamId s = i.arguments[static_cast<std::size_t>(law.terms[0].of.first)];
  if (law.terms[0].count == Count::Length) return s;
  return law.terms[0].count == Count::Trues ? parent_of(s) : std::nullopt;
}
std::optional<StreamId> Facts::parent_of(StreamId f) const {
  return counted_by(row(definition(f)).trues, definition(f));
}
std::optional<StreamId> Facts::as_long_as(const Instr& i, const Atom& value) const {
  const bool ends_only = row(i).trues.known() && value == snesl::bool_atom(true);
  return counted_by(ends_only ? row(i).trues : row(i).length, i);
}

// Of Ints that have to be lengths; `alone`: of the one that there is.
int Facts::sum_of(StreamId n, bool alone) {
  const Instr& i = definition(n);
  if (row(i).rule == svcode::ElementRule::Lengths) return of(i.arguments[0]).children;
  const auto one = of(n).value && of(n).value->integer < 0 ? std::nullopt : count_of(of(n));
  if (!one) return numbers_.named({Sum, of(n).content});
  return alone ? *one : numbers_.times(of(n).length, *one);
}

int Facts::counted(Count c, StreamId s) {
  switch (c) {
    case Count::Length:
      return of(s).length;
    case Count::Trues:
      return of(s).trues;
    case Count::Children:
      return of(s).children;
    case Count::Sum:
      return sum_of(s, false);
    case Count::Only:
      return sum_of(s, true);
  }
  throw Bug("a count of SVCODE that is none");
}

int Facts::number_of(const svcode::Law& law, const Instr& i) {
  std::optional<int> n;
  const auto add = [&](int more) { n = n ? numbers_.plus(*n, more) : more; };
  for (std::size_t k = 0; k < law.count; ++k)
    law.terms[k].of.visit(i.arguments.size(), [&](std::size_t a) { add(counted(law.terms[k].count, i.arguments[a])); });
  if (law.more != 0 || law.given || !n) add(exactly(law.more + (law.given ? i.number() : 0)));
  return *n;
}

int Facts::children(const Instr& i, const Fact& known) {
  if (i.type != Prim::Bool) return exactly(0);
  if (row(i).children.known() && known.segment != 1) return number_of(row(i).children, i);
  if (known.uniform) return numbers_.times(known.trues, *known.uniform);
  return numbers_.minus(known.length, known.trues);
}

// The elements are a function of the opcode and the arguments' elements, but for what comes from outside.
int Facts::content(const Instr& i) {
  const auto of_first = [&]() -> const Fact& { return of(i.arguments[0]); };
  switch (row(i).content) {
    case svcode::Content::Outside:
      return numbers_.fresh();
    case svcode::Content::Same:
      return of_first().content;
    case svcode::Content::OfLength:
      return numbers_.named({Same, static_cast<std::int64_t>(i.opcode), of_first().length});
    case svcode::Content::Function:
      break;
  }
  if (i.opcode == Opcode::Map && i.op() == scalars::row<"+">() && is(i.arguments[1], snesl::int_atom(0)))
    return of_first().content;
  if (row(i).undoes && definition(i.arguments[0]).opcode == *row(i).undoes)
    return of(definition(i.arguments[0]).arguments[0]).content;
  Key key = svcode::key_of(i);
  key.insert(key.begin(), Same);
  for (const StreamId s : i.arguments) key.push_back(of(s).content);
  return numbers_.named(std::move(key));
}

int Facts::length(const Instr& i, const Fact& known) {
  if (row(i).length.known()) return number_of(row(i).length, i);
  if (i.opcode == Opcode::Input && single_inputs_.contains(i.number())) return exactly(1);
  if (!known.uniform || !row(i).trues.known()) return numbers_.fresh();
  return numbers_.times(number_of(row(i).trues, i), numbers_.plus(*known.uniform, exactly(1)));
}

int Facts::trues(const Instr& i, const Fact& known) {
  if (i.type != Prim::Bool) return exactly(0);
  if (known.value) return known.value->integer != 0 ? known.length : exactly(0);
  if (row(i).trues.known()) return number_of(row(i).trues, i);
  if (i.opcode == Opcode::Map && i.op() == scalars::row<"not">())
    return numbers_.minus(known.length, of(i.arguments[0]).trues);
  if (i.opcode == Opcode::Input && descriptor_inputs_.contains(i.number())) return exactly(1);
  return numbers_.named({Trues, known.content});
}

// Of whose segments something is known. What `ends` makes of any flags need not end with one.
bool Facts::is_descriptor(const Instr& i) const {
  return i.opcode == Opcode::Input || (row(i).trues.known() && row(i).rule == svcode::ElementRule::Unary);
}

void Facts::add(const Instr& i) {
  Fact f;
  f.value = value(i);
  if (i.type == Prim::Bool) f.uniform = uniform(i, f);
  if (f.uniform) f.segment = number(*f.uniform);
  f.length = length(i, f);
  f.content = content(i);
  f.each = each(i, f);
  if (!f.value && i.type == Prim::Int && f.each)
    if (const auto n = constant(*f.each)) f.value = snesl::int_atom(*n);
  f.exact = exactness(i, f);
  if (f.each) f.content = numbers_.named({Repeated, *f.each, f.length});
  f.trues = trues(i, f);
  f.children = children(i, f);
  if (i.type == Prim::Bool && !f.value && is_descriptor(i)) {
    if (number(f.trues) == 1 && !f.uniform) f.uniform = f.children, f.segment = number(f.children);
    // A descriptor is its segments and their lengths; one with one segment is its length.
    if (number(f.trues) == 1)
      f.content = numbers_.named({Same, static_cast<std::int64_t>(Opcode::Terminated), f.children});
    else if (f.uniform)
      f.content = numbers_.named({Same, static_cast<std::int64_t>(Opcode::ToFlags), f.trues, *f.uniform});
  }
  f.gates = gates_of(i);
  f.natural = natural(i, f);
  if (i.type == Prim::Int) f.below = below(i, f);
  instructions_.push_back(i);
  facts_.push_back(f);
}

}  // namespace lockstep::streaming
