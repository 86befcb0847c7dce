// Phrases to text. For people: as in the paper, short forms and infix operators. Annotated: sizes, types and binders'
// types in braces wherever they do not follow, so that parse_phrase_program reads the same program back.
#pragma once
#include "semantics/core/phrase.h"

namespace lockstep {

struct PrintOptions {
  bool annotate = false;
};
std::string print(const PhraseProgram& program, const PrintOptions& options = {});
std::string print(const Phrase& phrase, const PrintOptions& options = {});

}  // namespace lockstep
