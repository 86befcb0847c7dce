// What stands in each form of a surface expression.
#pragma once
#include "semantics/snesl/syntax.h"

namespace lockstep::snesl::surface {

// f on the edges to the subexpressions directly in e, in the order in which they are written: where e is a copy they
// can be replaced.
template <class E, class F>
void each_child(E& e, const F& f) {
  const auto all = [&](auto& items) {
    for (auto& r : items) f(r);
  };
  const auto values = [&](auto& bindings) {
    for (auto& b : bindings) f(b.value);
  };
  match(
      e.node, [](Like<E, Variable>&) {}, [](Like<E, Literal>&) {}, [](Like<E, TextLiteral>&) {},
      [&](Like<E, LetExpr>& x) { values(x.bindings), f(x.body); },
      [&](Like<E, IfExpr>& x) { f(x.condition), f(x.yes), f(x.no); },
      [&](Like<E, SelectExpr>& x) { f(x.condition), f(x.yes), f(x.no); },
      [&](Like<E, ComprehensionExpr>& x) {
        f(x.body), values(x.generators);
        if (x.condition) f(*x.condition);
      },
      [&](Like<E, GuardedExpr>& x) { f(x.body), f(x.condition); }, [&](Like<E, SequenceExpr>& x) { all(x.items); },
      [&](Like<E, VectorExpr>& x) { all(x.items); }, [&](Like<E, TupleExpr>& x) { all(x.items); },
      [&](Like<E, ProjectExpr>& x) { f(x.tuple); }, [&](Like<E, PrefixExpr>& x) { f(x.operand); },
      [&](Like<E, InfixExpr>& x) { f(x.left), f(x.right); }, [&](Like<E, IndexExpr>& x) { f(x.vector), f(x.index); },
      [&](Like<E, AppendExpr>& x) { f(x.left), f(x.right); }, [&](Like<E, CallExpr>& x) { all(x.arguments); });
}

}  // namespace lockstep::snesl::surface
