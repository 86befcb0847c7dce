// Elaboration of one definition: its body as a typed phrase.
#pragma once
#include "semantics/functional/inference/work.h"

namespace lockstep::inference {

struct TooManyNodes {  // of expanded calls, the last one here
  Region region;
};

// The body at the type given, every unknown replaced.
PhraseRef definition(Work& w, const surface::Expr& body, const Type& result);
// A finished body, every call in it expanded and what stands there finished; TooManyNodes is thrown beyond so many.
PhraseRef expanded(Work& w, const PhraseRef& body, std::size_t nodes);

}  // namespace lockstep::inference
