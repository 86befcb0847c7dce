// What stands in each form of an expression of FCL.
#pragma once
#include "semantics/fcl/syntax.h"

namespace lockstep::fcl {

// f on the edges to the expressions directly in e, in the order in which they are written: where e is a copy they can
// be replaced.
template <class E, class F>
void each_child(E& e, const F& f) {
  match(
      e.node, [](Like<E, Literal>&) {}, [](Like<E, Variable>&) {}, [](Like<E, SettingExpr>&) {},
      [](Like<E, OperatorExpr>&) {}, [&](Like<E, InfixExpr>& x) { f(x.left), f(x.right); },
      [&](Like<E, PrefixExpr>& x) { f(x.operand); }, [&](Like<E, PipeExpr>& x) { f(x.value), f(x.function); },
      [&](Like<E, ComposeExpr>& x) { f(x.outer), f(x.inner); },
      [&](Like<E, ApplyExpr>& x) { f(x.function), f(x.argument); }, [&](Like<E, LevelApplyExpr>& x) { f(x.function); },
      [&](Like<E, FnExpr>& x) { f(x.body); },
      [&](Like<E, LetExpr>& x) {
        for (auto& b : x.bindings) f(b.value);
        f(x.body);
      },
      [&](Like<E, IfExpr>& x) { f(x.condition), f(x.yes), f(x.no); },
      [&](Like<E, PairExpr>& x) { f(x.first), f(x.second); },
      [&](Like<E, ArrayExpr>& x) {
        for (auto& i : x.items) f(i);
      });
}

}  // namespace lockstep::fcl
