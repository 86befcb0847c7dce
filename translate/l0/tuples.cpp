// The tuple transformation: functions, names and patterns, and expressions but for arrays.
#include "translate/l0/tuples.h"

#include "translate/l0/flattening.h"

namespace lockstep::l0 {

Type flat_type(const Type& t) {
  std::vector<Type> leaves;
  for (const LeafType& leaf : leaves_of(t)) leaves.push_back(leaf_type(leaf));
  return tuple_of(std::move(leaves));
}

Function Flattening::function(const Function& f) {
  Function out{f.name, f.region, flat_type(f.result), parameters(f.parameters), *f.body};
  out.body = whole(*f.body);
  return out;
}

std::vector<std::string> Flattening::names_for(const std::string& name, const Type& type) {
  const std::size_t n = leaf_count(type);
  if (n == 1) return {name};
  std::vector<std::string> out;
  for (std::size_t k = 0; k < n; ++k) out.push_back(name == "_" ? name : fresh_.name(name + "_" + std::to_string(k)));
  return out;
}

std::vector<std::string> Flattening::bind(const std::string& name, const Type& type) {
  std::vector<std::string> names = names_for(name, type);
  if (name != "_") names_[name] = names;
  return names;
}

std::vector<std::string> Flattening::bind(const Pattern& p) {
  return match(
      p.node, [&](const NamePattern& n) { return bind(n.name, p.type.value); },
      [&](const TuplePattern& t) {
        std::vector<std::string> out;
        for (const Pattern& part : t.items)
          for (std::string& name : bind(part)) out.push_back(std::move(name));
        return out;
      });
}

std::vector<Parameter> Flattening::parameters(const std::vector<Parameter>& all) {
  std::vector<Parameter> out;
  for (const Parameter& p : all) {
    const std::vector<LeafType> types = leaves_of(p.type);
    const std::vector<std::string> names = bind(p.name, p.type);
    for (std::size_t k = 0; k < types.size(); ++k) out.push_back({leaf_type(types[k]), names[k], p.region});
  }
  return out;
}

Expr Flattening::whole(const Expr& e) {
  Flat f = flat(e);
  return block(std::move(f.before), tuple_of(std::move(f.leaves), e.region));
}

Flat Flattening::flat(const Expr& e) {
  return match(e.node, [&](const auto& node) { return of(node, e); });
}

std::vector<Expr> Flattening::named(const Expr& e, std::vector<Binding>& before, const std::string& wanted) {
  Flat f = flat(e);
  append(before, std::move(f.before));
  for (Expr& leaf : f.leaves) leaf = atom(std::move(leaf), before, wanted);
  return std::move(f.leaves);
}

Expr Flattening::atom(Expr e, std::vector<Binding>& before, const std::string& wanted) {
  if (is_atom(e)) return e;
  const std::string name = fresh_.name(wanted);
  const Region at = e.region;
  before.push_back(let(name, std::move(e)));
  return variable(name, at);
}

void Flattening::append(std::vector<Binding>& to, std::vector<Binding> from) {
  for (Binding& b : from) to.push_back(std::move(b));
}

Flat Flattening::taken_apart(std::vector<Binding> before, Expr e, const Type& type) {
  const std::size_t n = leaf_count(type);
  if (n == 1) {
    Flat out{std::move(before), {}};
    out.leaves.push_back(std::move(e));
    return out;
  }
  std::vector<std::string> names;
  for (std::size_t k = 0; k < n; ++k) names.push_back(fresh_.name("t"));
  const Region at = e.region;
  before.push_back(let(pattern_of(names, at), std::move(e)));
  Flat out{std::move(before), {}};
  for (std::string& name : names) out.leaves.push_back(variable(std::move(name), at));
  return out;
}

std::vector<ExprRef> Flattening::all(const std::vector<ExprRef>& items, std::vector<Binding>& before) {
  std::vector<ExprRef> out;
  for (const ExprRef& item : items) {
    Flat f = flat(*item);
    append(before, std::move(f.before));
    for (Expr& leaf : f.leaves) out.emplace_back(std::move(leaf));
  }
  return out;
}

Flat Flattening::one(std::vector<Binding> before, decltype(Expr::node) node, const Region& at) {
  Flat out{std::move(before), {}};
  out.leaves.push_back({std::move(node), at});
  return out;
}

Flat Flattening::of(const Literal& l, const Expr& e) { return one({}, l, e.region); }

Flat Flattening::of(const TextLiteral& t, const Expr& e) { return one({}, t, e.region); }

Flat Flattening::of(const Variable& v, const Expr& e) {
  Flat out;
  for (const std::string& name : names_.at(v.name)) out.leaves.push_back(variable(name, e.region));
  return out;
}

Flat Flattening::of(const TupleExpr& t, const Expr&) {
  Flat out;
  for (const ExprRef& item : t.items) {
    Flat f = flat(*item);
    append(out.before, std::move(f.before));
    for (Expr& leaf : f.leaves) out.leaves.push_back(std::move(leaf));
  }
  return out;
}

Flat Flattening::of(const PrefixExpr& p, const Expr& e) {
  Flat f = flat(*p.operand);
  return one(std::move(f.before), PrefixExpr{p.op, std::move(f.leaves[0])}, e.region);
}

// The right side of && and || is evaluated where it is needed: what it binds stays there.
Flat Flattening::of(const InfixExpr& i, const Expr& e) {
  Flat left = flat(*i.left);
  if (i.op == Infix::And || i.op == Infix::Or)
    return one(std::move(left.before), InfixExpr{i.op, std::move(left.leaves[0]), whole(*i.right)}, e.region);
  Flat right = flat(*i.right);
  append(left.before, std::move(right.before));
  return one(std::move(left.before), InfixExpr{i.op, std::move(left.leaves[0]), std::move(right.leaves[0])}, e.region);
}

Flat Flattening::of(const IfExpr& i, const Expr& e) {
  Flat condition = flat(*i.condition);
  Expr made{IfExpr{std::move(condition.leaves[0]), whole(*i.yes), whole(*i.no)}, e.region};
  return taken_apart(std::move(condition.before), std::move(made), e.type.value);
}

Flat Flattening::of(const BlockExpr& b, const Expr&) {
  std::vector<Binding> before;
  for (const Binding& x : b.bindings) match(x.node, [&](const auto& node) { define(node, x.region, before); });
  Flat result = flat(*b.result);
  append(before, std::move(result.before));
  return {std::move(before), std::move(result.leaves)};
}

// The last of these binds a name to each of the leaves, and to nothing else.
static bool gives_all(const std::vector<Binding>& before, const std::vector<Expr>& leaves) {
  const auto* l = before.empty() ? nullptr : std::get_if<LetBinding>(&before.back().node);
  const auto* t = l ? std::get_if<TuplePattern>(&l->pattern.node) : nullptr;
  if (!t || t->items.size() != leaves.size()) return false;
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    const auto* v = as<Variable>(leaves[k]);
    if (!v || v->name != std::get<NamePattern>(t->items[k].node).name) return false;
  }
  return true;
}

void Flattening::define(const LetBinding& b, const Region& at, std::vector<Binding>& before) {
  Flat value = flat(*b.value);
  append(before, std::move(value.before));
  const std::vector<std::string> names = bind(b.pattern);
  if (names.size() > 1 && gives_all(before, value.leaves)) {  // by the names that they are to have
    std::get<LetBinding>(before.back().node).pattern = pattern_of(names, b.pattern.region);
    before.back().region = at;
    return;
  }
  for (std::size_t k = 0; k < names.size(); ++k) {
    before.push_back(let(names[k], std::move(value.leaves[k])));
    before.back().region = at;
  }
}

// The index and the value are bound once.
void Flattening::define(const UpdateBinding& b, const Region& at, std::vector<Binding>& before) {
  const std::vector<std::string> sources = names_.at(b.source);
  const bool several = sources.size() > 1;
  std::vector<ExprRef> indices;
  for (const ExprRef& i : b.indices) {
    if (several) {
      indices.emplace_back(named(*i, before, "i")[0]);
      continue;
    }
    Flat f = flat(*i);
    append(before, std::move(f.before));
    indices.emplace_back(std::move(f.leaves[0]));
  }
  std::vector<Expr> values;
  if (several) {
    values = named(*b.value, before, "v");
  } else {
    Flat f = flat(*b.value);
    append(before, std::move(f.before));
    values = std::move(f.leaves);
  }
  const std::vector<std::string> names = bind(b.name, b.type.value);
  for (std::size_t k = 0; k < names.size(); ++k)
    before.push_back(
        {UpdateBinding{names[k], sources[k], b.name_region, b.source_region, indices, std::move(values[k])}, at});
}

void Flattening::define(const LoopBinding& b, const Region& at, std::vector<Binding>& before) {
  Flat init = flat(*b.init);
  append(before, std::move(init.before));
  Flat bound = flat(*b.bound);
  append(before, std::move(bound.before));
  const std::vector<std::string> names = bind(b.merge);
  names_[b.index] = {b.index};
  Expr start = tuple_of(std::move(init.leaves), b.init->region);
  before.push_back({LoopBinding{pattern_of(names, b.merge.region), std::move(start), b.index, b.index_region,
                                std::move(bound.leaves[0]), whole(*b.step)},
                    at});
}

Flat Flattening::of(const CallExpr& c, const Expr& e) {
  std::vector<Binding> before;
  Expr made{CallExpr{c.function, all(c.arguments, before)}, e.region};
  return taken_apart(std::move(before), std::move(made), e.type.value);
}

Program without_tuples(const Program& p) {
  Program out{p.source, {}};
  Flattening flattening(p);
  for (const Function& f : p.functions) out.functions.push_back(flattening.function(f));
  return retyped(std::move(out), "tuples");
}

}  // namespace lockstep::l0
