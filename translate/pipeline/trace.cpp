// A program through its stages (trace.h).
#include "translate/pipeline/trace.h"

#include <chrono>
#include <map>

namespace lockstep {

const AnyProgram* Trace::after(const std::string& stage) const {
  for (const Step& s : steps)
    if (s.name == stage) return &s.program;
  return nullptr;
}

Rounding Trace::rounds(std::size_t k) const {
  const Rounding said = steps[k].rounding;
  const bool may = k > 0 && said != Rounding::AsBefore;
  return may && !steps[k].program.language().equal(steps[k].program, steps[k - 1].program) ? said : Rounding::AsBefore;
}

bool Trace::reorders() const {
  for (std::size_t k = 0; k < steps.size(); ++k)
    if (rounds(k) == Rounding::Reordered) return true;
  return false;
}

std::size_t Trace::held_to() const {
  for (std::size_t k = steps.size(); k-- > 1;)
    if (rounds(k) != Rounding::AsBefore) return k;
  return 0;
}

Step run_stage(const Stage& stage, const AnyProgram& before, bool owed) {
  using Clock = std::chrono::steady_clock;
  if (stage.from != before.language_ref())
    throw Bug("the stage " + stage.name + " takes " + stage.from->name + ", not " + before.language().name);
  const auto start = Clock::now();
  Owed now;
  AnyProgram after = stage.run(before, owed ? &now : nullptr);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return {stage.name, stage.cite, std::move(after), stage.cost, std::move(now), seconds, stage.rounding};
}

Trace run_stages(const std::vector<Stage>& stages, Step source, bool owed) {
  Trace out;
  out.steps.push_back(std::move(source));
  std::map<std::string, int> times;
  for (const Stage& stage : stages) {
    Step step = run_stage(stage, out.last(), owed);
    if (const int n = ++times[stage.name]; n > 1) step.name += "-" + std::to_string(n);
    out.steps.push_back(std::move(step));
  }
  return out;
}

}  // namespace lockstep
