// Arrays: what gives them, what goes over them, loops.
#include <algorithm>

#include "semantics/l0/words.h"
#include "translate/l0/lower/lowering.h"

namespace lockstep::l0::lowering {
namespace {

Shape array_of(const Size& n, Shape row) {
  row.lengths.insert(row.lengths.begin(), n);
  row.number.reset();
  return row;
}
Shapes arrays_of(const Size& n, Shapes rows) {
  for (Shape& r : rows) r = array_of(n, std::move(r));
  return rows;
}
Shape row_of(Shape s) {
  s.lengths.erase(s.lengths.begin());
  return s;
}

}  // namespace

Shapes without_numbers(Shapes all) {
  for (Shape& s : all) s.number.reset();
  return all;
}

Expr Lowering::size(const Size& s, const Region& at) {
  const Size n = sizes_.natural(s, at);
  collect_names(n, used_);
  return source_of(n);
}

Size Lowering::length_of(const Term& number, const std::string& what, const Region& at) {
  if (!number.leaves[0].number) refuse(at, "the length of " + what + " is known only when it runs");
  return sizes_.natural(*number.leaves[0].number, at);
}

Term Lowering::array(const ArrayExpr& a, const Region& at) {
  surface::ArrayLiteral all;
  std::vector<Term> items = terms(a.items);
  Shapes row = without_numbers(items[0].leaves);
  for (Term& t : items) {
    row = same(row, t.leaves, at);
    all.parts.push_back(std::move(t.expr));
  }
  return {Expr{std::move(all), {}}, arrays_of(Size(static_cast<std::int64_t>(items.size())), std::move(row))};
}

// .dpia has no program that is outside for certain; L0 has, and it traps.
void Lowering::refuse_outside(const Term& index, const Size& length, const Region& at) const {
  const auto i = index.leaves[0].number ? index.leaves[0].number->constant() : std::nullopt;
  const auto n = sizes_.current(length).constant();
  if (i && (*i < 0 || (n && *i >= *n)))
    refuse(at, "the index " + std::to_string(*i) + " is outside an array of length " + show(sizes_.current(length)) +
                   ": where this is run it traps");
}

Term Lowering::indexed_term(const IndexExpr& i) {
  Term a = variable(i.array);
  for (std::size_t k = 0; Term & t : terms(i.indices)) {
    refuse_outside(t, a.leaves[0].lengths[0], i.indices[k++]->region);
    a.expr = indexed(std::move(a.expr), std::move(t.expr));
    a.leaves[0] = row_of(std::move(a.leaves[0]));
  }
  return a;
}

// a with [i, j] <- v: the row at i is the one of before with v at j.
Term Lowering::updated(const UpdateBinding& u) {
  const Term source = variable(u.source);
  std::vector<Expr> rows{source.expr};
  std::vector<Term> indices = terms(u.indices);
  Shape row = source.leaves[0];
  for (std::size_t k = 0; k + 1 < indices.size(); ++k) rows.push_back(indexed(rows.back(), indices[k].expr));
  for (std::size_t k = 0; k < indices.size(); ++k) {
    refuse_outside(indices[k], row.lengths[0], u.indices[k]->region);
    row = row_of(std::move(row));
  }
  Term value = term(*u.value);
  same({row}, {value.leaves[0]}, u.value->region);
  Expr out = std::move(value.expr);
  for (std::size_t k = indices.size(); k-- > 0;) out = call("update", {rows[k], indices[k].expr, std::move(out)});
  return {std::move(out), source.leaves};
}

Term Lowering::shifted(Term t, std::int64_t dimension, std::int64_t places) {
  // neighbours change places, the outer one at this depth
  const auto swapped = [&](const auto& self, Expr a, std::int64_t depth) -> Expr {
    if (depth == 0) return call("transpose", {std::move(a)});
    const std::string row = fresh("row");
    return call("map", {lambda({pattern({row})}, self(self, name(row), depth - 1)), std::move(a)});
  };
  const std::int64_t step = places < 0 ? -1 : 1;
  for (std::int64_t at = dimension - 1; places != 0; at += step, places -= step) {
    const std::int64_t outer = std::min(at, at + step);
    t.expr = swapped(swapped, std::move(t.expr), outer);
    auto& lengths = t.leaves[0].lengths;
    std::swap(lengths[static_cast<std::size_t>(outer)], lengths[static_cast<std::size_t>(outer + 1)]);
  }
  return t;
}

Term Lowering::flattened(Term t, std::int64_t dimensions) {
  auto& lengths = t.leaves[0].lengths;
  for (std::int64_t k = 1; k < dimensions; ++k) {
    t.expr = call("join", {std::move(t.expr)});
    lengths[1] = lengths[0] * lengths[1];
    lengths.erase(lengths.begin());
  }
  return t;
}

Term Lowering::split(std::vector<Term> x, const Region& at) {
  const Shape all = x[1].leaves[0];
  const Size k = length_of(x[0], "the first part of split", at), n = all.lengths[0];
  sizes_.at_most(k, n, at);
  const Expr first = call("take", {size(k, at), x[1].expr}), rest = call("drop", {size(k, at), x[1].expr});
  return {tuple({first, rest}), {array_of(k, row_of(all)), array_of(sizes_.current(n) - k, row_of(all))}};
}

Term Lowering::built_in(const BuiltInExpr& b, const Region& at) {
  std::vector<Term> x = terms(b.arguments);
  switch (b.op) {
    case BuiltIn::Zip:
    case BuiltIn::Unzip:
      throw Bug("zip in a program without tuples");
    case BuiltIn::AssertZip:
      for (std::size_t k = 1; k < x.size(); ++k) sizes_.same(x[0].leaves[0].lengths[0], x[k].leaves[0].lengths[0], at);
      return {Expr{surface::Literal{"true", std::nullopt}, {}}, {Shape{ScalarType::Bool, {}, {}}}};
    case BuiltIn::Iota: {
      const Size n = length_of(x[0], "iota", at);
      return {call("iota", {size(n, at)}), {Shape{ScalarType::I64, {n}, {}}}};
    }
    case BuiltIn::Size: {
      const Size n = x[0].leaves[0].lengths[0];
      return {call("i64", {size(n, at)}), {Shape{ScalarType::I64, {}, n}}};
    }
    case BuiltIn::Transpose:
      return shifted(std::move(x[0]), 1, 1);
    case BuiltIn::Copy:
      return std::move(x[0]);
    case BuiltIn::Replicate: {
      const Size n = length_of(x[0], "replicate", at);
      return {call("replicate", {size(n, at), x[1].expr}), arrays_of(n, x[1].leaves)};
    }
    case BuiltIn::Split:
      return split(std::move(x), at);
    case BuiltIn::Concat: {
      const Shape &a = x[0].leaves[0], &c = x[1].leaves[0];
      Shape row = same({row_of(a)}, {row_of(c)}, at)[0];
      return {call("concat", {x[0].expr, x[1].expr}), {array_of(a.lengths[0] + c.lengths[0], std::move(row))}};
    }
  }
  throw Bug("no built-in");
}

Lowering::Zipped Lowering::zipped(std::vector<Term> arrays, const Region& at) {
  Zipped out{arrays.back().expr, arrays[0].leaves[0].lengths[0], {}};
  for (std::size_t k = arrays.size() - 1; k-- > 0;) out.expr = call("zip", {arrays[k].expr, std::move(out.expr)});
  for (const Term& t : arrays) {
    out.length = sizes_.same(out.length, t.leaves[0].lengths[0], at);
    out.elements.push_back(row_of(t.leaves[0]));
  }
  return out;
}

surface::Pattern Lowering::parameters(const std::vector<Parameter>& all, std::size_t first, const Shapes& shapes) {
  std::vector<std::string> shown;
  for (std::size_t k = 0; k < shapes.size(); ++k) shown.push_back(introduce(all.at(first + k).name, shapes[k]));
  return pattern(shown);
}

// An array of tuples as a tuple of arrays.
Expr Lowering::unzipped(Expr array, std::size_t leaves) {
  if (leaves == 1) return array;
  Expr two = call("unzip", {std::move(array)});
  if (leaves == 2) return two;
  const std::string first = fresh("first"), rest = fresh("rest");
  return let(pattern({first, rest}), std::move(two), tuple({name(first), unzipped(name(rest), leaves - 1)}));
}

Term Lowering::soac(const SoacExpr& s, const Region& at) {
  const auto* f = std::get_if<Lambda>(&s.functions.back().node);
  if (!f) refuse(at, "the function of " + std::string(name_of(s.op)) + " stays a call: it is recursive, or too large");
  std::vector<Term> x = terms(s.arguments);
  switch (s.op) {
    case Soac::Map:
    case Soac::Map2:
      return map(*f, std::move(x), at);
    case Soac::Filter:
    case Soac::Filter2:
      refuse(at, "the length of what filter gives is known only when it runs");
    case Soac::Reduce:
    case Soac::Reduce2:
    case Soac::Scan:
    case Soac::Scan2:
    case Soac::Redomap:
    case Soac::Redomap2:
      return fold(*f, s, std::move(x), at);
  }
  throw Bug("no array operation");
}

Term Lowering::map(const Lambda& f, std::vector<Term> arrays, const Region& at) {
  Zipped all = zipped(std::move(arrays), at);
  surface::Pattern p = parameters(f.parameters, 0, all.elements);
  Term row = term(*f.body);
  Expr mapped = call("map", {lambda({std::move(p)}, std::move(row.expr)), std::move(all.expr)});
  const std::size_t leaves = row.leaves.size();
  return {unzipped(std::move(mapped), leaves), arrays_of(all.length, std::move(row.leaves))};
}

// The accumulator is second, and a fold goes from the left whatever is known of its function.
Term Lowering::fold(const Lambda& f, const SoacExpr& s, std::vector<Term> x, const Region& at) {
  const std::size_t starts = s.starts.value;
  std::vector<Expr> start;
  Shapes state;
  for (std::size_t k = 0; k < starts; ++k) {
    start.push_back(x[k].expr);
    state.push_back(x[k].leaves[0]);
  }
  state = without_numbers(std::move(state));
  x.erase(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(starts));
  Zipped all = zipped(std::move(x), at);
  surface::Pattern accumulator = parameters(f.parameters, 0, state);
  surface::Pattern element = parameters(f.parameters, starts, all.elements);
  Term step = term(*f.body);
  state = steady(state, step.leaves, at);
  const bool scans = s.op == Soac::Scan || s.op == Soac::Scan2;
  Expr folded =
      call(scans ? "scan" : "reduceSeq", {lambda({std::move(element), std::move(accumulator)}, std::move(step.expr)),
                                          tuple(std::move(start)), std::move(all.expr)});
  if (!scans) return {std::move(folded), std::move(state)};
  return {unzipped(std::move(folded), starts), arrays_of(all.length, std::move(state))};
}

Shapes Lowering::steady(const Shapes& state, const Shapes& step, const Region& at) {
  for (std::size_t k = 0; k < state.size(); ++k)
    for (std::size_t d = 0; d < state[k].lengths.size(); ++d)
      if (!sizes_.may_be_same(state[k].lengths[d], step[k].lengths[d]))
        refuse(at, "a length is " + show(sizes_.current(state[k].lengths[d])) + " before a round and " +
                       show(sizes_.current(step[k].lengths[d])) +
                       " after it: arrays that change their shape from "
                       "round to round are not taken there");
  return without_numbers(same(state, step, at));
}

Term Lowering::loop(const LoopBinding& l, const Region& at) {
  Term init = term(*l.init), bound = term(*l.bound);
  Shapes state = without_numbers(init.leaves);
  std::vector<std::string> merged;
  const std::string index = introduce(l.index, Shape{ScalarType::I64, {}, {}});
  for (std::size_t k = 0; const std::string& n : names_in(l.merge)) merged.push_back(introduce(n, state.at(k++)));
  Term step = term(*l.step);
  state = steady(state, step.leaves, at);
  if (bound.leaves[0].number) {
    Expr rounds = call("iota", {size(*bound.leaves[0].number, at)});
    return {call("reduceSeq", {lambda({pattern({index}), pattern(merged)}, std::move(step.expr)), std::move(init.expr),
                               std::move(rounds)}),
            std::move(state)};
  }
  const std::string rounds = fresh("rounds");
  std::vector<std::string> all{index};
  all.insert(all.end(), merged.begin(), merged.end());
  const surface::Pattern each = pattern(all);
  Expr going = lambda({each}, binary("<", name(index), name(rounds)));
  Expr next = lambda({each}, tuple({binary("+", name(index), integer(1)), std::move(step.expr)}));
  Expr last =
      call("snd", {call("while", {std::move(going), std::move(next), tuple({integer(0), std::move(init.expr)})})});
  return {let(pattern({rounds}), std::move(bound.expr), std::move(last)), std::move(state)};
}

}  // namespace lockstep::l0::lowering
