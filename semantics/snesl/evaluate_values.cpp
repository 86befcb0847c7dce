// The values of F_φ, and its traps. What the thesis leaves open: flagpart({}, {}) is {}, the inverse of concat({}); one
// sequence zipped gives a tuple of one only where the type says so.
#include <limits>
#include <new>

#include "semantics/core/memory_limit.h"
#include "semantics/snesl/evaluate_plan.h"

namespace lockstep::snesl::plan {

namespace {

[[noreturn]] void trap(std::string primitive, std::string message, const Region& region) {
  throw TrapSignal{{std::move(primitive), std::move(message), region}};
}
std::string count(std::size_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

// A copy of the items, of another kind.
Values copied(const Value& v) { return v.items ? Values(*v.items) : Values(); }
void append(Values& to, const Value& from) {
  if (from.items) to.insert(to.end(), from.items->begin(), from.items->end());
}
std::string text_of(const Value& v) {
  std::string text;
  text.reserve(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) text += static_cast<char>(v[i].atom.integer);
  return text;
}
Value characters(std::string_view text) {
  Values items;
  items.reserve(text.size());
  for (const char c : text) items.push_back(atom_value(char_atom(static_cast<unsigned char>(c))));
  return sequence_value(std::move(items));
}

Value the(const Value& s, const Region& region) {
  if (s.size() != 1) trap("the", "the sequence has " + count(s.size(), "element") + ", not one", region);
  return s[0];
}

Value mkseq(Arguments x) {
  Values items;
  items.reserve(x.size());
  for (const Value* v : x) items.push_back(*v);
  return sequence_value(std::move(items));
}

Value appended(const Value& a, const Value& b) {
  if (a.size() == 0) return b;
  if (b.size() == 0) return a;
  Values items;
  items.reserve(a.size() + b.size());
  append(items, a);
  append(items, b);
  return sequence_value(std::move(items));
}

bool is_tuple_of_one(const Type& t) { return as<TupleType>(t) && as<TupleType>(t)->items.size() == 1; }

Value zip(Arguments x, const Type& type, const Region& region) {
  for (const Value* v : x)
    if (v->size() != x[0]->size())
      trap("zip", "sequences of unequal lengths, " + std::to_string(std::min(x[0]->size(), v->size())) + " and more",
           region);
  if (x.size() == 1 && !(as<SequenceType>(type) && is_tuple_of_one(*as<SequenceType>(type)->element))) return *x[0];
  Values items;
  items.reserve(x[0]->size());
  for (std::size_t i = 0; i < x[0]->size(); ++i) {
    Values row;
    row.reserve(x.size());
    for (const Value* v : x) row.push_back((*v)[i]);
    items.push_back(tuple_value(std::move(row)));
  }
  return sequence_value(std::move(items));
}

Value unzip(const Value& s, const Type& type) {
  const auto* result = as<TupleType>(type);
  if (!result) return s;  // of one component, which stands for itself
  std::vector<Values> columns(result->items.size());
  for (Values& column : columns) column.reserve(s.size());
  for (std::size_t i = 0; i < s.size(); ++i)
    for (std::size_t k = 0; k < columns.size(); ++k) columns[k].push_back(s[i][k]);
  Values sequences;
  for (Values& column : columns) sequences.push_back(sequence_value(std::move(column)));
  return tuple_value(std::move(sequences));
}

Value flagpart(const Value& s, const Value& flags, const Region& region) {
  std::size_t ends = 0;
  for (std::size_t i = 0; i < flags.size(); ++i) ends += flags[i].atom.integer != 0;
  if (flags.size() - ends != s.size())
    trap("flagpart",
         "the elements and the false flags are not as many, " +
             std::to_string(std::min(flags.size() - ends, s.size())) + " and more",
         region);
  if (flags.size() > 0 && !flags[flags.size() - 1].atom.integer)
    trap("flagpart", "the last flag, " + std::to_string(flags.size() - 1) + ", is not true", region);
  Values pieces;
  pieces.reserve(ends);
  Values piece;
  std::size_t next = 0;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (!flags[i].atom.integer) {
      piece.push_back(s[next++]);
      continue;
    }
    pieces.push_back(sequence_value(std::move(piece)));
    piece = {};
  }
  return sequence_value(std::move(pieces));
}

Value sep(const Value& s) {
  Values pieces;
  Values piece;
  for (std::size_t i = 0; i < s.size(); ++i) {
    piece.push_back(s[i][0]);
    if (!s[i][1].atom.integer && i + 1 < s.size()) continue;
    pieces.push_back(sequence_value(std::move(piece)));
    piece = {};
  }
  return sequence_value(std::move(pieces));
}

Value concat(const Value& s) {
  std::size_t total = 0;
  for (std::size_t i = 0; i < s.size(); ++i) total += s[i].size();
  Values items;
  items.reserve(total);
  for (std::size_t i = 0; i < s.size(); ++i) append(items, s[i]);
  return sequence_value(std::move(items));
}

Value tail_flags(const Value& s) {
  Values flags;
  flags.reserve(s.size());
  for (std::size_t i = 0; i < s.size(); ++i) flags.push_back(atom_value(bool_atom(i + 1 == s.size())));
  return sequence_value(std::move(flags));
}

Value iota(std::int64_t n, const Region& region) {
  if (n < 0) trap("&", "the number " + std::to_string(n) + " is negative", region);
  Values items;
  if (static_cast<std::uint64_t>(n) > items.max_size())
    throw not_enough_memory(static_cast<std::uint64_t>(n), sizeof(Value));
  items.reserve(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) items.push_back(atom_value(int_atom(i)));
  return sequence_value(std::move(items));
}

Value index(const Value& v, std::int64_t i, const Region& region) {
  if (i < 0 || i >= static_cast<std::int64_t>(v.size()))
    trap("!", "index " + std::to_string(i) + " is outside [0, " + std::to_string(v.size()) + ")", region);
  return v[static_cast<std::size_t>(i)];
}

Prim prim_of(const Type& t) {
  const Prim* p = as<Prim>(t);
  if (!p) throw Bug("evaluate: a reduction of " + show(t));
  return *p;
}

Value reduce(Monoid r, const Value& s, const Type& type, const Region& region, const Domain& domain) {
  if (s.size() == 0 && r == Monoid::Max) trap("maximum", "the sequence is empty", region);
  if (s.size() == 0 && r == Monoid::Min) trap("minimum", "the sequence is empty", region);
  Reduction total(r, prim_of(type), domain);
  for (std::size_t i = 0; i < s.size(); ++i) total.add(s[i].atom);
  return atom_value(total.value());
}

Value scan(Monoid r, const Value& s, const Type& type, const Domain& domain) {
  const auto* sequence = as<SequenceType>(type);
  if (!sequence) throw Bug("evaluate: a scan that is no sequence");
  PrefixScan prefix(r, prim_of(*sequence->element), domain);
  Values items;
  items.reserve(s.size());
  for (std::size_t i = 0; i < s.size(); ++i) {
    items.push_back(atom_value(prefix.value()));
    prefix.add(s[i].atom);
  }
  return sequence_value(std::move(items));
}

}  // namespace

Value value_of(const core::Expr& e, Arguments x, Files& files, const Domain& domain) {
  const auto& a = std::get<core::Apply>(e.node);
  switch (a.builtin) {
    case core::Builtin::Scalar:
      break;
    case core::Builtin::Mkseq:
      return mkseq(x);
    case core::Builtin::Empty:
      return atom_value(bool_atom(x[0]->size() == 0));
    case core::Builtin::The:
      return the(*x[0], e.region);
    case core::Builtin::Append:
      return appended(*x[0], *x[1]);
    case core::Builtin::Zip:
      return zip(x, e.type, e.region);
    case core::Builtin::Unzip:
      return unzip(*x[0], e.type);
    case core::Builtin::Flagpart:
      return flagpart(*x[0], *x[1], e.region);
    case core::Builtin::Sep:
      return sep(*x[0]);
    case core::Builtin::Concat:
      return concat(*x[0]);
    case core::Builtin::TailFlags:
      return tail_flags(*x[0]);
    case core::Builtin::Iota:
      return iota(x[0]->atom.integer, e.region);
    case core::Builtin::Tab:
      return vector_value(copied(*x[0]));
    case core::Builtin::Seq:
      return sequence_value(copied(*x[0]));
    case core::Builtin::Length:
    case core::Builtin::SeqLength:
      return atom_value(int_atom(static_cast<std::int64_t>(x[0]->size())));
    case core::Builtin::Index:
      return index(*x[0], x[1]->atom.integer, e.region);
    case core::Builtin::Reduce:
      return reduce(a.monoid, *x[0], e.type, e.region, domain);
    case core::Builtin::Reduce1:
      if (x[0]->size() == 0) trap("reduce1-" + std::string(name_of(a.monoid)), "the sequence is empty", e.region);
      return reduce(a.monoid, *x[0], e.type, e.region, domain);
    case core::Builtin::Scan:
      return scan(a.monoid, *x[0], e.type, domain);
    case core::Builtin::ReadFile:
      return characters(files.read(text_of(*x[0]), e.region));
    case core::Builtin::WriteFile:
      files.write(text_of(*x[0]), text_of(*x[1]), e.region);
      return tuple_value({});
  }
  throw Bug("evaluate: no such built-in");
}

}  // namespace lockstep::snesl::plan
