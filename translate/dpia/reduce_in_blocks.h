// What of a program is reduced in blocks.
#pragma once
#include "translate/rewriting/reduction.h"

namespace lockstep {

// A reduction whose order a law may change, with a step that holds no loop.
bool goes_by_law(const PrimPhrase& p);
// What it takes to split the reduction by the laws that the site knows; nothing where it stays in order.
std::optional<rewriting::Splitting> split_by_law(rewriting::Site& site, const PrimPhrase& reduce);
// The same into parts that are put together in their order; `start` as it is written, whatever name the reduction has
// for it.
std::optional<rewriting::Splitting> split_in_order(rewriting::Site& site, const PrimPhrase& reduce,
                                                   const PhraseRef& start);

}  // namespace lockstep
