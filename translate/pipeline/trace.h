// A program taken through its stages, once: tests, proofs, costs, reports and certificates read the trace, so that what
// is proved is what was run.
#pragma once
#include "translate/pipeline/stage.h"

namespace lockstep {

struct Step {
  std::string name, cite;
  AnyProgram program;
  CostRelation cost{};
  Owed owed{};
  double seconds = 0;
  Rounding rounding = Rounding::AsBefore;
};
struct Trace {
  std::vector<Step> steps{};  // the source first
  const AnyProgram& last() const { return steps.back().program; }
  // The program after the stage of that name; null where there is none.
  const AnyProgram* after(const std::string& stage) const;
  // Whether the step changed its program, and in which way that rounds.
  Rounding rounds(std::size_t step) const;
  bool reorders() const;  // whether one of them does by laws
  // The step whose program the later ones compute bit for bit: the last that rounds otherwise; else the source.
  std::size_t held_to() const;
};

// `owed`: stages are asked for their obligations.
Step run_stage(const Stage& stage, const AnyProgram& before, bool owed = false);
// A stage that comes again has a number.
Trace run_stages(const std::vector<Stage>& stages, Step source, bool owed = false);

}  // namespace lockstep
