// Equality of surface trees: structure and names; regions are not compared, Reals are by their bits.
#include "semantics/snesl/syntax.h"

namespace lockstep::snesl::surface {

static bool operator==(const Pattern& a, const Pattern& b);

namespace {

bool same(const NamePattern& a, const NamePattern& b) { return a.name == b.name; }
bool same(const TuplePattern& a, const TuplePattern& b) { return a.items == b.items; }

bool same(const Binding& a, const Binding& b) { return a.pattern == b.pattern && a.value == b.value; }
bool same(const std::vector<Binding>& a, const std::vector<Binding>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same(a[i], b[i])) return false;
  return true;
}

bool same(const Variable& a, const Variable& b) { return a.name == b.name; }
bool same(const Literal& a, const Literal& b) { return a.atom == b.atom; }
bool same(const TextLiteral& a, const TextLiteral& b) { return a.text == b.text; }
bool same(const LetExpr& a, const LetExpr& b) { return same(a.bindings, b.bindings) && a.body == b.body; }
bool same(const IfExpr& a, const IfExpr& b) { return a.condition == b.condition && a.yes == b.yes && a.no == b.no; }
bool same(const SelectExpr& a, const SelectExpr& b) {
  return a.condition == b.condition && a.yes == b.yes && a.no == b.no;
}
bool same(const ComprehensionExpr& a, const ComprehensionExpr& b) {
  return a.body == b.body && same(a.generators, b.generators) && a.condition == b.condition;
}
bool same(const GuardedExpr& a, const GuardedExpr& b) { return a.body == b.body && a.condition == b.condition; }
bool same(const SequenceExpr& a, const SequenceExpr& b) { return a.items == b.items; }
bool same(const VectorExpr& a, const VectorExpr& b) { return a.items == b.items; }
bool same(const TupleExpr& a, const TupleExpr& b) { return a.items == b.items; }
bool same(const ProjectExpr& a, const ProjectExpr& b) { return a.index == b.index && a.tuple == b.tuple; }
bool same(const PrefixExpr& a, const PrefixExpr& b) { return a.op == b.op && a.operand == b.operand; }
bool same(const InfixExpr& a, const InfixExpr& b) { return a.op == b.op && a.left == b.left && a.right == b.right; }
bool same(const IndexExpr& a, const IndexExpr& b) { return a.vector == b.vector && a.index == b.index; }
bool same(const AppendExpr& a, const AppendExpr& b) { return a.left == b.left && a.right == b.right; }
bool same(const CallExpr& a, const CallExpr& b) { return a.function == b.function && a.arguments == b.arguments; }

bool same(const Function& a, const Function& b) {
  if (a.name != b.name || a.parameters.size() != b.parameters.size()) return false;
  for (std::size_t i = 0; i < a.parameters.size(); ++i)
    if (a.parameters[i].name != b.parameters[i].name) return false;
  return a.body == b.body;
}

// Overload resolution demands a `same` for every alternative.
template <class Variant>
bool same_node(const Variant& a, const Variant& b) {
  if (a.index() != b.index()) return false;
  return std::visit([&](const auto& x) { return same(x, std::get<std::decay_t<decltype(x)>>(b)); }, a);
}

}  // namespace

static bool operator==(const Pattern& a, const Pattern& b) { return same_node(a.node, b.node); }
bool operator==(const Expr& a, const Expr& b) { return same_node(a.node, b.node); }

bool operator==(const Program& a, const Program& b) {
  if (a.functions.size() != b.functions.size()) return false;
  for (std::size_t i = 0; i < a.functions.size(); ++i)
    if (!same(a.functions[i], b.functions[i])) return false;
  return true;
}

}  // namespace lockstep::snesl::surface
