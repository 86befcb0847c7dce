// What cannot trap.
#include "translate/l0/traps.h"

#include <algorithm>

#include "semantics/l0/check.h"
#include "semantics/l0/scalar_functions.h"
#include "semantics/l0/walk.h"

namespace lockstep::l0 {
namespace {

bool is_array(const Expr& e) { return as<ArrayType>(e.type.value) != nullptr; }
bool is_natural(const Expr& e) {
  const auto* l = as<Literal>(e);
  return l && l->value.integer() >= 0;
}
bool divides_by_what_is_not_zero(const InfixExpr& i) {
  const auto* l = as<Literal>(*i.right);
  return (i.op == Infix::Div || i.op == Infix::Mod) && l && l->value.bits != 0;
}

bool traps_itself(const InfixExpr& i) {
  const ScalarType* t = as<ScalarType>(i.left->type.value);
  if (i.op == Infix::Pow && is_natural(*i.right)) return false;
  return !t || (can_trap(i.op, *t) && !divides_by_what_is_not_zero(i));
}
bool traps_itself(const CallExpr& c) {
  const ScalarFunction* f = scalar_function_named(c.function);
  const ScalarType* t = c.arguments.empty() ? nullptr : as<ScalarType>(c.arguments[0]->type.value);
  return !f || !t || can_trap(*f, *t);
}
bool traps_itself(const BuiltInExpr& b) {
  switch (b.op) {
    case BuiltIn::Zip:
    case BuiltIn::AssertZip:
    case BuiltIn::Split:
      return true;
    case BuiltIn::Iota:
    case BuiltIn::Replicate:
      return !is_natural(*b.arguments[0]);
    case BuiltIn::Concat:
      return has_arrays(*element_of(b.arguments[0]->type.value));
    case BuiltIn::Unzip:
    case BuiltIn::Size:
    case BuiltIn::Transpose:
    case BuiltIn::Copy:
      return false;
  }
  throw Bug("a built-in of no kind");
}
// Lengths may differ, and shapes of rows.
bool traps_itself(const SoacExpr& s, const Type& type) {
  if (s.arguments.size() - s.starts.value > 1) return true;
  if (std::any_of(s.functions.begin(), s.functions.end(), [](const Fn& f) { return can_trap(f); })) return true;
  switch (s.op) {
    case Soac::Map:
    case Soac::Map2:
      return has_arrays(result_of(s.functions[0]));
    case Soac::Scan:
    case Soac::Scan2:
      return has_arrays(*element_of(as<TupleType>(type) ? as<TupleType>(type)->items[0] : type)) || s.starts.value > 1;
    case Soac::Filter:
    case Soac::Filter2:
    case Soac::Reduce:
    case Soac::Reduce2:
    case Soac::Redomap:
    case Soac::Redomap2:
      return false;
  }
  throw Bug("an array operation of no kind");
}
bool traps_itself(const BlockExpr& b) {
  return std::any_of(b.bindings.begin(), b.bindings.end(),
                     [](const Binding& x) { return std::holds_alternative<UpdateBinding>(x.node); });
}

}  // namespace

bool can_trap(const Expr& e) {
  const bool itself = match(
      e.node,
      [](const OneOf<Literal, TextLiteral, Variable, TupleExpr, PrefixExpr, IfExpr, ShiftExpr, FlattenExpr> auto&) {
        return false;
      },
      [](const ArrayExpr& a) { return a.items.size() > 1 && is_array(*a.items[0]); },
      [](const InfixExpr& i) { return traps_itself(i); }, [](const BlockExpr& b) { return traps_itself(b); },
      [](const IndexExpr&) { return true; }, [](const CallExpr& c) { return traps_itself(c); },
      [](const BuiltInExpr& b) { return traps_itself(b); },
      [&](const SoacExpr& s) { return traps_itself(s, e.type.value); });
  if (itself) return true;
  bool inside = false;
  each_child(e, [&](const ExprRef& c) { inside = inside || can_trap(*c); });
  return inside;
}

bool can_trap(const Fn& f) {
  return match(
      f.node, [](const Lambda& l) { return can_trap(*l.body); },
      [&](const NamedFunction& n) {
        const ScalarFunction* s = scalar_function_named(n.name);
        const std::vector<Type>& x = f.calls.value.arguments;
        return !s || x.empty() || !as<ScalarType>(x[0]) || can_trap(*s, std::get<ScalarType>(x[0].node));
      },
      [&](const OperatorFunction& o) {
        const std::vector<Type>& x = f.calls.value.arguments;
        return x.empty() || !as<ScalarType>(x[0]) || can_trap(o.op, std::get<ScalarType>(x[0].node));
      },
      [](const PrefixFunction&) { return false; });
}

}  // namespace lockstep::l0
