// Patterns, which bind components of a phrase that may be read twice.
#pragma once
#include <span>

#include "semantics/functional/inference/work.h"

namespace lockstep::inference {

Type pattern_type(Work& w, const surface::Pattern& p);
std::string pattern_name(Work& w, const surface::Pattern& p);
void bind_pattern(Work& w, const surface::Pattern& p, const PhraseRef& value, const Type& t);
void refuse_names_twice(Work& w, std::span<const surface::Pattern> bound_together);
PhraseRef component(const Calculus& calculus, int k, const PhraseRef& e, const Type& t);

}  // namespace lockstep::inference
