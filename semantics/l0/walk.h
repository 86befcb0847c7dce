// What stands in each form of an expression of L0.
#pragma once
#include "semantics/l0/syntax.h"

namespace lockstep::l0 {

// f on the edges to the expressions directly in a binding, in the order in which they are evaluated.
template <class B, class F>
void each_child_of_binding(B& b, const F& f) {
  match(
      b.node, [&](Like<B, LetBinding>& x) { f(x.value); },
      [&](Like<B, UpdateBinding>& x) {
        for (auto& i : x.indices) f(i);
        f(x.value);
      },
      [&](Like<B, LoopBinding>& x) { f(x.init), f(x.bound), f(x.step); });
}
template <class Function, class F>
void each_child_of_function(Function& fn, const F& f) {
  match(
      fn.node, [&](Like<Function, Lambda>& x) { f(x.body); },
      [&](Like<Function, NamedFunction>& x) {
        for (auto& a : x.arguments) f(a);
      },
      [&](Like<Function, OperatorFunction>& x) {
        if (x.first) f(*x.first);
      },
      [&](Like<Function, PrefixFunction>&) {});
}
// f on the edges to the expressions directly in e, in the order in which they are written: where e is a copy they can
// be replaced.
template <class E, class F>
void each_child(E& e, const F& f) {
  const auto all = [&](auto& items) {
    for (auto& r : items) f(r);
  };
  match(
      e.node, [](Like<E, Literal>&) {}, [](Like<E, TextLiteral>&) {}, [](Like<E, Variable>&) {},
      [&](Like<E, TupleExpr>& x) { all(x.items); }, [&](Like<E, ArrayExpr>& x) { all(x.items); },
      [&](Like<E, PrefixExpr>& x) { f(x.operand); }, [&](Like<E, InfixExpr>& x) { f(x.left), f(x.right); },
      [&](Like<E, IfExpr>& x) { f(x.condition), f(x.yes), f(x.no); },
      [&](Like<E, BlockExpr>& x) {
        for (auto& b : x.bindings) each_child_of_binding(b, f);
        f(x.result);
      },
      [&](Like<E, IndexExpr>& x) { all(x.indices); }, [&](Like<E, CallExpr>& x) { all(x.arguments); },
      [&](Like<E, BuiltInExpr>& x) { all(x.arguments); }, [&](Like<E, ShiftExpr>& x) { f(x.array); },
      [&](Like<E, FlattenExpr>& x) { f(x.array); },
      [&](Like<E, SoacExpr>& x) {
        for (auto& fn : x.functions) each_child_of_function(fn, f);
        all(x.arguments);
      });
}

// f on the edges to the blocks that stand in a copy of a binding: of branches, functions, rounds.
template <class F>
void each_block(Binding& b, const F& f) {
  match(
      b.node,
      [&](LetBinding& l) {
        Expr value = *l.value;
        if (auto* i = std::get_if<IfExpr>(&value.node)) {
          f(i->yes), f(i->no);
        } else if (auto* s = std::get_if<SoacExpr>(&value.node)) {
          for (Fn& g : s->functions)
            if (auto* lambda = std::get_if<Lambda>(&g.node)) f(lambda->body);
        } else {
          return;
        }
        l.value = std::move(value);
      },
      [](UpdateBinding&) {}, [&](LoopBinding& l) { f(l.step); });
}
// f on each use of a name in e and within it, and where it stands.
template <class F>
void each_use(const Expr& e, const F& f) {
  if (const auto* v = as<Variable>(e)) f(v->name, e.region);
  if (const auto* i = as<IndexExpr>(e)) f(i->array, i->array_region);
  if (const auto* b = as<BlockExpr>(e))
    for (const Binding& x : b->bindings)
      if (const auto* u = std::get_if<UpdateBinding>(&x.node)) f(u->source, u->source_region);
  each_child(e, [&](const ExprRef& c) { each_use(*c, f); });
}

}  // namespace lockstep::l0
