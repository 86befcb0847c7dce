// Aliases and consumption of array operations with functions.
#include <algorithm>

#include "semantics/l0/aliases.h"

namespace lockstep::l0::aliasing {

Analysis::Applied Analysis::applied(const Fn& f, const Shares& arguments) {
  return match(
      f.node, [&](const Lambda& l) { return applied(l, f, arguments); },
      [&](const NamedFunction& n) { return applied(n, f, arguments); },
      [&](const OperatorFunction& o) {
        Effects effects = o.first ? find(**o.first).effects : Effects{};
        return Applied{fresh(result_of(f)), std::move(effects), std::vector<bool>(arguments.size())};
      },
      [&](const PrefixFunction&) {
        return Applied{fresh(result_of(f)), {}, std::vector<bool>(arguments.size())};
      });
}

// A parameter stands for what it is called with, and a name from outside for itself.
Analysis::Applied Analysis::applied(const Lambda& l, const Fn& f, const Shares& arguments) {
  Applied out{Shares(leaf_count(result_of(f))), {}, std::vector<bool>(arguments.size())};
  const Within within(*this, Border::Lambda);
  const std::size_t level = borders_.size();
  std::map<Leaf, std::size_t> place;
  std::size_t next = 0;
  for (const Parameter& p : l.parameters) {
    const std::vector<LeafType> types = leaves_of(p.type);
    const std::vector<Leaf> leaves = bind(p.name, p.region, p.type, Origin::Unique, Shares(types.size()));
    variables_.push_back({p.name, p.region, Origin::Observed, level});
    for (std::size_t k = 0; k < types.size(); ++k, ++next) {
      if (leaves[k] == no_leaf) continue;
      if (!types[k].unique) rows_[leaves[k]].variable = variables_.size() - 1;
      place.emplace(leaves[k], next);
    }
  }
  Found body = find(*l.body);
  check_result(l.result, body.shares, "what the function gives", l.body->region, level);
  for (std::size_t k = 0; k < out.shares.size(); ++k)
    for (const Leaf leaf : body.shares[k]) {
      const auto parameter = place.find(leaf);
      if (parameter != place.end())
        out.shares[k].insert(arguments[parameter->second].begin(), arguments[parameter->second].end());
      else if (variables_[rows_[leaf].variable].level < level)
        out.shares[k].insert(leaf);
    }
  for (const auto& [leaf, region] : body.effects.used)
    if (variables_[rows_[leaf].variable].level < level) out.effects.used.emplace(leaf, region);
  for (const auto& [leaf, by] : body.effects.consumed)
    if (const auto parameter = place.find(leaf); parameter != place.end()) out.eats[parameter->second] = true;
  return out;
}

Analysis::Applied Analysis::applied(const NamedFunction& n, const Fn& f, const Shares& arguments) {
  Applied out{fresh(result_of(f)), {}, std::vector<bool>(arguments.size())};
  Found given = all(n.arguments);
  out.effects = std::move(given.effects);
  const Function* named = function_named(program_, n.name);
  if (!named) return out;
  Leaves observed = together(given.shares);
  std::size_t leaf = 0;
  for (std::size_t k = 0; k < named->parameters.size(); ++k) {
    const std::vector<LeafType> types = leaves_of(named->parameters[k].type);
    const bool own = k < n.arguments.size();
    for (const LeafType& t : types) {
      if (own && t.unique)
        report(f.region,
               "`" + n.name + "` consumes its parameter `" + named->parameters[k].name +
                   "`, which is given here once for all calls",
               "a function that consumes what it goes over only",
               "give a copy inside a function: `fn … => " + n.name + "(copy(…), …)`");
      if (own) continue;
      if (t.unique)
        out.eats[leaf] = true;
      else
        observed.insert(arguments[leaf].begin(), arguments[leaf].end());
      ++leaf;
    }
  }
  const std::vector<LeafType> results = leaves_of(named->result);
  for (std::size_t k = 0; k < results.size(); ++k)
    if (results[k].rank > 0 && !results[k].unique) out.shares[k] = closed(observed);
  return out;
}

// Map alone consumes what it goes over. What reduce gives may be its start; what scan and filter give is fresh.
Found Analysis::find(const SoacExpr& s, const Expr& e) {
  const std::size_t starts = s.starts.value;
  const bool maps = s.op == Soac::Map || s.op == Soac::Map2;
  const bool folds = s.op == Soac::Reduce || s.op == Soac::Reduce2 || s.op == Soac::Redomap || s.op == Soac::Redomap2;
  Shares start_shares, element_shares, input_shares;
  Effects effects;
  struct Input {
    Region at;
    std::string name;
  };
  std::vector<Input> inputs;
  for (std::size_t k = 0; k < s.arguments.size(); ++k) {
    const Expr& argument = *s.arguments[k];
    Found x = find(argument);
    effects = beside(std::move(effects), std::move(x.effects));
    Shares& to = k < starts ? start_shares : input_shares;
    to.insert(to.end(), x.shares.begin(), x.shares.end());
    const auto* v = as<l0::Variable>(argument);
    if (k >= starts) inputs.insert(inputs.end(), x.shares.size(), {argument.region, v ? v->name : ""});
  }
  const Type element_types = [&] {
    std::vector<Type> types;
    for (std::size_t k = starts; k < s.arguments.size(); ++k) types.push_back(*element_of(s.arguments[k]->type.value));
    return Type{TupleType{std::move(types)}};
  }();
  const std::vector<LeafType> leaves = leaves_of(element_types);
  for (std::size_t k = 0; k < leaves.size(); ++k)
    element_shares.push_back(leaves[k].rank == 0 ? Leaves{} : input_shares[k]);
  Shares result = fresh(e.type.value);
  for (std::size_t k = 0; k < s.functions.size(); ++k) {
    Shares arguments = start_shares;
    const Shares& seconds = s.functions.size() == 2 && k == 0 ? start_shares : element_shares;
    arguments.insert(arguments.end(), seconds.begin(), seconds.end());
    Applied f = applied(s.functions[k], arguments);
    Effects eaten;
    for (std::size_t j = 0; j < f.eats.size(); ++j) {
      if (!f.eats[j]) continue;
      if (!maps) {
        report(s.functions[k].region, "the function of `" + std::string(l0::name_of(s.op)) + "` consumes a parameter",
               "a function that does not: only `map` may", "update a `copy(…)`");
        break;
      }
      if (shared_with_another(input_shares, j))
        report(inputs[j].at, "what `map` consumes may share data with another array that it goes over",
               "arrays that share nothing", "let one be a `copy(…)`");
      eaten = either(std::move(eaten), consume(input_shares[j], inputs[j].at, inputs[j].name));
    }
    const std::vector<LeafType> rows = leaves_of(result_of(s.functions[k]));
    for (std::size_t j = 0; j < result.size() && (maps || folds); ++j)
      if (rows[j].rank > 0) result[j].insert(f.shares[j].begin(), f.shares[j].end());
    forbid(eaten, f.effects);
    effects = beside(std::move(effects), std::move(f.effects));
    // what is consumed is an argument of this operation, and of it alone
    effects = either(std::move(effects), std::move(eaten));
  }
  for (std::size_t k = 0; k < start_shares.size() && folds; ++k)
    result[k].insert(start_shares[k].begin(), start_shares[k].end());
  return {std::move(result), std::move(effects)};
}

}  // namespace lockstep::l0::aliasing
