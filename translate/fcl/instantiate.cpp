#include "translate/fcl/instantiate.h"

#include <algorithm>
#include <set>

#include "semantics/fcl/builtins.h"
#include "semantics/fcl/prelude.h"
#include "semantics/fcl/walk.h"

namespace lockstep::fcl {
namespace {

// ---------------------------------------------------------------------------------------------------- instances of
// types

Level level_at(const Level& l, const Instance& of) {
  const auto at = of.levels.find(l.variable);
  if (l.variable.empty() || at == of.levels.end()) return l;
  return {l.above + at->second.above, at->second.variable};
}
Type type_at(const Type& t, const Instance& of) {
  return match(
      t.node, [](ScalarType s) { return Type{s}; },
      [&](const NamedType& n) {
        const auto at = of.types.find(n.name);
        return at == of.types.end() ? t : at->second;
      },
      [&](const PairOf& p) { return pair_of(type_at(*p.first, of), type_at(*p.second, of)); },
      [&](const PullType& a) { return pull(type_at(*a.element, of)); },
      [&](const PushType& a) { return push(type_at(*a.element, of), level_at(a.level, of)); },
      [&](const Arrow& a) { return arrow(type_at(*a.from, of), type_at(*a.to, of)); },
      [&](const LevelArrow& a) {
        Instance inside = of;
        inside.levels.erase(a.variable);
        return level_arrow(a.variable, type_at(*a.to, inside));
      });
}

// What a scheme's names are where it has this type.
void match_types(const Type& scheme, const Type& at, Instance& out) {
  if (const auto* n = as<NamedType>(scheme)) {
    out.types.emplace(n->name, at);
  } else if (const auto* p = as<PairOf>(scheme)) {
    const auto& q = std::get<PairOf>(at.node);
    match_types(*p->first, *q.first, out), match_types(*p->second, *q.second, out);
  } else if (const auto* a = as<PullType>(scheme)) {
    match_types(*a->element, *std::get<PullType>(at.node).element, out);
  } else if (const auto* b = as<PushType>(scheme)) {
    const auto& q = std::get<PushType>(at.node);
    match_types(*b->element, *q.element, out);
    if (!b->level.variable.empty())
      out.levels.emplace(b->level.variable, Level{q.level.above - b->level.above, q.level.variable});
  } else if (const auto* f = as<Arrow>(scheme)) {
    const auto& q = std::get<Arrow>(at.node);
    match_types(*f->from, *q.from, out), match_types(*f->to, *q.to, out);
  } else if (const auto* l = as<LevelArrow>(scheme)) {
    const auto before =
        out.levels.find(l->variable) == out.levels.end() ? std::nullopt : std::optional(out.levels[l->variable]);
    match_types(*l->to, *std::get<LevelArrow>(at.node).to, out);
    out.levels.erase(l->variable);
    if (before) out.levels.emplace(l->variable, *before);
  }
}

void add_binders(const Expr& e, std::set<std::string>& out) {
  if (const auto* f = as<FnExpr>(e))
    for (const Parameter& p : f->parameters) out.insert(p.name);
  if (const auto* l = as<LetExpr>(e))
    for (const Binding& b : l->bindings) out.insert(b.name);
  each_child(e, [&](const ExprRef& c) { add_binders(*c, out); });
}

// ---------------------------------------------------------------------------------------------------- definitions

class Instantiation {
 public:
  explicit Instantiation(const Entry& e) : entry_(e) {
    for (const Inferred* p : {&prelude(), &e.program})
      for (const Definition& d : p->program.definitions) {
        for (const Parameter& q : d.parameters) taken_.insert(q.name);
        add_binders(*d.body, taken_);
      }
    for (const std::string& n : names_of_built_ins()) taken_.insert(n);
  }

  Entry run() {
    const auto k = static_cast<std::size_t>(&definition_of(entry_) - entry_.program.program.definitions.data());
    of(entry_.program, k, entry_.instance, levels_of(entry_));
    // nothing calls the last: where its name is another's local one, that is no matter
    Definition& entry = made_.definitions.back();
    const std::string& name = definition_of(entry_).name;
    if (!definition_named(made_, name)) entry.name = name;
    entry.configurations = definition_of(entry_).configurations;
    Checked<Inferred> program = typed(made_);
    if (!program) throw Bug("an instance of a program of FCL has no types: " + render(program.error().front()));
    return {std::move(*program), made_.definitions.back().name, {}, entry_.launch};
  }

 private:
  // Of the levels that stand before all other parameters, those that are known.
  static std::vector<Level> levels_of(const Entry& e) {
    std::vector<Level> out;
    for (const Parameter& p : definition_of(e).parameters) {
      const auto at = e.instance.levels.find(p.name);
      if (!p.is_level || at == e.instance.levels.end()) break;
      out.push_back(at->second);
    }
    return out;
  }

  struct Key {
    const Inferred* program;
    std::size_t definition;
    std::string at;  // types and levels, as they are written
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  // The name of the definition at this instance, its first so many levels being these.
  std::string of(const Inferred& program, std::size_t k, Instance instance, const std::vector<Level>& levels) {
    const Definition& d = program.program.definitions[k];
    Type type = program.schemes[k].type;
    for (std::size_t j = 0; j < levels.size(); ++j) {
      const auto a = std::get<LevelArrow>(type.node);
      instance.levels[a.variable] = levels[j];
      instance.levels[d.parameters[j].name] = levels[j];
      type = *a.to;
    }
    const Type at = type_at(type, instance);
    const Key key{&program, k, show(at) + " " + std::to_string(levels.size())};
    if (const auto known = names_.find(key); known != names_.end()) return known->second;

    Definition made = d;
    made.signature = at;
    made.configurations.clear();
    made.parameters.erase(made.parameters.begin(),
                          made.parameters.begin() + static_cast<std::ptrdiff_t>(levels.size()));
    std::vector<std::string> scope;
    for (const Parameter& p : made.parameters) {
      if (p.is_level)
        instance.levels.erase(p.name);
      else
        scope.push_back(p.name);
    }
    made.body = at_instance(*d.body, {program, k, instance}, scope);
    made.name = fresh(d.name);
    names_.emplace(key, made.name);
    made_.definitions.push_back(made);
    return made.name;
  }

  std::string fresh(const std::string& base) {
    std::string name = base;
    for (int n = 2; !taken_.insert(name).second; ++n) name = base + "_" + std::to_string(n);
    return name;
  }

  // Where an expression stands.
  struct Place {
    const Inferred& program;
    std::size_t definition;
    Instance instance;
  };

  // The definition that a name is of there; nothing of a local name or a built-in.
  std::optional<std::pair<const Inferred*, std::size_t>> definition_at(const std::string& name, const Place& at,
                                                                       const std::vector<std::string>& scope) const {
    if (std::find(scope.begin(), scope.end(), name) != scope.end()) return std::nullopt;
    for (std::size_t k = at.definition; k-- > 0;)
      if (at.program.program.definitions[k].name == name) return std::pair(&at.program, k);
    if (&at.program != &prelude())
      for (std::size_t k = prelude().schemes.size(); k-- > 0;)
        if (prelude().program.definitions[k].name == name) return std::pair(&prelude(), k);
    return std::nullopt;
  }

  Expr at_instance(const Expr& e, const Place& at, std::vector<std::string>& scope) {
    Expr out = e;
    if (std::optional<Expr> used = use(e, at, scope)) return *std::move(used);
    const std::size_t outside = scope.size();
    if (auto* l = std::get_if<LevelApplyExpr>(&out.node)) l->level = level_at(l->level, at.instance);
    if (auto* f = std::get_if<FnExpr>(&out.node)) {
      Place inside = at;
      for (const Parameter& p : f->parameters) {
        if (p.is_level)
          inside.instance.levels.erase(p.name);
        else
          scope.push_back(p.name);
      }
      f->body = at_instance(*f->body, inside, scope);
    } else if (auto* l = std::get_if<LetExpr>(&out.node)) {
      for (Binding& b : l->bindings) {
        b.value = at_instance(*b.value, at, scope);
        scope.push_back(b.name);
      }
      l->body = at_instance(*l->body, at, scope);
    } else {
      each_child(out, [&](ExprRef& c) { c = at_instance(*c, at, scope); });
    }
    scope.resize(outside);
    return out;
  }

  // f, f <γ>, f <γ> <δ> … of a definition: its name at that instance.
  std::optional<Expr> use(const Expr& e, const Place& at, const std::vector<std::string>& scope) {
    std::vector<const LevelApplyExpr*> given;  // the first last
    const Expr* head = &e;
    for (const auto* l = as<LevelApplyExpr>(*head); l; l = as<LevelApplyExpr>(*head)) {
      given.push_back(l);
      head = &*l->function;
    }
    const auto* v = as<Variable>(*head);
    const auto d = v ? definition_at(v->name, at, scope) : std::nullopt;
    if (!d) return std::nullopt;
    const Scheme& s = d->first->schemes[d->second];
    Instance instance;
    if (head->type.value) match_types(s.type, type_at(*head->type.value, at.instance), instance);
    std::vector<Level> levels;
    for (const Parameter& p : d->first->program.definitions[d->second].parameters) {
      if (!p.is_level || levels.size() == given.size()) break;
      levels.push_back(level_at(given[given.size() - 1 - levels.size()]->level, at.instance));
    }
    Expr out{Variable{of(*d->first, d->second, std::move(instance), levels)}, head->region};
    for (std::size_t k = levels.size(); k < given.size(); ++k) {
      const LevelApplyExpr& l = *given[given.size() - 1 - k];
      out = Expr{LevelApplyExpr{std::move(out), level_at(l.level, at.instance), l.level_region}, e.region};
    }
    return out;
  }

  const Entry& entry_;
  Program made_{entry_.program.program.source, {}};
  std::map<Key, std::string> names_;
  std::set<std::string> taken_;
};

}  // namespace

Entry with_signatures(const Entry& e) {
  Entry out = e;
  for (std::size_t k = 0; k < out.program.schemes.size(); ++k)
    out.program.program.definitions[k].signature = out.program.schemes[k].type;
  return out;
}

Entry instantiated(const Entry& e) { return Instantiation(e).run(); }

}  // namespace lockstep::fcl
