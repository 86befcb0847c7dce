// Mutants on trial.
#include "props/fcl/mutants.h"

#include "semantics/fcl/parse.h"
#include "semantics/fcl/walk.h"

namespace lockstep::props::fcl {

std::vector<Mutant> mutants(const SizeSolver& solver) {
  std::vector<Mutant> all;
  for (auto family : {library_mutants, fusion_mutants, machine_mutants, type_mutants, place_mutants})
    for (Mutant& m : family()) all.push_back(std::move(m));
  for (auto family : {lowering_mutants, length_mutants, kernel_mutants})
    for (Mutant& m : family(solver)) all.push_back(std::move(m));
  return all;
}

const std::vector<std::string>& mutant_families() {
  static const std::vector<std::string> all{"library", "fusion",   "machine", "types",
                                            "places",  "lowering", "lengths", "kernel"};
  return all;
}

language::Expr rewritten(const language::Expr& e, const InTerm& change) {
  language::Expr out = e;
  each_child(out, [&](language::ExprRef& c) { c = rewritten(*c, change); });
  return change(std::move(out));
}

namespace {

language::Program directed_program(const std::string& text) {
  const auto parsed = language::parse_program(std::make_shared<const Source>(Source{"directed.fcl", text}));
  if (!parsed) throw Bug("a directed program: " + render(parsed.error()[0]));
  return *parsed;
}

MutantTrial<language::Program> trial_of(const Toolchain& tools, const std::vector<std::string>& directed) {
  Toolchain right;
  right.solver = tools.solver, right.machine = tools.machine, right.may_refuse = true;
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
  Toolchain right;
  right.solver = solver, right.may_refuse = true;
  return false_alarm_of(trial_of(right, directed), standard_trials(), seed, programs);
}

}  // namespace lockstep::props::fcl
