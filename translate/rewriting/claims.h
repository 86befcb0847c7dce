// Laws by what scalar operators claim (semantics/scalars/operator.h), which are proved elsewhere: no solver is asked.
#pragma once
#include "translate/rewriting/reduction.h"

namespace lockstep::rewriting {

// The operator that claims the law, where the operation is that operator on its two arguments.
const Primitive* claimed_by(const LawQuestion& question);

// Whether it is \x acc -> if x.k < acc.k then x else acc, or with >, of a component of both.
bool selects(const Step& operation);

// Of such operations, and of pairs of them, component by component; of any other nothing holds.
LawOracle claimed_laws();

}  // namespace lockstep::rewriting
