// Definitions: signatures, what is generalised, and how what does not fit is told.
#include <algorithm>

#include "semantics/fcl/inference.h"
#include "semantics/fcl/parse.h"
#include "semantics/fcl/walk.h"

namespace lockstep::fcl {
namespace inference {

void Inference::fail(const Region& at, std::string message, std::string expected, std::string mend) {
  throw Failed{{at, std::move(message), std::move(expected), std::move(mend)}};
}
void Inference::succeed(const std::optional<std::string>& why, const Region& at) {
  if (why) fail(at, *why);
}

std::string Inference::mend_for(TypeId found, TypeId wanted, const Expr* e) {
  using Shape = Unifier::Shape;
  const auto &f = u_[found], &w = u_[wanted];
  if (f.shape == Shape::Pull && w.shape == Shape::Push)
    return "an iteration scheme makes it a push array: `push <block> (…)`";
  if (f.shape == Shape::Push && w.shape == Shape::Pull)
    return "`force (…)` writes it to memory, and reads it from there";
  if (f.shape == Shape::Scalar && w.shape == Shape::Scalar && f.scalar == ScalarType::I32 &&
      w.scalar == ScalarType::F64) {
    const auto* l = e ? fcl::as<Literal>(*e) : nullptr;
    return l ? "a double is written with a point: " + std::to_string(l->value.integer()) + ".0"
             : "`double (…)` converts it";
  }
  if (f.shape == Shape::Scalar && w.shape == Shape::Scalar && f.scalar == ScalarType::F64 &&
      w.scalar == ScalarType::I32)
    return "`int (…)` converts it, toward zero";
  if (f.shape == Shape::Arrow && w.shape != Shape::Arrow && w.shape != Shape::Unknown) return "an argument is missing";
  if (f.shape == Shape::LevelArrow) return "a level is missing: `<block>` behind it";
  return "";
}
void Inference::equal(TypeId found, TypeId wanted, const Region& at, std::string_view as, const Expr* e) {
  if (tells_) return tell_unequal(found, wanted, at, as, e);
  succeed(u_.unify(found, wanted), at);
}
void Inference::tell_unequal(TypeId found, TypeId wanted, const Region& at, std::string_view as, const Expr* e) {
  const std::string is = u_.show(found), has_to_be = u_.show(wanted), mend = mend_for(found, wanted, e);
  const auto why = u_.unify(found, wanted);
  if (!why) return;
  const bool says_more =
      *why != "`" + is + "` is not `" + has_to_be + "`" && *why != "`" + has_to_be + "` is not `" + is + "`";
  fail(at, "this is `" + is + "`" + (says_more ? ": " + *why : ""),
       "`" + has_to_be + "`" + (as.empty() ? "" : ", as " + std::string(as)), mend);
}

// ---------------------------------------------------------------------------------------------------- schemes

namespace {

void narrow(const Type& t, Kind kind, std::map<std::string, Kind>& kinds) {
  match(
      t.node, [](ScalarType) {},
      [&](const NamedType& v) {
        const auto [at, is_new] = kinds.emplace(v.name, kind);
        at->second = std::min(at->second, kind);
      },
      [&](const PairOf& p) { narrow(*p.first, kind, kinds), narrow(*p.second, kind, kinds); },
      [&](const PullType& a) { narrow(*a.element, std::min(kind, Kind::Ground), kinds); },
      [&](const PushType& a) { narrow(*a.element, Kind::Base, kinds); },
      [&](const Arrow& a) { narrow(*a.from, Kind::Any, kinds), narrow(*a.to, Kind::Any, kinds); },
      [&](const LevelArrow& a) { narrow(*a.to, Kind::Any, kinds); });
}

}  // namespace

Scheme scheme_of_text(std::string_view text) {
  const Checked<Type> t = parse_type(std::make_shared<Source>(Source{"built-in", std::string(text)}));
  if (!t) throw Bug("a built-in of FCL has no type: " + std::string(text));
  std::map<std::string, Kind> kinds;
  narrow(*t, Kind::Any, kinds);
  Scheme s{{}, {}, *t};
  const OpenNames open = open_names(*t);
  for (const std::string& n : open.types) s.types.push_back({n, kinds.at(n)});
  s.levels = open.levels;
  return s;
}

LevelTerm Inference::level_of(const Level& l, const Region& at) {
  if (l.variable.empty()) return {l.above};
  if (const LevelTerm* bound = found(levels_, l.variable)) return {l.above + bound->above, bound->base};
  std::vector<std::string> all = {"thread", "warp", "block", "grid"};
  for (const auto& [name, term] : levels_) all.push_back(name);
  fail(at, "there is no level `" + l.variable + "` here",
       "thread, warp, block, grid, or a level variable that is bound by `<" + l.variable + ">` or by the `sig`",
       did_you_mean(l.variable, all));
}

TypeId Inference::rigid_of(const Type& t, std::map<std::string, TypeId>& types, const Region& at) {
  return match(
      t.node, [&](ScalarType s) { return u_.scalar(s); }, [&](const NamedType& v) { return types.at(v.name); },
      [&](const PairOf& p) {
        const TypeId first = rigid_of(*p.first, types, at);
        return u_.pair(first, rigid_of(*p.second, types, at));
      },
      [&](const PullType& a) {
        const TypeId element = rigid_of(*a.element, types, at);
        if (auto why = u_.constrain(element, formed(Kind::Ground)))
          fail(at, *why, "what stands in an array: scalars, pairs and arrays", "");
        return u_.pull(element);
      },
      [&](const PushType& a) {
        const TypeId element = rigid_of(*a.element, types, at);
        if (auto why = u_.constrain(element, formed(Kind::Base)))
          fail(at, *why, "what stands in a push array: scalars and pairs of them", "");
        return u_.push(element, level_of(a.level, at));
      },
      [&](const Arrow& a) {
        const TypeId from = rigid_of(*a.from, types, at);
        return u_.arrow(from, rigid_of(*a.to, types, at));
      },
      [&](const LevelArrow& a) {
        const LevelId bound = u_.rigid_level(a.variable);
        levels_.emplace_back(a.variable, LevelTerm{0, bound});
        const TypeId to = rigid_of(*a.to, types, at);
        levels_.pop_back();
        return u_.level_arrow(bound, to);
      });
}

TypeId Inference::use(const Quantified& q) {
  if (q.types.empty() && q.levels.empty()) return q.type;
  Instance of;
  for (const TypeId t : q.types) of.types.emplace(t, u_.unknown(printed_.instances ? Kind::Any : u_[t].kind));
  for (const LevelId l : q.levels) of.levels.emplace(l, u_.unknown_level());
  return u_.instance(q.type, of);
}
TypeId Inference::use(const Scheme& s) {
  std::map<std::string, TypeId> types;
  for (const Scheme::Open& o : s.types)
    types.emplace(o.name, u_.unknown(printed_.instances ? Kind::Any : formed(o.kind)));
  const std::size_t outside = levels_.size();
  for (const std::string& l : s.levels) levels_.emplace_back(l, u_.unknown_level());
  const TypeId t = rigid_of(s.type, types, {});
  levels_.resize(outside);
  return t;
}

// What `length` and `map` may yet decide is not.
std::set<TypeId> Inference::held() const {
  std::set<TypeId> out;
  for (const Pending& p : pending_)
    for (const TypeId t : {p.array, p.result, p.from, p.to})
      if (t != none)
        u_.each_leaf(
            t, [&](TypeId leaf) { out.insert(leaf); }, [](LevelId) {});
  return out;
}
Quantified Inference::generalised(TypeId t) {
  Quantified q{{}, {}, t};
  const std::set<TypeId> not_these = held();
  const int outside = std::exchange(u_.depth, printed_.environment ? -1 : u_.depth);
  u_.each_leaf(
      t,
      [&](TypeId leaf) {
        if (u_.is_open(leaf) && !not_these.contains(leaf) &&
            std::find(q.types.begin(), q.types.end(), leaf) == q.types.end())
          q.types.push_back(leaf);
      },
      [&](LevelId l) {
        if (u_.is_open_level(l) && std::find(q.levels.begin(), q.levels.end(), l) == q.levels.end())
          q.levels.push_back(l);
      });
  u_.depth = outside;
  return q;
}

void Inference::settle(bool finally) {
  using Shape = Unifier::Shape;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t k = 0; k < pending_.size(); ++k) {
      const Pending p = pending_[k];
      const auto shape_of = [&](TypeId t) { return t == none ? Shape::Unknown : u_[t].shape; };
      const Shape array = shape_of(p.array), result = shape_of(p.result);
      const bool known = array != Shape::Unknown || result != Shape::Unknown;
      if (!known && !finally) continue;
      pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(k));
      changed = true;
      const bool pushes = array == Shape::Push || (array == Shape::Unknown && result == Shape::Push);
      const LevelTerm level = u_.unknown_level();
      const TypeId from = p.what == Pending::Map ? p.from : u_.unknown(formed(pushes ? Kind::Base : Kind::Ground));
      const auto array_of = [&](TypeId element) {
        if (pushes) succeed(u_.constrain(element, formed(Kind::Base)), p.at);
        return pushes ? u_.push(element, level) : u_.pull(element);
      };
      const std::string of = told([&] { return std::string(p.what == Pending::Map ? "`map`" : "`length`"); });
      equal(p.array, array_of(from), p.at, told([&] { return "the array of " + of; }));
      if (p.what == Pending::Map) equal(p.result, array_of(p.to), p.at, told([&] { return "what " + of + " gives"; }));
      break;
    }
  }
}

void Inference::default_numbers() {
  for (const auto& [e, t] : types_)
    u_.each_leaf(
        t,
        [&, at = e->region](TypeId leaf) {
          const auto& n = u_[leaf];
          if (n.shape != Unifier::Shape::Unknown || (n.allowed & Every)) return;
          const ScalarType first = n.allowed & Ints      ? ScalarType::I32
                                   : n.allowed & Doubles ? ScalarType::F64
                                                         : ScalarType::Bool;
          succeed(u_.unify(leaf, u_.scalar(first)), at);
        },
        [](LevelId) {});
}

void Inference::refuse_above_grid() {
  if (printed_.heights) return;
  for (const auto& [e, t] : types_)
    if (const auto l = u_.above_grid(t))
      fail(e->region, "this is a push array of a level above grid: `" + u_.show(*l) + "`", "at most `grid`",
           "what is put together here is of grid already; its chunks have to be of block");
}

// ---------------------------------------------------------------------------------------------------- definitions

Scheme Inference::scheme_of(const Quantified& q, Unifier::Names& names) {
  Scheme s;
  std::set<std::string> taken;
  u_.each_leaf(
      q.type,
      [&](TypeId t) {
        if (u_[t].shape == Unifier::Shape::Rigid) taken.insert(u_.name_of(u_[t]));
      },
      [](LevelId) {});
  std::set<TypeId> seen;
  char next = 'a';
  u_.each_leaf(
      q.type,
      [&](TypeId t) {
        if (!seen.insert(t).second) return;
        const auto& n = u_[t];
        std::string name;
        if (n.shape == Unifier::Shape::Rigid) name = u_.name_of(n);
        if (n.shape == Unifier::Shape::Unknown) {
          do name = next <= 'z' ? std::string(1, next++) : "t" + std::to_string(t);
          while (taken.contains(name));
        }
        names.types.emplace(t, name);
        s.types.push_back({name, n.kind});
      },
      [&](LevelId l) {
        if (u_.is_rigid_level(l) || names.levels.contains(l)) return;
        static constexpr std::string_view letters = "lmnopq";
        const std::size_t k = names.levels.size();
        names.levels.emplace(l, k < letters.size() ? std::string(1, letters[k]) : "l" + std::to_string(k));
      });
  s.type = u_.written(q.type, names);
  s.levels = open_names(s.type).levels;
  return s;
}

Expr Inference::noted(const Expr& e, Written& written) {
  Expr out = e;
  each_child(out, [&](ExprRef& c) { c = noted(*c, written); });
  if (const auto at = written.of.find(&e); at != written.of.end()) {
    const TypeId t = u_.find(at->second);
    auto type = written.types.find(t);
    if (type == written.types.end()) type = written.types.emplace(t, u_.written(t, written.names)).first;
    out.type.value = type->second;
  }
  return out;
}

// Levels that the type binds and the definition does not stand among its parameters.
std::pair<Definition, Scheme> Inference::definition(const Definition& given) {
  Definition d = given;
  ++u_.depth;
  TypeId whole = none;
  if (d.signature) {
    std::map<std::string, TypeId> types;
    const OpenNames open = open_names(*d.signature);
    for (const std::string& n : open.types) types.emplace(n, u_.rigid(n, Kind::Any));
    for (const std::string& l : open.levels) levels_.emplace_back(l, LevelTerm{0, u_.rigid_level(l)});
    whole = rigid_of(*d.signature, types, d.signature_region);
    TypeId rest = whole;
    std::vector<Parameter> parameters;
    const auto bind_level = [&](const std::string& name, const Region& at) {
      const Unifier::Node n = u_[rest];
      parameters.push_back({name, true, at});
      levels_.emplace_back(name, LevelTerm{0, n.level.base});
      rest = n.first;
    };
    const auto takes_level = [&] { return u_[rest].shape == Unifier::Shape::LevelArrow; };
    const auto bind_by_name = [&] {
      Unifier::Names names;
      while (takes_level()) bind_level(std::get<LevelArrow>(u_.written(rest, names).node).variable, d.signature_region);
    };
    for (const Parameter& p : d.parameters) {
      if (p.is_level) {
        if (!takes_level())
          fail(p.region, "`" + d.name + "` takes a level here, and its `sig` says `" + u_.show(rest) + "`", "", "");
        bind_level(p.name, p.region);
        continue;
      }
      bind_by_name();
      const Unifier::Node n = u_[rest];
      if (n.shape != Unifier::Shape::Arrow)
        fail(p.region, "`" + d.name + "` takes `" + p.name + "`, and its `sig` says `" + u_.show(rest) + "` there",
             "as many parameters as the `sig` has, or fewer", "");
      parameters.push_back(p);
      locals_.emplace_back(p.name, Quantified{{}, {}, n.first});
      rest = n.second;
    }
    const auto* f = fcl::as<FnExpr>(*d.body);
    if (!f || !f->parameters[0].is_level) bind_by_name();
    d.parameters = std::move(parameters);
    check(*d.body, rest, "the `sig` of `" + d.name + "` says");
  } else if (d.parameters.empty()) {
    whole = infer(*d.body);
  } else {
    whole = function({d.parameters, d.body}, 0, d.body, std::nullopt);
  }
  settle();
  settle(true);
  default_numbers();
  refuse_above_grid();
  --u_.depth;
  Unifier::Names names;
  Scheme s = scheme_of({{}, {}, whole}, names);
  Written written{names, {types_.begin(), types_.end()}};
  d.body = noted(*d.body, written);
  return {std::move(d), std::move(s)};
}

}  // namespace inference
}  // namespace lockstep::fcl
