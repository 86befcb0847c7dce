// Inference of types and sizes: surface syntax to typed phrases, every call of a defined function expanded. Sizes are
// unified as normal forms; what normalisation leaves goes to the solver, which is handed in.
#pragma once
#include "semantics/functional/inference/implied_sizes.h"
#include "semantics/functional/syntax/syntax.h"
#include "semantics/primitives/calculus.h"

namespace lockstep {

std::string_view show(Verdict v);  // "proved by normalisation", "proved by Z3", "assumed", "refuted", "unknown"

// Something about sizes that must hold for all values of the names that satisfy the facts.
struct SizeObligation {
  SizeFact goal;
  std::vector<SizeFact> facts;
  Region region;
  std::string origin;  // "split 64", "the result of gemv", "where fact of dot" ...
  std::string definition;
  Verdict verdict = Verdict::Unknown;
  // "n = 3: 3 != 4", where refuted; and of that the sizes alone, "n = 3", or what else there is.
  std::string counterexample, counterexample_sizes{};
  double seconds = 0;
};

namespace inference {
class Definitions;
}
struct Elaboration {
  std::vector<PhraseProgram> entries;  // definitions whose parameters and result are data, in file order
  std::vector<Region> entry_regions;
  std::vector<SizeObligation> obligations;
  std::shared_ptr<const inference::Definitions> definitions;  // for the calls that are not expanded yet
  SizeImplication implied;                                    // what decides sizes there too
};
// Calls are expanded, which can take time and space exponential in the program. Those that are few are expanded in any
// case; the others are left in the bodies of entry points where this is asked for, and `expanded` does it for one.
enum class Calls { Expanded, Left };
// All the errors that can be found. Obligations refuted or unknown are errors too.
Checked<Elaboration> infer(const surface::Program& program, const Calculus& calculus, const SizeSolver& solver,
                           Calls calls = Calls::Expanded);
// Errors: it becomes too large; and where it was left with calls, what their places decide: an index that is outside,
// levels that do not nest.
Checked<PhraseProgram> expanded(const Elaboration& elaboration, std::size_t entry, const Calculus& calculus);

// Implicit sizes of an entry point from the shapes of its arguments and the sizes given by name. Shapes are those of
// the leaves, left to right (leaves_of), lanes not counted. Facts are checked too. Errors are the user's.
struct SizeSolution {
  SizeValues values;
};
enum class OpenSizes { Refused, Left };  // what is done about sizes that follow from nothing
tl::expected<SizeSolution, std::string> solve_sizes(
    const PhraseProgram& program, const SizeValues& given,
    const std::map<std::string, std::vector<std::vector<std::int64_t>>>& shapes, OpenSizes open = OpenSizes::Refused);

}  // namespace lockstep
