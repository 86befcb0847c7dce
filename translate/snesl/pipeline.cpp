// Making the trace (pipeline.h). In: a core program; out: SVCODE after each stage, and its slack.
#include "translate/snesl/pipeline.h"

#include <list>
#include <numeric>

#include "translate/flatten/flatten.h"
#include "translate/streamability/streamable.h"

namespace lockstep::streaming {
namespace {

bool same(const svcode::Instr& a, const svcode::Instr& b) {
  return a.id == b.id && a.opcode == b.opcode && a.type == b.type && a.arguments == b.arguments &&
         a.payload == b.payload;
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

const svcode::Program& SneslTrace::last_streaming() const {
  for (std::size_t k = steps.size(); k-- > 2;)
    if (const auto& p = steps[k].program.as<svcode::Program>(); streamability.of(p)) return p;
  return steps[1].program.as<svcode::Program>();
}

std::int64_t SneslTrace::all_slack_of(const svcode::Program& p) const {
  const auto& slack = slack_of(p);
  return slack ? std::accumulate(slack->begin(), slack->end(), std::int64_t{0}) : 0;
}

Stage flattening(std::optional<svcode::Program> flat) {
  using Change = CostRelation::Change;
  return stage_of<snesl::core::Program, svcode::Program>(
      "flatten", "SNESL Fig. 4.2", svcode::languages().core, svcode::languages().svcode,
      [flat = std::move(flat)](const snesl::core::Program& p, Owed*) { return flat ? *flat : flatten(p); },
      {Change::Theorem, Change::Theorem, CostRelation::Space::Theorem});
}

std::vector<Stage> snesl_stages(const Streamable& streamable) {
  std::vector<Stage> out = simplifications(streamable);
  out.insert(out.begin(), flattening());
  return out;
}

Step core_step(const snesl::core::Program& core) {
  return {"core", "SNESL §2.2.1, Fig. 2.1", AnyProgram(svcode::languages().core, core)};
}

Trace network_trace(const SneslTrace& trace, const std::function<std::vector<Stage>(std::int64_t slack)>& stages) {
  const svcode::Program& p = trace.last_streaming();
  return run_stages(stages(trace.all_slack_of(p)), {"SVCODE", "SNESL §4.2", AnyProgram(svcode::languages().svcode, p)});
}

const transducer::Program& network_of(const Trace& networks) { return networks.last().as<transducer::Program>(); }

SneslTrace snesl_trace(const snesl::core::Program& core, const Streamability& streamability,
                       std::optional<svcode::Program> flat) {
  std::vector<Stage> stages = snesl_stages([&](const svcode::Program& p) { return streamability.of(p).has_value(); });
  stages.front() = flattening(std::move(flat));
  return {run_stages(stages, core_step(core)), streamability};
}

}  // namespace lockstep::streaming
