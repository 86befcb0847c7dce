// Laws by what scalar operators claim (semantics/scalars/operator.h), which are proved elsewhere: no solver is asked.
#pragma once
#include "translate/rewriting/rule.h"

namespace lockstep::rewriting {

// The operator that claims the law, where the operation is that operator on its two arguments.
const Primitive* claimed_by(const LawQuestion& question);

// Of such operations, and of pairs of them, component by component; of any other nothing holds.
LawOracle claimed_laws();

}  // namespace lockstep::rewriting
