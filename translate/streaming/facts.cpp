#include "translate/streaming/facts.h"

#include <bit>

namespace lockstep::streaming {

using svcode::Atom;
using svcode::Instr;
using svcode::Opcode;
using svcode::Prim;
using svcode::ScalarOp;
using svcode::StreamId;

namespace {

// The first number of a key, which says what is numbered.
enum Kind : std::int64_t { Same, Repeated, Own, Exact, Sum, Trues, Length, Children };

std::int64_t bits_of(const Atom& a) { return a.type == Prim::Real ? std::bit_cast<std::int64_t>(a.real) : a.integer; }

using Count = std::optional<std::int64_t>;
Count plus(Count a, Count b) {
  std::int64_t r = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &r)) return {};
  return r;
}
Count times(Count a, Count b) {
  std::int64_t r = 0;
  if (!a || !b || __builtin_mul_overflow(*a, *b, &r)) return {};
  return r;
}
Count less(Count a, Count b) { return b ? plus(a, -*b) : Count{}; }

// The inputs that are starts or lengths of vectors, and those that are descriptors of parameters.
void number_inputs(const snesl::Type& t, bool alone, std::int64_t& next, std::set<std::int64_t>& natural,
                   std::set<std::int64_t>& descriptors) {
  std::visit(Cases{[&](Prim) { ++next; },
                   [&](const snesl::TupleType& tuple) {
                     for (const snesl::Type& item : tuple.items) number_inputs(item, alone, next, natural, descriptors);
                   },
                   [&](const snesl::VectorType& v) {
                     number_inputs(*v.element, false, next, natural, descriptors);
                     natural.insert({next, next + 1});
                     next += 2;
                   },
                   [&](const snesl::SequenceType& s) {
                     number_inputs(*s.element, false, next, natural, descriptors);
                     if (alone) descriptors.insert(next);
                     ++next;
                   }},
             t.node);
}

}  // namespace

Facts::Facts(const std::vector<snesl::Type>& parameters) {
  std::int64_t next = 0;
  for (const snesl::Type& t : parameters) number_inputs(t, true, next, natural_inputs_, descriptor_inputs_);
}

int Facts::numbered(Key key) {
  return numbers_.try_emplace(std::move(key), static_cast<int>(numbers_.size())).first->second;
}

int Facts::count(Count n, Key otherwise) {
  if (!n) return numbered(std::move(otherwise));
  const int c = numbered({Exact, *n});
  if (*n >= 0) known_[c] = *n;  // `&` of a negative number never gets as far: its check traps
  return c;
}

Count Facts::number(int c) const {
  const auto found = known_.find(c);
  return found == known_.end() ? Count{} : Count{found->second};
}

bool Facts::complementary(StreamId b1, StreamId b2) const {
  const Fact &x = of(b1), &y = of(b2);
  if (x.value && y.value && x.length == y.length) return x.value->integer != y.value->integer;
  const auto negates = [&](StreamId b, StreamId other) {
    const Instr& i = definition(b);
    return i.opcode == Opcode::Map && i.op == ScalarOp::Not && of(i.arguments[0]).content == of(other).content;
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
  if (known.segment == 1) return known.trues;
  if (known.segment == 0) return exactly(0);
  switch (i.opcode) {
    case Opcode::ToFlags: {
      const StreamId n = i.arguments[0];
      if (definition(n).opcode == Opcode::Lens) return of(definition(n).arguments[0]).children;
      return count(times(number(of(n).length), known.segment), {Sum, of(n).content});
    }
    case Opcode::Terminated:
    case Opcode::Ends:
      return of(i.arguments[0]).length;
    case Opcode::B2u:
      return of(i.arguments[0]).trues;
    case Opcode::Usegsum:
      return of(i.arguments[1]).children;
    default:
      return count(less(number(known.length), number(known.trues)), {Children, known.content});
  }
}

// The elements are a function of the opcode and the arguments' elements, but for what comes from outside.
int Facts::content(const Instr& i, int length) {
  const auto repeated = [&](const Atom& a) {
    return numbered({Repeated, static_cast<std::int64_t>(a.type), bits_of(a), length});
  };
  switch (i.opcode) {
    case Opcode::Input:
    case Opcode::ReadFile:
    case Opcode::ReadWhole:
      return numbered({Own, static_cast<std::int64_t>(facts_.size())});
    case Opcode::Segtab:
      return of(i.arguments[0]).content;
    case Opcode::Terminated:
      return numbered({Same, static_cast<std::int64_t>(i.opcode), of(i.arguments[0]).length});
    case Opcode::Map:
      if (i.op == ScalarOp::Add && is(i.arguments[1], snesl::int_atom(0))) return of(i.arguments[0]).content;
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
  if (const auto a = value(i)) return repeated(*a);
  Key key = {Same,
             static_cast<std::int64_t>(i.opcode),
             static_cast<std::int64_t>(i.op),
             static_cast<std::int64_t>(i.monoid),
             static_cast<std::int64_t>(i.atom.type),
             bits_of(i.atom),
             i.number};
  for (const StreamId s : i.arguments) key.push_back(of(s).content);
  return numbered(std::move(key));
}

int Facts::length(const Instr& i) {
  const auto arg = [&](std::size_t k) -> const Fact& { return of(i.arguments[k]); };
  const auto known = [&](std::size_t k) { return number(arg(k).length); };
  const auto own = [&](Count n) {
    Key key = {Length, static_cast<std::int64_t>(facts_.size())};
    return count(n, std::move(key));
  };
  // Of all arguments, or of every second one.
  const auto total = [&](std::size_t first, std::size_t step) {
    Count n = 0;
    for (std::size_t k = first; k < i.arguments.size(); k += step) n = plus(n, known(k));
    return n;
  };
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
      return own(plus(known(0), number(arg(0).trues)));
    case Opcode::ToFlags: {
      const auto n = arg(0).value ? Count{arg(0).value->integer} : Count{};
      return own(times(known(0), plus(n, 1)));
    }
    case Opcode::Range: {
      const auto n = arg(0).value ? Count{arg(0).value->integer} : Count{};
      if (!n && definition(i.arguments[0]).opcode == Opcode::Lens)
        return of(definition(i.arguments[0]).arguments[0]).children;
      return count(n, {Sum, arg(0).content});
    }
    case Opcode::Terminated:
      return own(plus(known(0), 1));
    case Opcode::Usegsum:
      return own(plus(number(arg(0).trues), number(arg(1).children)));
    case Opcode::Pmerge:
    case Opcode::Umerge:
      return own(total(0, 1));
    case Opcode::Segmerge:
    case Opcode::Usegmerge:
      return own(total(1, 2));
    case Opcode::Uappend:
      return own(less(total(0, 1), times(number(arg(0).trues), static_cast<std::int64_t>(i.arguments.size()) - 1)));
    case Opcode::Input:
    case Opcode::Upack:
    case Opcode::ReadFile:
    case Opcode::ReadWhole:
      return own({});
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
    case Opcode::Upack:
      return arg(1).trues;
    case Opcode::Input:
      if (descriptor_inputs_.contains(i.number)) return exactly(1);
      return numbered({Trues, known.content});
    default:
      return numbered({Trues, known.content});
  }
}

void Facts::add(const Instr& i) {
  Fact f;
  f.length = length(i);
  f.value = value(i);
  f.content = content(i, f.length);
  f.trues = trues(i, f);
  f.segment = segment(i);
  f.children = children(i, f);
  // A descriptor with one segment is its length.
  if (i.type == Prim::Bool && !f.value && i.opcode != Opcode::Map && i.opcode != Opcode::Ends && number(f.trues) == 1)
    f.content = numbered({Same, static_cast<std::int64_t>(Opcode::Terminated), f.children});
  f.after_check = i.opcode == Opcode::Check;
  if (f.value && (i.opcode == Opcode::Rep || i.opcode == Opcode::Map))
    for (const StreamId s : i.arguments) f.after_check |= of(s).after_check;
  f.natural = natural(i, f);
  instructions_.push_back(i);
  facts_.push_back(f);
}

}  // namespace lockstep::streaming
