// The pipeline of L0.
#include "translate/l0/pipeline.h"

#include "translate/l0/fuse.h"
#include "translate/l0/hindrances.h"
#include "translate/l0/inline.h"
#include "translate/l0/names.h"
#include "translate/l0/normalise.h"
#include "translate/l0/simplify.h"
#include "translate/l0/tuples.h"

namespace lockstep::l0 {
namespace {

Stage stage(const std::string& name, const std::string& cite, std::function<Program(const Entry&)> run) {
  const auto made = [run = std::move(run)](const Entry& e, Owed*) { return Entry{run(e), e.function}; };
  return stage_of<Entry, Entry>(name, cite, language(), language(), made);
}
std::function<Program(const Entry&)> of_program(Program (*run)(const Program&)) {
  return [run](const Entry& e) { return run(e.program); };
}
Stage simplification() {
  return stage("simplify", "L0 §2.3", [](const Entry& e) { return simplified(e.program, e.function); });
}
std::vector<Stage> enabling() {
  return {
      stage("names", "L0 §2.3", of_program(with_distinct_names)),
      stage("tuples", "L0 §2.3.1, Fig. 6", of_program(without_tuples)),
      stage("normalise", "L0 §2.3", of_program(normalised)),
      stage("inline", "L0 §2.3", of_program(inlined)),
      simplification(),
  };
}
std::vector<Stage> fusing(FusionMode mode, std::vector<fusion::Decision>* decisions, const fusion::Parts& parts) {
  const auto fuse = [=](const Entry& e) { return fused(e.program, e.function, mode, decisions, parts); };
  return {stage("fuse", "L0 §3, Fig. 10 to 14", fuse), stage("hindrances", "L0 §4.1", of_program(with_known_lengths)),
          simplification()};
}

Trace traced(const Entry& entry, FusionMode mode, std::vector<fusion::Decision>* decisions,
             const fusion::Parts& parts) {
  std::vector<Stage> all = enabling();
  const std::vector<Stage> more = fusing(mode, decisions, parts);
  if (mode != FusionMode::Off) all.insert(all.end(), more.begin(), more.end());
  Trace out = run_stages(all, {"source", "L0, Fig. 1 to 6", AnyProgram(language(), entry)});
  if (mode != FusionMode::Full) return out;
  for (int round = 2;; ++round) {
    Trace next{out.steps};
    for (const Stage& s : more) {
      next.steps.push_back(run_stage(s, next.last()));
      next.steps.back().name += "-" + std::to_string(s.name == "simplify" ? round + 1 : round);
    }
    if (language()->equal(next.last(), out.last())) return out;
    out = std::move(next);
  }
}

}  // namespace

Trace trace_of(const Entry& entry, FusionMode mode, const fusion::Parts& parts) {
  return traced(entry, mode, nullptr, parts);
}

std::vector<fusion::Decision> fusions_of(const Entry& entry, FusionMode mode) {
  std::vector<fusion::Decision> out;
  traced(entry, mode, &out, {});
  return out;
}

}  // namespace lockstep::l0
