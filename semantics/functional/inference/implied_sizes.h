// What is asked of sizes, of a solver that is handed in: by inference, and by those who compare the sizes of a program
// that inference has accepted.
#pragma once
#include "semantics/core/size.h"

namespace lockstep {

enum class Verdict { Normalised, Solved, Assumed, Refuted, Unknown };

struct SolverAnswer {
  Verdict verdict;  // Solved, Refuted or Unknown
};
using SizeSolver = std::function<SolverAnswer(const std::vector<SizeFact>& facts, const SizeFact& goal)>;
// The same answers, each question asked once: facts and goal together are the question.
SizeSolver remembering(SizeSolver solver);
// Decided as obligations are: by normal forms, and by the solver what they leave open.
SizeImplication implied_by(SizeSolver solver);

}  // namespace lockstep
