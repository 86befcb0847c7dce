// What is asked of an operator before its reductions are computed in another order, and what is answered.
#pragma once
#include <functional>

#include "semantics/core/phrase.h"

namespace lockstep::rewriting {

// Of f : a -> a -> a. Associative: f x (f y z) = f (f x y) z; Commutative: f x y = f y x; Neutral: f x e = x = f e x.
// Absorbed, of e and z: f e z = z, f e (f x z) = f x z: a fold from e, put to one that began at z, loses nothing and
// adds nothing. Selective, of f x y = if c x y then x else y: a fold from any z, put to another from z, is the fold
// that goes on; see sides_of in proofs/laws for what is asked.
enum class Law { Associative, Commutative, Neutral, Absorbed, Selective };
std::string_view show(Law law);

struct LawQuestion {
  Law law;
  PhraseRef operation;                 // \x acc -> ..., its free names standing for any value of their type
  std::optional<PhraseRef> element{};  // e, of Neutral and Absorbed
  std::optional<PhraseRef> start{};    // z, of Absorbed
  std::optional<PhraseRef> made{};     // g, of Absorbed: x is g y, for any y
};
enum class Knowledge { Proved, Tested, Assumed };
std::string_view show(Knowledge k);
struct LawAnswer {
  bool holds = false;
  Knowledge knowledge = Knowledge::Tested;
  bool rounding = false;  // on the reals, so up to rounding on floats: a result within its bound, not the same bits
  std::string how;        // "claimed by +, proved by Z3"; where it does not hold, the counterexample
};
// Handed in, so that no solver is linked where programs are translated; proofs/laws makes one.
using LawOracle = std::function<LawAnswer(const LawQuestion&)>;
// The same oracle, which keeps its answers to the last questions, a few dozen: the same up to bound names.
LawOracle remembering(LawOracle oracle);

}  // namespace lockstep::rewriting
