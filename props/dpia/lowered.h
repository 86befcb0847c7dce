// What a program of another language is in the calculus, and every stage after that, beside its source on the inputs
// that meet the program's conditions.
#pragma once
#include <deque>

#include "codegen/targets/target.h"
#include "props/dpia/draw.h"
#include "props/dpia/lowered_arguments.h"
#include "props/dpia/subjects.h"

namespace lockstep::props {

using LeafOutcome = tl::expected<Leaves, Trap>;
bool same_leaves(const LeafOutcome& a, const LeafOutcome& b);  // shapes and bits; any trap is any

// That program, its inputs, and how its results are shown.
struct LoweredSource {
  struct Input {
    std::string text;
    Leaves arguments;      // of all arguments, in order
    LeafOutcome expected;  // of the source
  };
  AnyProgram last;  // that was lowered
  std::vector<Input> inputs;
  std::function<std::string(const LeafOutcome&)> shown;
};

class Lowered {
 public:
  // `whole`: as `verify` wants it. Targets will be added, whose floats may be held to error bounds, and the traces say
  // what their stages owe: then `machines` are both, in their order. The program outlives this.
  Lowered(LoweredSource source, const InCalculus& program, const Calculus& calculus, Effort effort,
          const std::vector<Machine>& machines, bool whole, const StageList& stages = dpia_stages);
  // Rows behind those of the source's language.
  void add(Case& c);
  void add_target(Case& c, const Target& target);
  std::size_t inputs() const { return tests_.inputs.size(); }  // that meet the conditions
  const std::vector<DpiaTrace>& traces() const { return tests_.traces; }
  // In which orders the kernels ran, and what is known of a GPU's blocks; after the rows.
  std::vector<std::string> notes() const;

 private:
  friend class LowerSubject;
  friend class LaterSubject;
  void take(const LoweredSource::Input& in);
  std::optional<Outcome> in_exact_arithmetic(const Arguments& arguments) const;  // nothing: undecided

  const bool whole_;
  const LoweredSource source_;
  const InCalculus& program_;
  OperatorTally tally_;
  const PhraseProgram counted_;  // its operators count
  Tests tests_;
  std::vector<std::optional<std::size_t>> number_;  // by input of the source
  std::vector<LeafOutcome> outcomes_{};             // of the lowered program
  std::deque<DrawnInput> drawn_{};
};

}  // namespace lockstep::props
