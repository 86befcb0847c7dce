// Inferred programs back to source: phrases to surface syntax. What is printed from it parses, and inference gives the
// same program again, up to the names of binders and the forms of sizes. Each definition that was called stays
// expanded.
#pragma once
#include "semantics/functional/syntax/syntax.h"
#include "semantics/primitives/calculus.h"

namespace lockstep {

// Suffixes: every literal says its type (0f32). Without them the text is shorter, and inference may choose another type
// for a literal whose use does not say: whoever prints it has to look.
enum class Suffixes { Never, Always };

// A functional program (no output); a Bug for phrases that the source language cannot say.
surface::Definition source_of(const PhraseProgram& program, const Calculus& calculus, Suffixes suffixes);
surface::Expr source_of(const Phrase& e, const Calculus& calculus, Suffixes suffixes);
surface::Expr source_of(const Size& s);
surface::Expr source_of(const Scalar& ieee);  // a literal with its type; a Bug where it is infinite or no number

// Types and values of the literals from left to right, to compare two readings of one text. Those of i64 are left out,
// since sizes are written with them too; a literal that is read at another type shows all the same.
std::vector<std::string> literals_of(const Phrase& p);

}  // namespace lockstep
