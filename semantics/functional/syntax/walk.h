// What stands in each form of a surface expression.
#pragma once
#include "semantics/functional/syntax/syntax.h"

namespace lockstep::surface {

// f on the subexpressions directly in e, in the order of the text: as an Expr or the Ref to one, which can be replaced
// where e is a copy.
template <class E, class F>
void each_child(E& e, const F& f) {
  const auto all = [&](auto& parts) {
    for (auto& p : parts) f(p);
  };
  match(
      e.node, [](Like<E, Name>&) {}, [](Like<E, Literal>&) {}, [](Like<E, Operator>&) {},
      [&](Like<E, Lambda>& x) { f(x.body); }, [&](Like<E, Let>& x) { f(x.value), f(x.body); },
      [&](Like<E, If>& x) { f(x.condition), f(x.then), f(x.otherwise); },
      [&](Like<E, Apply>& x) { f(x.function), f(x.argument); }, [&](Like<E, Index>& x) { f(x.array), f(x.index); },
      [&](Like<E, Tuple>& x) { all(x.parts); }, [&](Like<E, ArrayLiteral>& x) { all(x.parts); });
}

}  // namespace lockstep::surface
