// Annotated text (print.h) to phrases. What is written is taken at its word; check_program judges it.
#pragma once
#include "semantics/core/phrase.h"
#include "semantics/primitives/calculus.h"

namespace lockstep {

// program name [sizes] (explicit : nat) (x : type) : type where facts -> output = command
Checked<PhraseProgram> parse_phrase_program(const std::string& text, const Calculus& calculus);

}  // namespace lockstep
