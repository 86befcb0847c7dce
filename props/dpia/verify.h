// Every check that is made of one .dpia program on its way through the stages: each program of the pipeline is
// type-checked and runs beside the source on the same inputs, and what the targets compute is held against the error
// bound. The source's results come first, before anything is transformed.
#pragma once
#include <deque>

#include "codegen/targets/target.h"
#include "props/dpia/comparison.h"
#include "props/dpia/cost_relation.h"
#include "props/dpia/draw.h"
#include "props/dpia/subjects.h"
#include "translate/dpia/stage.h"

namespace lockstep::props {

struct VerifyOptions {
  std::uint64_t seed = 1;
  std::size_t inputs = 12;
  SizesAsked asked{};                         // by the user; the other sizes and values are searched for and drawn
  std::uint64_t limit = default_round_limit;  // of `while`, beyond which an input is not used
  std::vector<const Target*> targets{find_target("openmp")};
  LanguageMaker languages = dpia_languages;
  bool interleave = true;     // on small inputs iterations and threads change places too (props/dpia/orders.h)
  SizeImplication implied{};  // as in CheckOptions
  // What else is known of the programs that were tested, before targets run: claims and notes.
  std::function<void(const std::vector<DpiaTrace>&, Report&)> prove{};
  Listener listener{};
};

// A target beside the source, on inputs that are those of `tests`, which has a trace for the CPU and one for the GPU.
std::unique_ptr<Subject> target_subject(const Target& target, const Tests& tests, const std::deque<DrawnInput>& inputs);

// What a target gives on one input goes into its row. `kernel`: what the interpreter of the kernel that it compiles
// gives, or why it gives nothing; no pointer where the bits are not those: of functions that are the target's own.
// `ieee`: what the program gives that the kernel is held to. `writer_of`: what in the target's text wrote a leaf of the
// result, where that is known.
Attempt run_kernel(const kernel::Program& program, const Arguments& arguments);
void judge(Row& v, const PhraseProgram& source, const DrawnInput& input, const Outcome& ieee, const Attempt* kernel,
           const Outcome& found, const std::function<std::string(std::size_t leaf)>& writer_of = {});

struct VerifyReport : Report {
  std::vector<DpiaTrace> traces;  // for the CPU and for the GPU: the programs that were tested
};
VerifyReport verify(const PhraseProgram& source, const Calculus& calculus, const VerifyOptions& options);

}  // namespace lockstep::props
