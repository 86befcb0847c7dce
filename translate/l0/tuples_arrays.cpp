// The tuple transformation of arrays: leaf by leaf.
#include "translate/l0/flattening.h"

namespace lockstep::l0 {

// Of tuples an array of each leaf, after the elements have been evaluated from the left to the right.
Flat Flattening::of(const ArrayExpr& a, const Expr& e) {
  Flat out;
  const std::size_t n = leaf_count(a.items[0]->type.value);
  std::vector<std::vector<ExprRef>> columns(n);
  for (const ExprRef& item : a.items) {
    if (n == 1) {
      Flat f = flat(*item);
      append(out.before, std::move(f.before));
      columns[0].emplace_back(std::move(f.leaves[0]));
      continue;
    }
    std::vector<Expr> leaves = named(*item, out.before, "x");
    for (std::size_t k = 0; k < n; ++k) columns[k].emplace_back(std::move(leaves[k]));
  }
  for (std::vector<ExprRef>& column : columns) out.leaves.push_back({ArrayExpr{std::move(column)}, e.region});
  return out;
}

Flat Flattening::of(const IndexExpr& i, const Expr& e) {
  Flat out;
  const std::vector<std::string>& arrays = names_.at(i.array);
  std::vector<ExprRef> indices;
  if (arrays.size() == 1)
    indices = all(i.indices, out.before);
  else
    for (const ExprRef& x : i.indices) indices.emplace_back(named(*x, out.before, "i")[0]);
  for (const std::string& array : arrays) out.leaves.push_back({IndexExpr{array, i.array_region, indices}, e.region});
  return out;
}

Flat Flattening::of(const BuiltInExpr& b, const Expr& e) {
  std::vector<Binding> before;
  const auto same = [&](Expr leaf) { return BuiltInExpr{b.op, {std::move(leaf)}}; };
  switch (b.op) {
    case BuiltIn::Zip:
    case BuiltIn::AssertZip:
      return zip(b, e);
    case BuiltIn::Unzip:
      return flat(*b.arguments[0]);
    case BuiltIn::Size: {
      Flat f = flat(*b.arguments[0]);
      return one(std::move(f.before), BuiltInExpr{b.op, {std::move(f.leaves[0])}}, e.region);
    }
    case BuiltIn::Iota:
    case BuiltIn::Transpose:
    case BuiltIn::Copy:
      return by_leaf({}, *b.arguments[0], same, e.region);
    case BuiltIn::Replicate: {
      const Expr n = named(*b.arguments[0], before, "n")[0];
      return by_leaf(
          std::move(before), *b.arguments[1],
          [&](Expr leaf) {
            return BuiltInExpr{b.op, {n, std::move(leaf)}};
          },
          e.region);
    }
    case BuiltIn::Split:
      return split(b, e);
    case BuiltIn::Concat: {
      std::vector<Expr> left = named(*b.arguments[0], before, "a"), right = named(*b.arguments[1], before, "b");
      Flat out{std::move(before), {}};
      for (std::size_t k = 0; k < left.size(); ++k)
        out.leaves.push_back({BuiltInExpr{b.op, {std::move(left[k]), std::move(right[k])}}, e.region});
      return out;
    }
  }
  throw Bug("a built-in of no kind");
}

Flat Flattening::zip(const BuiltInExpr& b, const Expr& e) {
  Flat out;
  std::vector<ExprRef> first;
  for (const ExprRef& a : b.arguments) {
    std::vector<Expr> leaves = named(*a, out.before, "z");
    first.emplace_back(leaves[0]);
    for (Expr& leaf : leaves) out.leaves.push_back(std::move(leaf));
  }
  Expr check{BuiltInExpr{BuiltIn::AssertZip, std::move(first)}, e.region};
  if (b.op == BuiltIn::AssertZip) {
    out.leaves.clear();
    out.leaves.push_back(std::move(check));
    return out;
  }
  out.before.push_back(let(fresh_.name("d"), std::move(check)));
  return out;
}

// (first parts, rests), leaf by leaf.
Flat Flattening::split(const BuiltInExpr& b, const Expr& e) {
  Flat out;
  const Expr k = named(*b.arguments[0], out.before, "k")[0];
  Flat a = flat(*b.arguments[1]);
  append(out.before, std::move(a.before));
  std::vector<Expr> rests;
  for (Expr& leaf : a.leaves) {
    const std::string first = fresh_.name("first"), rest = fresh_.name("rest");
    out.before.push_back(
        let(pattern_of({first, rest}, e.region), {BuiltInExpr{BuiltIn::Split, {k, std::move(leaf)}}, e.region}));
    out.leaves.push_back(variable(first, e.region));
    rests.push_back(variable(rest, e.region));
  }
  for (Expr& rest : rests) out.leaves.push_back(std::move(rest));
  return out;
}

Flat Flattening::of(const ShiftExpr& s, const Expr& e) {
  return by_leaf(
      {}, *s.array,
      [&](Expr leaf) {
        return ShiftExpr{s.dimension, s.places, std::move(leaf)};
      },
      e.region);
}

Flat Flattening::of(const FlattenExpr& f, const Expr& e) {
  return by_leaf(
      {}, *f.array,
      [&](Expr leaf) {
        return FlattenExpr{f.dimensions, std::move(leaf)};
      },
      e.region);
}

// What a function has of its own is evaluated before the arrays, once.
Flat Flattening::of(const SoacExpr& s, const Expr& e) {
  std::vector<Binding> before;
  SoacExpr made{soac_words[s.op].several, {}, {}};
  for (const Fn& f : s.functions) made.functions.push_back(function_place(f, before));
  made.arguments = all(s.arguments, before);
  return taken_apart(std::move(before), {std::move(made), e.region}, e.type.value);
}

Fn Flattening::function_place(const Fn& f, std::vector<Binding>& before) {
  Fn out{f.node, f.region};
  match(
      out.node,
      [&](Lambda& l) {
        l.parameters = parameters(l.parameters);
        l.body = whole(*l.body);
        l.result = flat_type(l.result);
      },
      [&](NamedFunction& n) { n.arguments = all(n.arguments, before); },
      [&](OperatorFunction& o) {
        if (!o.first) return;
        Flat first = flat(**o.first);
        append(before, std::move(first.before));
        o.first = std::move(first.leaves[0]);
      },
      [](PrefixFunction&) {});
  return out;
}

}  // namespace lockstep::l0
