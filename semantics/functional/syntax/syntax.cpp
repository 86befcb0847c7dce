// Equality of surface trees: structure and names; regions, and what sizes need as they were written, are not compared.
#include "semantics/functional/syntax/syntax.h"

namespace lockstep::surface {
namespace {

bool same(const NamePattern& a, const NamePattern& b) { return a.name == b.name; }
bool same(const WildPattern&, const WildPattern&) { return true; }
bool same(const TuplePattern& a, const TuplePattern& b) { return a.parts == b.parts; }

bool same(const Name& a, const Name& b) { return a.name == b.name; }
bool same(const Literal& a, const Literal& b) { return a.digits == b.digits && a.suffix == b.suffix; }
bool same(const Operator& a, const Operator& b) { return a.symbol == b.symbol; }
bool same(const Lambda& a, const Lambda& b) { return a.patterns == b.patterns && a.body == b.body; }
bool same(const Let& a, const Let& b) { return a.pattern == b.pattern && a.value == b.value && a.body == b.body; }
bool same(const If& a, const If& b) {
  return a.condition == b.condition && a.then == b.then && a.otherwise == b.otherwise;
}
bool same(const Apply& a, const Apply& b) { return a.function == b.function && a.argument == b.argument; }
bool same(const Index& a, const Index& b) { return a.array == b.array && a.index == b.index; }
bool same(const Tuple& a, const Tuple& b) { return a.parts == b.parts; }
bool same(const ArrayLiteral& a, const ArrayLiteral& b) { return a.parts == b.parts; }

// Overload resolution demands a `same` for every alternative.
template <class Variant>
bool same_node(const Variant& a, const Variant& b) {
  if (a.index() != b.index()) return false;
  return std::visit([&](const auto& x) { return same(x, std::get<std::decay_t<decltype(x)>>(b)); }, a);
}

bool same(const Parameter& a, const Parameter& b) {
  if (a.name != b.name || a.type.has_value() != b.type.has_value()) return false;
  return !a.type || a.type->type == b.type->type;
}

template <class T, class Same>
bool same_lists(const std::vector<T>& a, const std::vector<T>& b, Same same_element) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same_element(a[i], b[i])) return false;
  return true;
}

}  // namespace

bool operator==(const Pattern& a, const Pattern& b) { return same_node(a.node, b.node); }
bool operator==(const Expr& a, const Expr& b) { return same_node(a.node, b.node); }

bool operator==(const Definition& a, const Definition& b) {
  return a.name == b.name && a.result.type == b.result.type && a.body == b.body &&
         same_lists(a.sizes, b.sizes, [](const auto& x, const auto& y) { return x.first == y.first; }) &&
         same_lists(a.parameters, b.parameters, [](const auto& x, const auto& y) { return same(x, y); }) &&
         same_lists(a.facts, b.facts, [](const auto& x, const auto& y) { return x.fact == y.fact; });
}

bool operator==(const Program& a, const Program& b) { return a.definitions == b.definitions; }

}  // namespace lockstep::surface
