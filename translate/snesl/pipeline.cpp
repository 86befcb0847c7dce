// Making the trace (pipeline.h). In: a core program; out: SVCODE after each stage, and its slack.
#include "translate/snesl/pipeline.h"

#include <list>
#include <map>

#include "translate/flatten/flatten.h"
#include "translate/streamability/streamable.h"

namespace lockstep::streaming {
namespace {

bool same(const svcode::Instr& a, const svcode::Instr& b) {
  return a.id == b.id && a.opcode == b.opcode && a.type == b.type && a.arguments == b.arguments && a.op == b.op &&
         a.monoid == b.monoid && a.atom == b.atom && a.number == b.number && a.text == b.text;
}
// What the analysis looks at.
bool same(const svcode::Program& a, const svcode::Program& b) {
  return a.instructions.size() == b.instructions.size() &&
         std::equal(a.instructions.begin(), a.instructions.end(), b.instructions.begin(),
                    [](const auto& x, const auto& y) { return same(x, y); }) &&
         svcode::leaves_of(a.result) == svcode::leaves_of(b.result);
}

constexpr std::size_t remembered = 8;  // programs: stages that change nothing follow one another

}  // namespace

struct Streamability::Memory {
  struct Answer {
    svcode::Program program;
    Checked<svcode::Slack> slack;
  };
  std::list<Answer> answers;  // the latest first
  std::size_t asked = 0;
};

Streamability::Streamability() : memory_(std::make_shared<Memory>()) {}

const Checked<svcode::Slack>& Streamability::of(const svcode::Program& p) const {
  auto& answers = memory_->answers;
  for (auto it = answers.begin(); it != answers.end(); ++it) {
    if (!same(it->program, p)) continue;
    answers.splice(answers.begin(), answers, it);
    return answers.front().slack;
  }
  ++memory_->asked;
  answers.push_front({p, analyse(p)});
  if (answers.size() > remembered) answers.pop_back();
  return answers.front().slack;
}

std::size_t Streamability::asked() const { return memory_->asked; }

const svcode::Program& Trace::last_streaming() const {
  for (std::size_t k = steps.size(); k-- > 1;)
    if (streamability.of(steps[k].program)) return steps[k].program;
  return steps.front().program;
}

Trace run_pipeline(const snesl::core::Program& core, const Streamability& streamability,
                   std::optional<svcode::Program> flat) {
  Trace out{{{"flatten", "SNESL Fig. 4.2", flat ? std::move(*flat) : flatten(core)}}, streamability};
  std::map<std::string, int> times;
  for (const Stage& s : simplifications([&](const svcode::Program& p) { return streamability.of(p).has_value(); })) {
    const int n = ++times[s.name];
    out.steps.push_back({s.name + (n > 1 ? "-" + std::to_string(n) : ""), s.cite, s.run(out.steps.back().program)});
  }
  return out;
}

}  // namespace lockstep::streaming
