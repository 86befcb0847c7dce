#include "translate/fcl/pipeline.h"

#include "translate/fcl/instantiate.h"
#include "translate/fcl/literal_places.h"
#include "translate/fcl/places.h"

namespace lockstep::fcl {
namespace {

Stage stage(const std::string& name, const std::string& cite, std::function<Entry(const Entry&)> run) {
  return stage_of<Entry, Entry>(name, cite, language(), language(),
                                [run = std::move(run)](const Entry& e, Owed*) { return run(e); });
}

}  // namespace

Traced trace_of(const Entry& entry) {
  return traced_from(run_stages(
      {stage("infer", "FCL §5.1, (1) to (30)", with_signatures), stage("instantiate", "FCL §3.3", instantiated)},
      {"source", "FCL, §5", AnyProgram(language(), entry)}));
}

Traced traced_from(Trace instantiated) {
  Traced out{std::move(instantiated)};
  const auto made = fused(out.trace.last().as<Entry>());
  if (!made) {
    out.stopped = made.error();
    return out;
  }
  const auto add = [&](const Stage& s) { out.trace.steps.push_back(run_stage(s, out.trace.last())); };
  add(stage("fuse", "FCL §2.1, (36), (37)", [&](const Entry&) { return *made; }));
  out.misplaced = misplaced(*made);
  if (!out.misplaced) out.misplaced = never_apart(*made);
  if (!out.misplaced) add(stage("unroll", "FCL §3.3, §4", unrolled));
  return out;
}

}  // namespace lockstep::fcl
