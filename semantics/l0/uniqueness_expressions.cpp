// Aliases and consumption of expressions (Fig. 4), but for array operations with functions.
#include <algorithm>

#include "semantics/l0/aliases.h"

namespace lockstep::l0::aliasing {
namespace {

Shares unions(Shares a, const Shares& b) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k].insert(b[k].begin(), b[k].end());
  return a;
}

}  // namespace

// What it consumes leaves what its value may share data with: that is its only heir.
Found Analysis::find(const Expr& e) {
  Found out = match(e.node, [&](const auto& node) { return find(node, e); });
  leave(out.shares, out.effects);
  return out;
}

Found Analysis::all(const std::vector<ExprRef>& items) {
  Found out;
  for (const ExprRef& item : items) {
    Found one = find(*item);
    out.shares.insert(out.shares.end(), one.shares.begin(), one.shares.end());
    out.effects = beside(std::move(out.effects), std::move(one.effects));
  }
  return out;
}

Found Analysis::find(const Literal&, const Expr& e) { return {fresh(e.type.value)}; }
Found Analysis::find(const TextLiteral&, const Expr& e) { return {fresh(e.type.value)}; }

Found Analysis::find(const l0::Variable& v, const Expr& e) {
  Shares shares;
  for (const Leaf l : leaves_named(v.name)) shares.push_back(l == no_leaf ? Leaves{} : closed({l}));
  return {std::move(shares), use(v.name, e.region)};
}

Found Analysis::find(const TupleExpr& t, const Expr&) { return all(t.items); }
Found Analysis::find(const ArrayExpr& a, const Expr& e) { return {fresh(e.type.value), all(a.items).effects}; }
Found Analysis::find(const PrefixExpr& p, const Expr& e) { return {fresh(e.type.value), find(*p.operand).effects}; }
Found Analysis::find(const InfixExpr& i, const Expr& e) {
  Effects left = find(*i.left).effects;
  return {fresh(e.type.value), beside(std::move(left), find(*i.right).effects)};
}

// Alternatives inside, both afterwards.
Found Analysis::find(const IfExpr& i, const Expr&) {
  Effects condition = find(*i.condition).effects;
  Found yes = find(*i.yes), no = find(*i.no);
  Effects branches = either(std::move(yes.effects), std::move(no.effects));
  return {unions(std::move(yes.shares), no.shares), then(std::move(condition), std::move(branches))};
}

Found Analysis::find(const BlockExpr& b, const Expr&) {
  const Inside inside(scope_);
  Effects effects;
  for (const Binding& x : b.bindings) {
    Effects next = match(x.node, [&](const auto& node) { return define(node, x.region); });
    for (const auto& [leaf, by] : next.consumed) consumed_[&x].insert(name_of(leaf));
    effects = then(std::move(effects), std::move(next));
  }
  Found result = find(*b.result);
  return {std::move(result.shares), then(std::move(effects), std::move(result.effects))};
}

Effects Analysis::define(const LetBinding& b, const Region&) {
  Found value = find(*b.value);
  bind(b.pattern, value.shares);
  return std::move(value.effects);
}

Effects Analysis::define(const UpdateBinding& b, const Region&) {
  Found indices = all(b.indices), value = find(*b.value);
  Effects effects = beside(std::move(indices.effects), std::move(value.effects));
  Leaves source;
  for (const Leaf l : leaves_named(b.source)) source.insert(l);
  const Leaves mine = closed(source), put = together(value.shares);
  if (std::any_of(put.begin(), put.end(), [&](Leaf l) { return mine.count(l) != 0; }))
    report(b.value->region, "the new value may share data with `" + b.source + "`, which it is put into",
           "an array that shares nothing with it", "put a `copy(…)` of it there");
  else
    effects = then(std::move(effects), consume(source, b.source_region, b.source));
  bind(b.name, b.name_region, b.type.value, Origin::Local, Shares(leaf_count(b.type.value)));
  return effects;
}

// A leaf that is consumed consumes what the loop starts with, and so does one whose value comes to be that of a
// consumed leaf in the next round.
void Analysis::find_eaten(Rounds& r) const {
  const std::size_t n = r.merge.size();
  r.eaten.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    if (r.merge[k] == no_leaf) continue;
    r.place.emplace(r.merge[k], k);
    const auto c = r.step.effects.consumed.find(r.merge[k]);
    if (c != r.step.effects.consumed.end()) r.eaten[k] = c->second;
  }
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t k = 0; k < n; ++k)
      for (const Leaf l : r.step.shares[k])
        if (const auto other = r.place.find(l); r.eaten[k] && other != r.place.end() && !r.eaten[other->second]) {
          r.eaten[other->second] = r.eaten[k];
          grows = true;
        }
  }
}

// The least fixed point of what the loop starts with and what a round gives, in the variables outside.
Shares Analysis::after_all(const Rounds& r) const {
  Shares shares = r.init;
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t k = 0; k < shares.size(); ++k)
      for (const Leaf l : r.step.shares[k]) {
        const auto other = r.place.find(l);
        const Leaves more = other != r.place.end() ? shares[other->second] : outside(r, l) ? closed({l}) : Leaves{};
        for (const Leaf m : more) grows = shares[k].insert(m).second || grows;
      }
  }
  return shares;
}

bool Analysis::may_consume(const Rounds& r, std::size_t k, const LoopBinding& b) {
  const std::string where = "it is consumed at " + show_position(r.eaten[k]->at) + "; ";
  if (shared_with_another(r.init, k) || shared_with_another(r.step.shares, k)) {
    report((shared_with_another(r.init, k) ? b.init : b.step)->region,
           "what the loop consumes may share data with another of its values", "values that share nothing",
           where + "let one be a `copy(…)`");
    return false;
  }
  for (const Leaf l : r.step.shares[k]) {
    if (!outside(r, l)) continue;
    report(b.step->region,
           "the loop consumes what comes to share data with `" + name_of(l) + "`, which is defined outside it",
           "an array that the round made, or was given", where + "let the new value be a `copy(" + name_of(l) + ")`");
    return false;
  }
  return true;
}

// The merge names stand for this round's values.
Effects Analysis::define(const LoopBinding& b, const Region&) {
  Found init = find(*b.init);
  Effects before = beside(std::move(init.effects), find(*b.bound).effects);
  Rounds r{init.shares, {}};
  {
    const Within within(*this, Border::Loop);
    r.level = borders_.size();
    r.merge = bind(b.merge, Shares(init.shares.size()));
    bind(b.index, b.index_region, int_type, Origin::Local, Shares(1));
    r.step = find(*b.step);
  }
  find_eaten(r);
  Shares shares = after_all(r);
  Effects starts, inner;
  for (std::size_t k = 0; k < r.merge.size(); ++k)
    if (r.eaten[k] && may_consume(r, k, b)) {
      Effects start = consume(r.init[k], b.init->region, r.eaten[k]->name);
      for (auto& [leaf, by] : start.consumed) by.at = r.eaten[k]->at;
      starts = either(std::move(starts), std::move(start));
    }
  leave(shares, starts);
  for (const auto& [leaf, region] : r.step.effects.used)
    if (outside(r, leaf)) inner.used.emplace(leaf, region);
  Effects effects = then(std::move(before), then(std::move(starts), std::move(inner)));
  bind(b.merge, shares);
  return effects;
}

Found Analysis::find(const IndexExpr& i, const Expr& e) {
  Effects effects = beside(use(i.array, i.array_region), all(i.indices).effects);
  const std::vector<LeafType> types = leaves_of(e.type.value);
  Shares shares;
  for (std::size_t k = 0; k < types.size(); ++k) {
    const Leaf l = leaves_named(i.array)[k];
    shares.push_back(types[k].rank == 0 ? Leaves{} : closed({l}));
  }
  return {std::move(shares), std::move(effects)};
}

Found Analysis::find(const CallExpr& c, const Expr& e) {
  if (const Function* f = function_named(program_, c.function)) return called(*f, c);
  return {fresh(e.type.value), all(c.arguments).effects};
}

// A parameter with a star consumes by its type; what is unique of the result is fresh, and the rest may share data with
// every array that is not consumed.
Found Analysis::called(const Function& f, const CallExpr& c) {
  Effects effects;
  Leaves observed;
  for (std::size_t k = 0; k < c.arguments.size(); ++k) {
    const Expr& argument = *c.arguments[k];
    Found x = find(argument);
    const auto* v = as<l0::Variable>(argument);
    const std::vector<LeafType> types = leaves_of(f.parameters[k].type);
    Effects mine = std::move(x.effects);
    for (std::size_t j = 0; j < types.size(); ++j) {
      if (!types[j].unique) {
        observed.insert(x.shares[j].begin(), x.shares[j].end());
        continue;
      }
      if (shared_with_another(x.shares, j))
        report(argument.region, "what `" + c.function + "` consumes may share data with another part of the tuple",
               "arrays that share nothing", "let one be a `copy(…)`");
      mine = either(std::move(mine), consume(x.shares[j], argument.region, v ? v->name : ""));
    }
    effects = beside(std::move(effects), std::move(mine));
  }
  Shares shares;
  for (const LeafType& t : leaves_of(f.result)) shares.push_back(t.rank == 0 || t.unique ? Leaves{} : closed(observed));
  return {std::move(shares), std::move(effects)};
}

Found Analysis::find(const BuiltInExpr& b, const Expr& e) {
  Found x = all(b.arguments);
  switch (b.op) {
    case BuiltIn::Zip:
    case BuiltIn::Unzip:
    case BuiltIn::Transpose:
      return x;
    case BuiltIn::Split: {
      Shares parts(x.shares.begin() + 1, x.shares.end());  // after where it is cut
      const Shares first = parts;
      parts.insert(parts.end(), first.begin(), first.end());
      return {std::move(parts), std::move(x.effects)};
    }
    case BuiltIn::AssertZip:
    case BuiltIn::Iota:
    case BuiltIn::Size:
    case BuiltIn::Copy:
    case BuiltIn::Replicate:
    case BuiltIn::Concat:
      return {fresh(e.type.value), std::move(x.effects)};
  }
  throw Bug("a built-in of no kind");
}

Found Analysis::find(const ShiftExpr& s, const Expr&) { return find(*s.array); }
Found Analysis::find(const FlattenExpr& f, const Expr&) { return find(*f.array); }

}  // namespace lockstep::l0::aliasing
