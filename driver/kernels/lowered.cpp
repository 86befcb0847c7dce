#include "driver/kernels/lowered.h"

#include <algorithm>

#include "semantics/functional/syntax/print.h"

namespace lockstep::driver {

const CalculusRef& lowered_calculus() {
  static const CalculusRef it = std::make_shared<const Calculus>(standard_calculus());
  return it;
}

std::string conditions_of(const LoweredProgram& l) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  for (const LoweredLeaf& leaf : l.arguments) {
    std::string lengths;
    for (const Size& n : leaf.lengths) lengths += "[" + lockstep::show(n) + "]";
    if (!lengths.empty()) add(leaf.source + " : " + lengths);
    if (leaf.number)
      add(leaf.name.empty() ? leaf.source + " = " + lockstep::show(*leaf.number) : leaf.source + " >= 0");
  }
  for (const surface::Fact& f : l.definition.facts) add(lockstep::show(f.fact));
  return out;
}

std::string why_not_lowered(const std::string& program, const NotLowered& why) {
  return program + " runs on the interpreter only: " + why.why + in_parentheses(why.region);
}

const InCalculus& lowered_or_fail(const std::string& program, const MadeInCalculus& made, const std::string& help) {
  if (!made) fail(machine, why_not_lowered(program, made.error()), help);
  return *made;
}

bool has_stage(const std::vector<StageText>& all, const std::string& stage) {
  return std::any_of(all.begin(), all.end(), [&](const StageText& t) { return t.name == stage; });
}

void add_lowered(std::vector<StageText>& out, const std::string& program, const std::string& comment,
                 const MadeInCalculus& made, const Options& options) {
  const std::string cite = "into the calculus, DPIA Fig. 4";
  if (!made) {
    out.push_back({"lower", cite, comment + " none: " + why_not_lowered(program, made.error()) + "\n", {}});
    return;
  }
  const Target& target = target_with_text(options.target);
  const DpiaTrace kernels = dpia_trace(made->program, *lowered_calculus(), target.machine);
  std::vector<StageText> more = texts_of_steps(kernels);
  more[0].name = "lower", more[0].cite = cite;
  more[0].body = lockstep::print(program_of(made->lowered));
  for (StageText& t : more) out.push_back(std::move(t));
  if (!has_stage(out, options.stage)) out.push_back(text_stage(target, kernels));
}

EmittedText text_files(const Target& target, const InCalculus& lowered, const std::string& program) {
  return text_files(target, dpia_trace(lowered.program, *lowered_calculus(), target.machine), program);
}

}  // namespace lockstep::driver
