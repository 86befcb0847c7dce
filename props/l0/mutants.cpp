// Mutants on trial.
#include "props/l0/mutants.h"

#include "semantics/l0/parse.h"
#include "semantics/l0/uniqueness.h"

namespace lockstep::props::l0 {

std::vector<Mutant> mutants(const SizeSolver& solver) {
  std::vector<Mutant> all;
  for (auto family : {graph_mutants, algebra_mutants, stage_mutants})
    for (Mutant& m : family()) all.push_back(std::move(m));
  for (Mutant& m : lowering_mutants(solver)) all.push_back(std::move(m));
  return all;
}

const std::vector<std::string>& mutant_families() {
  static const std::vector<std::string> all{"graph", "algebra", "stages", "lowering"};
  return all;
}

namespace {

language::Program directed_program(const std::string& text) {
  const auto parsed = language::parse_program(std::make_shared<const Source>(Source{"directed.l0", text}));
  auto p = parsed ? language::checked(*parsed) : parsed;
  if (!p) throw Bug("a directed program: " + render(p.error()[0]));
  return std::move(*p);
}

MutantTrial<language::Program> trial_of(const Toolchain& tools, const std::vector<std::string>& directed) {
  const Toolchain right = Toolchain::standard(tools.solver);
  return trial_of_tools<language::Program>(tools, right, directed, CampaignOptions().nodes, directed_program,
                                           [](const language::Program& p, std::uint64_t seed, const Toolchain& with) {
                                             CheckCounts unused;
                                             return check_program(p, seed, with, {}, unused);
                                           });
}
Trials<language::Program> standard_trials() {
  static CampaignReport unused;
  return trials_of({}, unused);
}

}  // namespace

MutantRun try_mutant(const Mutant& m, std::uint64_t seed, std::size_t programs) {
  return try_mistake(trial_of(m.tools, m.directed), standard_trials(), seed, programs);
}

Caught shrunk(const Mutant& m, const Caught& caught, double seconds) {
  return shrunk_catch(trial_of(m.tools, m.directed), standard_trials(), caught, seconds);
}

std::optional<Finding> false_alarm(const std::vector<std::string>& directed, std::uint64_t seed, std::size_t programs,
                                   const SizeSolver& solver) {
  return false_alarm_of(trial_of(Toolchain::standard(solver), directed), standard_trials(), seed, programs);
}

}  // namespace lockstep::props::l0
