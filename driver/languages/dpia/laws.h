// The laws that stages of .dpia relied on, as claims.
#pragma once
#include "semantics/language/claim.h"
#include "semantics/primitives/calculus.h"
#include "translate/dpia/stage.h"

namespace lockstep::driver {

Claim claim_of(const rewriting::LawQuestion& law, const Calculus& calculus);
// Each law once, asked of a solver: whatever an operator claims.
std::vector<Claim> claims_of_laws(const DpiaTrace& trace, const Calculus& calculus);
// "the operator (+) on f32 is associative, on the reals: claimed by +, on the reals by Z3", a line each; "" where there
// are none.
std::string text_of_laws(const std::vector<Claim>& claims);

}  // namespace lockstep::driver
