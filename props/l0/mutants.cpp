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
  MutantTrial<language::Program> out;
  for (const std::string& text : directed) out.directed.push_back(directed_program(text));
  out.nodes = CampaignOptions().nodes;
  const auto finding = [](Toolchain with) {
    return [with = std::move(with)](const language::Program& p, std::uint64_t seed) {
      CheckCounts unused;
      return check_program(p, seed, with, {}, unused);
    };
  };
  out.with_mistake = finding(tools);
  out.without = finding(Toolchain::standard(tools.solver));
  return out;
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
