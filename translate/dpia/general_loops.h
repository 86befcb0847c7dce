// Loops that others may take part in, as those that take elements by functions.
#pragma once
#include "translate/rewriting/rule.h"

namespace lockstep {

// generate n f as map f (indices n); scatter and permute as scatterBy and permuteBy of zipped indices and values; any
// other phrase as it is.
PhraseRef general_loop(rewriting::Site& s, const PhraseRef& p);
// All of them in a phrase.
PhraseRef in_general_form(rewriting::Site& s, const PhraseRef& p);
// And back, where they are what the special one says.
PhraseRef in_special_form(rewriting::Site& s, const PhraseRef& p);

}  // namespace lockstep
