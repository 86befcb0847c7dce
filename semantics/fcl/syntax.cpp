// What is asked of trees of FCL, and types as they are written.
#include "semantics/fcl/syntax.h"

#include <algorithm>

#include "semantics/fcl/walk.h"

namespace lockstep::fcl {

std::string show(const Level& l) {
  static constexpr const char* names[] = {"thread", "warp", "block", "grid"};
  if (l.variable.empty() && l.above <= most_above) return names[l.above];
  std::string out;
  for (int k = 0; k < l.above; ++k) out += "1 + ";
  return out + (l.variable.empty() ? "Z" : l.variable);
}

std::string show(const Type& t) {
  const auto argument = [](const Type& from) {
    return as<Arrow>(from) || as<LevelArrow>(from) ? "(" + show(from) + ")" : show(from);
  };
  return match(
      t.node,
      [](ScalarType s) -> std::string {
        return s == ScalarType::I32 ? "int" : s == ScalarType::F64 ? "double" : "bool";
      },
      [](const NamedType& v) { return v.name; },
      [](const PairOf& p) { return "(" + show(*p.first) + ", " + show(*p.second) + ")"; },
      [](const PullType& a) { return "[" + show(*a.element) + "]"; },
      [](const PushType& a) { return "[" + show(*a.element) + "]<" + show(a.level) + ">"; },
      [&](const Arrow& a) { return argument(*a.from) + " -> " + show(*a.to); },
      [](const LevelArrow& a) { return "<" + a.variable + "> -> " + show(*a.to); });
}

std::string_view show(Kind k) { return k == Kind::Base ? "BT" : k == Kind::Ground ? "GT" : "TYP"; }

namespace {

void add_once(std::vector<std::string>& all, const std::string& name) {
  if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
}
void collect_open(const Type& t, std::vector<std::string>& bound, OpenNames& out) {
  match(
      t.node, [](ScalarType) {}, [&](const NamedType& v) { add_once(out.types, v.name); },
      [&](const PairOf& p) { collect_open(*p.first, bound, out), collect_open(*p.second, bound, out); },
      [&](const PullType& a) { collect_open(*a.element, bound, out); },
      [&](const PushType& a) {
        collect_open(*a.element, bound, out);
        const std::string& l = a.level.variable;
        if (!l.empty() && std::find(bound.begin(), bound.end(), l) == bound.end()) add_once(out.levels, l);
      },
      [&](const Arrow& a) { collect_open(*a.from, bound, out), collect_open(*a.to, bound, out); },
      [&](const LevelArrow& a) {
        bound.push_back(a.variable);
        collect_open(*a.to, bound, out);
        bound.pop_back();
      });
}

}  // namespace

OpenNames open_names(const Type& t) {
  OpenNames out;
  std::vector<std::string> bound;
  collect_open(t, bound, out);
  return out;
}

std::string_view name_of(Setting s) { return s == Setting::BlockSize ? "#BlockSize" : "#WarpSize"; }

Expr let(std::vector<Binding> bindings, Expr result) {
  if (bindings.empty()) return result;
  if (const auto* inner = as<LetExpr>(result)) {
    bindings.insert(bindings.end(), inner->bindings.begin(), inner->bindings.end());
    return {LetExpr{std::move(bindings), inner->body}, result.region};
  }
  const Region at = result.region;
  return {LetExpr{std::move(bindings), std::move(result)}, at};
}

const Definition* definition_named(const Program& p, std::string_view name) {
  const auto at =
      std::find_if(p.definitions.begin(), p.definitions.end(), [&](const Definition& d) { return d.name == name; });
  return at == p.definitions.end() ? nullptr : &*at;
}

std::size_t nodes(const Expr& e) {
  std::size_t n = 1;
  if (const auto* l = as<LetExpr>(e)) n += l->bindings.size();
  each_child(e, [&](const ExprRef& c) { n += nodes(*c); });
  return n;
}
std::size_t nodes(const Program& p) {
  std::size_t n = 0;
  for (const Definition& d : p.definitions) n += nodes(*d.body);
  return n;
}

}  // namespace lockstep::fcl
