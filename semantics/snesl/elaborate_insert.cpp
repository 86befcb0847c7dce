// Let-insertion: variables with names of their own, the lets that bind them, and `using` lists (§2.2.1).
#include "semantics/snesl/elaborate_expand.h"

namespace lockstep::snesl::elaboration {

namespace {
constexpr std::int64_t most_expanded = 200'000;  // operations that calls may grow to
constexpr int highest = 20'000;                  // of lets and comprehensions in each other: their end takes stack

// The names that an expression uses. What comprehensions inside list is what they use.
void collect_used(const core::Expr& e, std::set<std::string>& names) {
  const auto all = [&](const std::vector<core::Using>& variables) {
    for (const core::Using& u : variables) names.insert(u.name);
  };
  const core::Expr* at = &e;
  while (const auto* let = std::get_if<core::Let>(&at->node)) {
    collect_used(*let->value, names);
    at = let->body.get();
  }
  match(
      at->node, [&](const core::Var& x) { names.insert(x.name); }, [](const core::Literal&) {},
      [](const core::Text&) {}, [&](const core::Tuple& x) { names.insert(x.items.begin(), x.items.end()); },
      [&](const core::Project& x) { names.insert(x.tuple); }, [](const core::Let&) {},
      [&](const core::Apply& x) { names.insert(x.arguments.begin(), x.arguments.end()); },
      [&](const core::Comprehension& x) {
        names.insert(x.sequence);
        all(x.variables);
      },
      [&](const core::Guarded& x) {
        names.insert(x.condition);
        all(x.variables);
      });
}
}  // namespace

void Expansion::refuse(std::string message, std::string mend) {
  throw Refused{{outermost_, std::move(message), "", std::move(mend)}};
}

Type Expansion::type_of(TypeId t) {
  try {
    return solved_type(call_.function->types, t, *call_.types, call_.solved);
  } catch (const TypeTooLarge&) {
    refuse("a type in the expansion of " + entry_ + " has more than 20,000 parts, or is nested more than 1,000 deep",
           "tuples grow where they hold a tuple twice");
  }
}

// The user's names up to their first ', made distinct by ' and a number; our own are _ and a number.
std::string Expansion::name_for(const std::string& wanted) {
  std::string name;
  if (wanted.empty()) {
    do name = "_" + std::to_string(++fresh_);
    while (taken_.contains(name));
    return name;
  }
  const std::string base = wanted.substr(0, wanted.find('\''));
  int& count = names_[base];
  do {
    name = count == 0 && base[0] != '_' ? base : base + "'" + std::to_string(std::max(count, 1));
    count = std::max(count, base[0] == '_' ? 1 : 0) + 1;
  } while (taken_.contains(name));
  return name;
}

Expansion::VariableId Expansion::declare(const std::string& name, Type type) {
  variables_.push_back({name_for(name), std::move(type), static_cast<int>(listed_.size())});
  return static_cast<VariableId>(variables_.size()) - 1;
}

std::string Expansion::use(VariableId v) {
  for (auto level = static_cast<int>(listed_.size()); level > info(v).level; --level) {
    Listed& l = listed_[static_cast<std::size_t>(level - 1)];
    if (!l.seen.insert(v).second) break;  // and so those around list it
    l.variables.push_back(v);
  }
  return info(v).name;
}

Expansion::VariableId Expansion::bind(NodeId n, Lets& lets, const std::string& name) {
  return bind(emit(n), lets, name);
}

Expansion::VariableId Expansion::bind(Emitted value, Lets& lets, const std::string& name) {
  if (value.variable) return *value.variable;
  const VariableId v = declare(name, value.expression.type);
  lets.push_back({v, std::move(value)});
  return v;
}

Expansion::Emitted Expansion::wrap(Lets lets, Emitted body) {
  if (!lets.empty()) body.variable.reset();
  for (auto it = lets.rbegin(); it != lets.rend(); ++it) {
    body.total = body.total && it->value.total;
    body.height = std::max(body.height, it->value.height) + 1;
    Type type = body.expression.type;
    Region region = body.expression.region;
    body.expression =
        core::Expr{core::Let{info(it->variable).name, std::move(it->value.expression), std::move(body.expression)},
                   std::move(type), std::move(region)};
  }
  if (body.height > highest)
    refuse("the expansion of " + entry_ + " is nested more than " + std::to_string(highest) + " deep",
           "cut the program into smaller ones");
  return body;
}

Expansion::Emitted Expansion::counted(Emitted e) {
  if (calls_ > 0 && ++expanded_ > most_expanded)
    refuse("the calls of " + entry_ + " expand to more than " + std::to_string(most_expanded) + " operations",
           "functions are expanded where they are called: name the result of a call with let, or call inside a "
           "comprehension over the arguments");
  return e;
}

Expansion::Emitted Expansion::apply(core::Apply a, Type type, const Region& region, bool total) {
  return counted({core::Expr{std::move(a), std::move(type), region}, total});
}
Expansion::Emitted Expansion::apply(Builtin b, std::vector<VariableId> arguments, Type type, const Region& region) {
  core::Apply a{b, {}, {}, {}};
  for (const VariableId v : arguments) a.arguments.push_back(use(v));
  return apply(std::move(a), std::move(type), region, false);
}
Expansion::Emitted Expansion::scalar(OperatorRef op, std::vector<VariableId> operands, Type type,
                                     const Region& region) {
  core::Apply a{Builtin::Scalar, op, {}, {}};
  for (const VariableId v : operands) a.arguments.push_back(use(v));
  return apply(std::move(a), std::move(type), region, !can_trap(op, *as<Prim>(info(operands[0]).type)));
}
Expansion::Emitted Expansion::truth(bool value, const Region& region) {
  return counted({core::Expr{core::Literal{bool_atom(value)}, prim(Prim::Bool), region}});
}

Expansion::VariableId Expansion::widened(VariableId v, Lets& lets, const Region& region) {
  if (info(v).type != prim(Prim::Char)) return v;
  return bind(scalar(scalars::row<"i64">(), {v}, prim(Prim::Int), region), lets);
}

// What is made one level further in, with what it uses from outside: not what only had a name there, such as an
// argument that a function ignores.
std::pair<Expansion::Emitted, Expansion::Listed> Expansion::inside(const Maker& make) {
  listed_.emplace_back();
  Emitted body = make();
  Listed l = std::move(listed_.back());
  listed_.pop_back();
  if (!l.variables.empty()) {
    std::set<std::string> used;
    collect_used(body.expression, used);
    std::erase_if(l.variables, [&](VariableId v) { return !used.contains(info(v).name); });
  }
  return {std::move(body), std::move(l)};
}

std::vector<core::Using> Expansion::listed(const Listed& l) const {
  std::vector<core::Using> out;
  for (const VariableId v : l.variables) out.push_back({info(v).name, info(v).type});
  return out;
}

Expansion::Emitted Expansion::guarded(VariableId condition, std::pair<Emitted, Listed> body, const Region& region) {
  Type type = sequence_of(body.first.expression.type);
  const int height = body.first.height + 1;
  return counted({core::Expr{core::Guarded{std::move(body.first.expression), use(condition), listed(body.second)},
                             std::move(type), region},
                  false, height});
}

// §2.2.1: let b = e0 in the({e1 | b} ++ {e2 | !b})
Expansion::Emitted Expansion::choose(VariableId condition, std::pair<Emitted, Listed> yes,
                                     std::pair<Emitted, Listed> no, const Type& type, const Region& region) {
  const Region yes_at = yes.first.expression.region, no_at = no.first.expression.region;
  Lets branches;
  const VariableId taken = bind(guarded(condition, std::move(yes), yes_at), branches);
  Lets negated;
  const VariableId otherwise = bind(scalar(scalars::row<"not">(), {condition}, prim(Prim::Bool), no_at), negated);
  Emitted other = guarded(otherwise, std::move(no), no_at);
  const VariableId not_taken = bind(wrap(std::move(negated), std::move(other)), branches);
  Emitted both = apply(Builtin::Append, {taken, not_taken}, sequence_of(type), region);
  Lets joined;
  const VariableId one = bind(wrap(std::move(branches), std::move(both)), joined);
  Emitted it = apply(Builtin::The, {one}, type, region);
  return wrap(std::move(joined), std::move(it));
}

}  // namespace lockstep::snesl::elaboration
