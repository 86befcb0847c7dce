// The end of a definition: unknowns are replaced, indexing is decided, and what a primitive asks beyond its type.
//
#pragma once
#include "semantics/functional/inference/work.h"

namespace lockstep::inference {

PhraseRef finish(Work& w, const PhraseRef& p);

}  // namespace lockstep::inference
