// What a program of L0 is in the calculus, and every stage after that, beside the source of L0 on its inputs: those
// that meet the program's conditions.
#pragma once
#include <deque>

#include "codegen/targets/target.h"
#include "props/dpia/draw.h"
#include "props/dpia/subjects.h"
#include "props/l0/compiled.h"
#include "props/l0/subjects.h"

namespace lockstep::props::l0 {

class Lowered {
 public:
  // `tests`: of the source, whose last program was lowered; both outlive this. `whole`: as `verify` wants it. Targets
  // will be added, whose floats may be held to error bounds, and the traces say what their stages owe.
  Lowered(const Tests& tests, const language::InCalculus& program, const Calculus& calculus, Effort effort,
          const std::vector<Machine>& machines, bool whole);
  // Rows behind those of L0.
  void add(Case& c);
  void add_target(Case& c, const Target& target);
  std::size_t inputs() const { return tests_.inputs.size(); }  // that meet the conditions
  const std::vector<DpiaTrace>& traces() const { return tests_.traces; }

 private:
  friend class LowerSubject;
  friend class LaterSubject;
  void take(const Input& in);
  std::optional<lockstep::Outcome> in_exact_arithmetic(const Arguments& arguments) const;  // nothing: undecided

  const bool whole_;
  const Tests& source_;
  const language::InCalculus& program_;
  OperatorTally tally_;
  const PhraseProgram counted_;  // its operators count
  props::Tests tests_;
  std::vector<std::optional<std::size_t>> number_;  // by input of the source
  std::vector<Outcome> outcomes_{};                 // of the lowered program, as leaves of L0
  std::deque<DrawnInput> drawn_{};
};

}  // namespace lockstep::props::l0
