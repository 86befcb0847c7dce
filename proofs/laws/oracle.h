// What rewriting asks of an operator (translate/rewriting/rule.h): associative, commutative, an element neutral. In
// this order: on integers and booleans Z3 proves it over bit-vectors, for every value; on floats, functions of +, - and
// * alone are taken over the reals, which holds up to rounding, and functions of comparisons, min, max, abs and
// branches over IEEE numbers, and, where that does not hold (of 0 and -0 max gives the second), or sums stand beside
// them, over the reals; what Z3 leaves is tested with random values. A law that fails comes with values on which it
// does.
#pragma once
#include "proofs/smt/solver.h"
#include "translate/rewriting/rule.h"

namespace lockstep::proofs {

struct LawOptions {
  unsigned timeout_ms = 2000;  // of one query, counted in steps of Z3 (3000 to a millisecond)
  std::size_t runs = 2000;     // of a test
  std::uint64_t seed = 1;
};
rewriting::LawOracle law_oracle(const LawOptions& options = {});

// The two sides of a law as programs over x, y, z and the operation's free names, and what they are called.
struct LawSides {
  PhraseProgram left, right;
  std::string left_text, right_text;
};
// Several where a law says several things: Neutral both of f x e and of f e x; Absorbed that f e z = z and
// f e (f x z) = f x z; Selective, of any z, and r and s either z or f y z and f w z, that f z s = s
// and f (f x r) s = f x (f r s).
std::vector<LawSides> sides_of(const rewriting::LawQuestion& question);

// By a solver. Nothing is proved of an operation that has no term.
struct LawProof {
  smt::Verdict::Kind verdict = smt::Verdict::Unknown;
  bool reals = false;
};
// Numbers of IEEE where nothing is rounded, else reals; or reals, and nothing is asked where there are no floats.
enum class LawFloats { AsUsed, Reals };
LawProof prove_law(const LawSides& sides, unsigned timeout_ms, const smt::Solver& solver = smt::z3(),
                   LawFloats floats = LawFloats::AsUsed);

// Random values, small ones first, or small whole ones alone; or these, and nothing rounded. Nothing, or the values on
// which the sides differ.
enum class LawValues { Any, Small, Reals };
std::optional<std::string> refute_law(const LawSides& sides, std::size_t runs, std::uint64_t seed,
                                      LawValues of = LawValues::Any);
// Whether small whole numbers go through both sides without wrapping or rounding: what they refute is no law of
// numbers.
bool is_exact_on_small(const LawSides& sides);
bool has_floats(const LawSides& sides);

}  // namespace lockstep::proofs
