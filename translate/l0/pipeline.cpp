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

}  // namespace

const std::vector<Stage>& stages() {
  static const std::vector<Stage> all = {
      stage("names", "L0 §2.3", of_program(with_distinct_names)),
      stage("tuples", "L0 §2.3.1, Fig. 6", of_program(without_tuples)),
      stage("normalise", "L0 §2.3", of_program(normalised)),
      stage("inline", "L0 §2.3", of_program(inlined)),
      stage("simplify", "L0 §2.3", [](const Entry& e) { return simplified(e.program, e.function); }),
      stage("fuse", "L0 §3, Fig. 10 to 14",
            [](const Entry& e) { return fused(e.program, e.function, FusionMode::Full); }),
      stage("hindrances", "L0 §4.1", of_program(with_known_lengths)),
      stage("simplify", "L0 §2.3", [](const Entry& e) { return simplified(e.program, e.function); }),
  };
  return all;
}

Trace trace_of(const Entry& entry) {
  return run_stages(stages(), {"source", "L0, Fig. 1 to 6", AnyProgram(language(), entry)});
}

}  // namespace lockstep::l0
