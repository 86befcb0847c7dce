// What of a program is combined on places of its own, block by block.
#pragma once
#include "translate/rewriting/rule.h"

namespace lockstep {

// A permute whose operator has the laws that the site knows; nothing where it stays in order.
tl::expected<PhraseRef, rewriting::Refused> permuted_in_blocks(rewriting::Site& s, const ReductionOrder& order,
                                                               const PhraseRef& permute);

}  // namespace lockstep
