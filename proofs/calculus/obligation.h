// An obligation: a claim about the calculus, and how it is decided. In data-flow order the files that make them are
// views/paths, views/acceptors, views/meanings, loops/equations, facets/equations, scattered/equations,
// strategies/laws, strategies/fusion_laws, operators/laws; wrong is those that must be refuted, and list all of them.
#pragma once
#include <string>
#include <vector>

#include "proofs/calculus/terms.h"
#include "proofs/smt/solver.h"
#include "semantics/core/size.h"
#include "semantics/language/claim.h"

namespace lockstep::proofs {

struct Outcome {
  Standing standing = Standing::Unknown;
  std::string method{};           // "Z3, 3 cases", "200 cases", "up to rounding"
  std::string detail{};           // the counterexample where refuted, the reason where unknown
  bool asked = false;             // a solver was
  std::vector<std::string> by{};  // the solvers that settle it, each by itself
};

// What has to hold for a claim: each problem a case of it. `error`: the lowering that the claim is about could not be
// read as terms, because it is wrong (the claim is then refuted) or because it uses what is not understood here.
struct Case {
  Question question{};
  std::string about{};  // "zipAcc1", where a claim has several parts
  std::string error{};
  bool understood = true;
  bool may_be_void = false;  // its hypotheses may contradict each other: what a facet was told need not be possible
};
// Proved where each is. Refuted by the first that is. Each must have hypotheses that can hold, but those that may be
// void.
Outcome decide_all(const std::vector<Case>& cases, unsigned timeout_ms = 10000, const Solver& solver = z3());

// Every choice of values from 0 to the largest for these names.
std::vector<SizeValues> every_size(const std::vector<std::string>& names, std::int64_t largest);

struct Obligation {
  std::string group;    // "views", "translation", "strategies", "fusion", "operators"
  std::string subject;  // "split"
  std::string claim;    // "reads the element that its equation says"
  std::function<Outcome(const Solver&)> decided_by;
  bool wrong = false;        // a wrong statement, which must be refuted
  std::int64_t largest = 0;  // a facet is run on numbers for sizes up to this, where proofs have names: on none beyond

  Outcome decide(const Solver& solver = z3()) const { return decided_by(solver); }
};

}  // namespace lockstep::proofs
