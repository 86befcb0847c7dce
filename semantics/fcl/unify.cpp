// Unification of types and levels, kinds and the scalars that an operator is for included.
#include "semantics/fcl/unify.h"

#include <algorithm>

#include "semantics/core/diagnostic.h"

namespace lockstep::fcl::inference {
namespace {

unsigned bit_of(ScalarType s) { return s == ScalarType::I32 ? Ints : s == ScalarType::F64 ? Doubles : Bools; }

}  // namespace

std::string show_scalars(unsigned allowed) {
  std::vector<std::string> all;
  if (allowed & Ints) all.emplace_back("int");
  if (allowed & Doubles) all.emplace_back("double");
  if (allowed & Bools) all.emplace_back("bool");
  std::string out;
  for (std::size_t k = 0; k < all.size(); ++k) out += (k == 0 ? "" : k + 1 == all.size() ? " or " : ", ") + all[k];
  return out;
}

TypeId Unifier::add(Node n) {
  nodes_.push_back(n);
  return static_cast<TypeId>(nodes_.size() - 1);
}
TypeId Unifier::unknown(Kind kind, unsigned allowed) {
  return add({.shape = Shape::Unknown, .kind = kind, .allowed = allowed, .depth = depth});
}
TypeId Unifier::rigid(const std::string& name, Kind kind) {
  names_.push_back(name);
  return add(
      {.shape = Shape::Rigid, .kind = kind, .depth = depth, .name = static_cast<std::uint32_t>(names_.size() - 1)});
}
TypeId Unifier::scalar(ScalarType s) { return add({.shape = Shape::Scalar, .scalar = s}); }
TypeId Unifier::pair(TypeId a, TypeId b) { return add({.shape = Shape::Pair, .first = a, .second = b}); }
TypeId Unifier::pull(TypeId element) { return add({.shape = Shape::Pull, .first = element}); }
TypeId Unifier::push(TypeId element, LevelTerm level) {
  return add({.shape = Shape::Push, .first = element, .level = level});
}
TypeId Unifier::arrow(TypeId from, TypeId to) { return add({.shape = Shape::Arrow, .first = from, .second = to}); }
TypeId Unifier::level_arrow(LevelId bound, TypeId to) {
  return add({.shape = Shape::LevelArrow, .first = to, .level = {0, bound}});
}
LevelTerm Unifier::unknown_level() {
  levels_.push_back({.depth = depth});
  return {0, static_cast<LevelId>(levels_.size() - 1)};
}
LevelId Unifier::rigid_level(const std::string& name) {
  levels_.push_back({.is_rigid = true, .name = name, .depth = depth});
  return static_cast<LevelId>(levels_.size() - 1);
}

TypeId Unifier::find(TypeId t) const {
  while (nodes_[t].is != none) t = nodes_[t].is;
  return t;
}
LevelTerm Unifier::find(LevelTerm l) const {
  while (l.base != none && levels_[l.base].is) {
    const LevelTerm& next = *levels_[l.base].is;
    l = {l.above + next.above, next.base};
  }
  return l;
}

// ---------------------------------------------------------------------------------------------------- levels

std::optional<std::string> Unifier::lower(LevelTerm l, int depth) {
  l = find(l);
  if (l.base == none) return {};
  LevelNode& n = levels_[l.base];
  if (n.is_rigid && n.depth > depth) return "the level variable `" + n.name + "` is not known there";
  n.depth = std::min(n.depth, depth);
  return {};
}
std::optional<std::string> Unifier::bind(LevelId unknown, LevelTerm to) {
  if (to.base == unknown) return "a level is above itself";
  if (auto wrong = lower(to, levels_[unknown].depth)) return wrong;
  levels_[unknown].is = to;
  return {};
}
std::optional<std::string> Unifier::unify(LevelTerm a, LevelTerm b) {
  a = find(a), b = find(b);
  if (a.above > b.above) std::swap(a, b);
  const LevelTerm rest{b.above - a.above, b.base};
  if (a.base == rest.base && rest.above == 0) return {};
  if (a.base != none && !levels_[a.base].is_rigid) return bind(a.base, rest);
  if (rest.above == 0 && rest.base != none && !levels_[rest.base].is_rigid) return bind(rest.base, {0, a.base});
  return "the level " + show(a) + " is not " + show(b);
}

// ---------------------------------------------------------------------------------------------------- kinds

std::optional<std::string> Unifier::constrain(TypeId t, Kind kind) {
  t = find(t);
  Node& n = nodes_[t];
  if (kind == Kind::Any) return {};
  const auto wrong = [&] {
    return "`" + show(t) + "` is no " + (kind == Kind::Base ? "scalar or pair of scalars" : "data");
  };
  switch (n.shape) {
    case Shape::Unknown:
    case Shape::Rigid:
      n.kind = std::min(n.kind, kind);
      return {};
    case Shape::Scalar:
      return {};
    case Shape::Pair: {
      const TypeId second = n.second;
      if (auto why = constrain(n.first, kind)) return why;
      return constrain(second, kind);
    }
    case Shape::Pull:
    case Shape::Push:
      if (kind == Kind::Base) return wrong();
      return {};
    case Shape::Arrow:
    case Shape::LevelArrow:
      return wrong();
  }
  throw Bug("a type of no shape");
}
std::optional<std::string> Unifier::constrain(TypeId t, unsigned allowed) {
  if (allowed & Every) return {};
  t = find(t);
  Node& n = nodes_[t];
  if (n.shape == Shape::Unknown) {
    const unsigned both = n.allowed & Every ? allowed : n.allowed & allowed;
    if (both == 0) return "no type is " + show_scalars(n.allowed) + " and " + show_scalars(allowed);
    n.allowed = both;
    n.kind = Kind::Base;
    return {};
  }
  if (n.shape == Shape::Scalar && (bit_of(n.scalar) & allowed)) return {};
  if (n.shape == Shape::Rigid)
    return "`" + name_of(n) + "` stands for every type, and this is for " + show_scalars(allowed);
  return "`" + show(t) + "` is not " + show_scalars(allowed);
}

// ---------------------------------------------------------------------------------------------------- types

std::optional<std::string> Unifier::lower(TypeId t, int depth, TypeId not_within) {
  t = find(t);
  if (t == not_within) return "a type would hold itself";
  Node& n = nodes_[t];
  if (n.shape == Shape::Rigid && n.depth > depth) return "the type variable `" + name_of(n) + "` is not known there";
  if (n.shape == Shape::Unknown) n.depth = std::min(n.depth, depth);
  const TypeId parts[] = {n.first, n.second};
  if (n.shape == Shape::Push)
    if (auto why = lower(n.level, depth)) return why;
  for (const TypeId p : parts)
    if (p != none)
      if (auto why = lower(p, depth, not_within)) return why;
  return {};
}
std::optional<std::string> Unifier::bind(TypeId unknown, TypeId to) {
  const Node n = nodes_[unknown];
  if (auto why = lower(to, n.depth, unknown)) return why;
  if (auto why = constrain(to, n.kind)) return why;
  if (auto why = constrain(to, n.allowed)) return why;
  nodes_[unknown].is = to;
  return {};
}

std::optional<std::string> Unifier::unify(TypeId a, TypeId b) {
  a = find(a), b = find(b);
  if (a == b) return {};
  if (nodes_[a].shape == Shape::Unknown) return bind(a, b);
  if (nodes_[b].shape == Shape::Unknown) return bind(b, a);
  const Node x = nodes_[a], y = nodes_[b];
  const auto differ = [&] { return "`" + show(a) + "` is not `" + show(b) + "`"; };
  if (x.shape != y.shape) return differ();
  switch (x.shape) {
    case Shape::Unknown:
    case Shape::Rigid:
      return differ();
    case Shape::Scalar:
      return x.scalar == y.scalar ? std::nullopt : std::optional(differ());
    case Shape::Pull:
      return unify(x.first, y.first);
    case Shape::Push:
      if (auto why = unify(x.level, y.level)) return why;
      return unify(x.first, y.first);
    case Shape::Pair:
    case Shape::Arrow:
      if (auto why = unify(x.first, y.first)) return why;
      return unify(x.second, y.second);
    case Shape::LevelArrow: {
      ++depth;
      const LevelTerm same{0, rigid_level(levels_[x.level.base].name)};
      const TypeId p = instance(x.first, {{}, {{x.level.base, same}}}),
                   q = instance(y.first, {{}, {{y.level.base, same}}});
      --depth;
      return unify(p, q);
    }
  }
  throw Bug("a type of no shape");
}

bool Unifier::is_open(TypeId t) const {
  const Node& n = nodes_[find(t)];
  return n.shape == Shape::Unknown && (n.allowed & Every) && n.depth > depth;
}
bool Unifier::is_open_level(LevelId l) const {
  return !levels_[l].is_rigid && !levels_[l].is && levels_[l].depth > depth;
}

TypeId Unifier::instance(TypeId t, const Instance& of) {
  t = find(t);
  if (const auto at = of.types.find(t); at != of.types.end()) return at->second;
  const Node n = nodes_[t];
  const auto level = [&](LevelTerm l) {
    l = find(l);
    if (const auto at = of.levels.find(l.base); l.base != none && at != of.levels.end())
      return LevelTerm{l.above + at->second.above, at->second.base};
    return l;
  };
  switch (n.shape) {
    case Shape::Unknown:
    case Shape::Rigid:
    case Shape::Scalar:
      return t;
    case Shape::Pull:
      return pull(instance(n.first, of));
    case Shape::Push:
      return push(instance(n.first, of), level(n.level));
    case Shape::Pair:
    case Shape::Arrow: {
      const TypeId first = instance(n.first, of), second = instance(n.second, of);
      return n.shape == Shape::Pair ? pair(first, second) : arrow(first, second);
    }
    case Shape::LevelArrow:
      return level_arrow(n.level.base, instance(n.first, of));
  }
  throw Bug("a type of no shape");
}

void Unifier::each_leaf(TypeId t, const std::function<void(TypeId)>& type,
                        const std::function<void(LevelId)>& level) const {
  t = find(t);
  const Node& n = nodes_[t];
  if (n.shape == Shape::Unknown || n.shape == Shape::Rigid) return type(t);
  if (n.shape == Shape::Push)
    if (const LevelTerm l = find(n.level); l.base != none) level(l.base);
  for (const TypeId p : {n.first, n.second})
    if (p != none) each_leaf(p, type, level);
}

std::optional<LevelTerm> Unifier::above_grid(TypeId t) const {
  t = find(t);
  const Node& n = nodes_[t];
  if (n.shape == Shape::Push)
    if (const LevelTerm l = find(n.level); l.above > most_above) return l;
  for (const TypeId p : {n.first, n.second})
    if (p != none)
      if (const auto found = above_grid(p)) return found;
  return {};
}

// ---------------------------------------------------------------------------------------------------- as written

Level Unifier::written(LevelTerm l, Names& names) const {
  l = find(l);
  if (l.base == none) return {l.above};
  auto& name = names.levels[l.base];
  if (name.empty()) name = levels_[l.base].is_rigid ? levels_[l.base].name : "l" + std::to_string(l.base);
  return {l.above, name};
}
Type Unifier::written(TypeId t, Names& names) const {
  t = find(t);
  const Node& n = nodes_[t];
  switch (n.shape) {
    case Shape::Unknown:
    case Shape::Rigid: {
      auto& name = names.types[t];
      if (name.empty()) name = n.shape == Shape::Rigid ? name_of(n) : "t" + std::to_string(t);
      return named_type(name);
    }
    case Shape::Scalar:
      return {n.scalar};
    case Shape::Pull:
      return fcl::pull(written(n.first, names));
    case Shape::Push:
      return fcl::push(written(n.first, names), written(n.level, names));
    case Shape::Pair:
    case Shape::Arrow: {
      Type first = written(n.first, names), second = written(n.second, names);
      return n.shape == Shape::Pair ? pair_of(std::move(first), std::move(second))
                                    : fcl::arrow(std::move(first), std::move(second));
    }
    case Shape::LevelArrow: {
      const Level bound = written(n.level, names);
      return fcl::level_arrow(bound.variable, written(n.first, names));
    }
  }
  throw Bug("a type of no shape");
}

namespace {

// a, b, c …, but for what is taken.
std::string letter(std::size_t k) {
  return std::string(1, static_cast<char>('a' + k % 26)) + (k < 26 ? "" : std::to_string(k / 26));
}

}  // namespace

std::string Unifier::show(TypeId t) const {
  Names names;
  std::size_t next = 0;
  each_leaf(
      t,
      [&](TypeId u) {
        const Node& n = nodes_[u];
        if (n.shape == Shape::Rigid || names.types.contains(u)) return;
        names.types.emplace(u, n.allowed & Every ? letter(next++) : show_scalars(n.allowed));
      },
      [](LevelId) {});
  return fcl::show(written(t, names));
}
std::string Unifier::show(LevelTerm l) const {
  Names names;
  return fcl::show(written(l, names));
}

}  // namespace lockstep::fcl::inference
