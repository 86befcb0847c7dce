// Inference of types and sizes: surface syntax to typed phrases, every call of a defined function expanded. Sizes are
// unified as normal forms; what normalisation leaves goes to the solver, which is handed in.
#pragma once
#include "semantics/functional/implied_sizes.h"
#include "semantics/functional/syntax.h"
#include "semantics/primitives/calculus.h"

namespace lockstep {

std::string_view show(Verdict v);  // "proved by normalisation", "proved by Z3", "assumed", "refuted", "unknown"

// Something about sizes that must hold for all values of the names that satisfy the facts.
struct Obligation {
  SizeFact goal;
  std::vector<SizeFact> facts;
  Region region;
  std::string origin;  // "split 64", "the result of gemv", "where fact of dot" ...
  std::string definition;
  Verdict verdict = Verdict::Unknown;
  std::string counterexample;  // "n = 3: 3 != 4", where refuted
  double seconds = 0;
};

struct Elaboration {
  std::vector<PhraseProgram> entries;  // definitions whose parameters and result are data, in file order
  std::vector<Region> entry_regions;
  std::vector<Obligation> obligations;
};
// All the errors that can be found. Obligations refuted or unknown are errors too.
Checked<Elaboration> infer(const surface::Program& program, const Calculus& calculus, const SizeSolver& solver);

// Implicit sizes of an entry point from the shapes of its arguments and the sizes given by name. Shapes are those of
// the leaves, left to right (leaves_of), lanes not counted. Facts are checked too. Errors are the user's.
struct SizeSolution {
  SizeValues values;
};
tl::expected<SizeSolution, std::string> solve_sizes(
    const PhraseProgram& program, const SizeValues& given,
    const std::map<std::string, std::vector<std::vector<std::int64_t>>>& shapes);

}  // namespace lockstep
