// What rewriting asks of an operator (translate/rewriting/rule.h): associative, commutative, an element neutral. In
// this order: on integers and booleans Z3 proves it over bit-vectors, for every value; on floats, functions of + and *
// alone are taken over the reals, which holds up to rounding, and functions of comparisons, min, max, abs and branches
// over IEEE numbers; what Z3 leaves is tested with random values. A law that fails comes with values on which it does.
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
LawSides sides_of(const rewriting::LawQuestion& question);

// By a solver. Nothing is proved of an operation that has no term.
struct LawProof {
  smt::Verdict::Kind verdict = smt::Verdict::Unknown;
  bool reals = false;
};
LawProof prove_law(const LawSides& sides, unsigned timeout_ms, const smt::Solver& solver = smt::z3());

// Random values, small ones first, or small whole ones alone. Nothing, or the values on which the sides differ.
enum class LawValues { Any, Small };
std::optional<std::string> refute_law(const LawSides& sides, std::size_t runs, std::uint64_t seed,
                                      LawValues of = LawValues::Any);
// Whether small whole numbers go through both sides without wrapping or rounding: what they refute is no law of
// numbers.
bool is_exact_on_small(const LawSides& sides);

}  // namespace lockstep::proofs
