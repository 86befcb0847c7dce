// Places in a phrase: what stands there, and what stands around it.
#pragma once
#include "translate/rewriting/rule.h"

namespace lockstep::rewriting {

// The phrase at a path, or nothing where there is none.
std::optional<PhraseRef> phrase_at(const PhraseRef& root, const Place& path);
// The first application of a primitive of that name, or the first `if`, from the top.
std::optional<Place> first_named(const PhraseRef& root, const std::string& name);
// p, with what stands at the path replaced.
PhraseRef with_phrase_at(const PhraseRef& p, const Place& path, const PhraseRef& by);
// What stands at its root: the primitive's name, "let x", "a literal".
std::string head_of(const Phrase& p);
std::vector<PhraseRef> children_of(const Phrase& p);
// Parallel loops whose function is on the way to the place, outermost first.
std::vector<Level> levels_around(PhraseRef at, const Place& path);

}  // namespace lockstep::rewriting
