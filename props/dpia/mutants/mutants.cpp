// Trying mutants: directed programs first, then the campaign's random ones.
#include "props/dpia/mutants/mutants.h"

#include "semantics/functional/syntax/parse.h"

namespace lockstep::props {
namespace {

constexpr std::size_t directed_inputs = 6;

Sample directed_sample(const Mutant& m, const DirectedProgram& d) {
  auto parsed = parse_program(std::make_shared<Source>(Source{m.name + ".dpia", d.text}));
  if (!parsed) throw Bug("the program of the mutant " + m.name + ": " + render(parsed.error().front()));
  return {std::move(*parsed), d.machine};
}

std::optional<Finding> finding(const Sample& s, std::uint64_t seed, CampaignOptions o, const Calculus& calculus,
                               bool compiled) {
  if (s.machine) o.inputs = directed_inputs;
  CampaignReport unused;
  ProgramCheck check = check_program_at_stages(s, seed, o, calculus, unused);
  if (check.finding || !compiled || !check.source) return check.finding;
  return check_compiled({{std::move(*check.source), seed}}, o, calculus, unused).front();
}

// A mutant on trial: the calculus with the mistake and the one without.
class Trial {
 public:
  explicit Trial(const Mutant& m) : wrong_(m.calculus()), trials_(trials_of(plain_, right_, unused_)) {
    for (const DirectedProgram& d : m.directed) mutant_.directed.push_back(directed_sample(m, d));
    CampaignOptions with;
    with.tools = m.tools;
    mutant_.with_mistake = [this, with, compiled = m.compiled](const Sample& s, std::uint64_t seed) {
      return finding(s, seed, with, wrong_, compiled);
    };
    mutant_.without = [this, compiled = m.compiled](const Sample& s, std::uint64_t seed) {
      return finding(s, seed, plain_, right_, compiled);
    };
  }
  Trial(const Trial&) = delete;
  const MutantTrial<Sample>& mutant() const { return mutant_; }
  const Trials<Sample>& trials() const { return trials_; }

 private:
  const CampaignOptions plain_{};
  const Calculus right_ = standard_calculus(), wrong_;
  CampaignReport unused_;
  Trials<Sample> trials_;
  MutantTrial<Sample> mutant_;
};

}  // namespace

bool is_like(const Mutant& mutant, const std::string& pattern) { return is_like(mutant.name, mutant.family, pattern); }

MutantRun try_mutant(const Mutant& m, std::uint64_t seed, std::size_t programs) {
  const Trial trial(m);
  return try_mistake(trial.mutant(), trial.trials(), seed, programs);
}

Caught shrunk(const Mutant& m, const Caught& caught, double seconds) {
  const Trial trial(m);
  return shrunk_catch(trial.mutant(), trial.trials(), caught, seconds);
}

std::optional<Finding> false_alarm(const std::vector<Mutant>& all, std::uint64_t seed, std::size_t programs,
                                   std::size_t* checked) {
  const auto found = [&](const Trial& t, const Sample& s, std::uint64_t k) {
    if (checked) ++*checked;
    return t.mutant().without(s, seed_of(seed, k));
  };
  for (const Mutant& m : all) {
    if (m.directed.empty()) continue;
    const Trial t(m);
    for (std::size_t k = 0; k < t.mutant().directed.size(); ++k)
      if (auto f = found(t, t.mutant().directed[k], k)) return f;
  }
  const Trial nothing({"nothing", "", "nothing is wrong"});
  for (std::size_t k = 0; k < programs; ++k)
    if (auto f = found(nothing, nothing.trials().generate(seed_of(seed, k), nothing.mutant().nodes), k)) return f;
  return {};
}

}  // namespace lockstep::props
