// Scans in blocks: part of the stage reduce-in-blocks.
#pragma once
#include "translate/rewriting/rule.h"

namespace lockstep {

// A scan from a name, a number or a component of a name, as ReductionOrder says, where its operator has the laws; else
// nothing; `start` as it is written. Nothing, too, of an operator alone whose scan any grouping gives the same bits, of
// integers with a neutral number, and min and max, which targets compute in lanes and by threads as it stands.
std::optional<PhraseRef> scanned_in_blocks(rewriting::Site& s, const ReductionOrder& order, const PrimPhrase& scan,
                                           const PhraseRef& start);
// Of integers with a neutral number, and min and max.
bool has_any_grouping(rewriting::Site& s, const PhraseRef& f);

}  // namespace lockstep
