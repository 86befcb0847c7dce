// Z3 for terms: whether a goal follows from hypotheses, with a small counterexample where it does not. Under limits of
// time and memory; "unknown" is never "proved".
#pragma once
#include <optional>

#include "proofs/smt/term.h"

namespace lockstep::proofs {

struct Problem {
  std::vector<Term> hypotheses;
  Term goal = truth(true);
  std::vector<std::string> sizes{};  // naturals; a counterexample is looked for at small ones first
};
struct Answer {
  enum Kind { Proved, Refuted, Unknown } kind = Unknown;
  std::string model{};  // "k = 1, m = 2; i = 1", where refuted: sizes first
};
Answer decide(const Problem& problem, unsigned timeout_ms = 10000);

// The numbers that terms without free names are, as bits; of a float its IEEE bits, of a NaN nothing.
std::vector<std::optional<std::uint64_t>> numbers_of(const std::vector<Term>& terms);

}  // namespace lockstep::proofs
