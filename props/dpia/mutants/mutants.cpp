// Trying mutants: directed programs first, then the campaign's random ones.
#include "props/dpia/mutants/mutants.h"

#include <chrono>

#include "props/dpia/shrink.h"

namespace lockstep::props {
namespace {

constexpr std::size_t directed_inputs = 6;

struct Subject {
  surface::Program program;
  std::uint64_t seed;
  std::optional<Machine> machine;
};

Subject directed_subject(const Mutant& m, std::size_t k, std::uint64_t seed) {
  const DirectedProgram& d = m.directed[k];
  auto parsed = parse_program(std::make_shared<Source>(Source{m.name + ".dpia", d.text}));
  if (!parsed) throw Bug("the program of the mutant " + m.name + ": " + render(parsed.error().front()));
  return {std::move(*parsed), seed_of(seed, k), d.machine};
}
Subject random_subject(std::uint64_t seed, std::size_t k) {
  const std::uint64_t own = seed_of(seed, k);
  return {generate_program(own), own, {}};
}

CampaignOptions options_for(const Subject& s) {
  CampaignOptions o;
  o.machine = s.machine;
  if (s.machine) o.inputs = directed_inputs;
  return o;
}

std::optional<Finding> finding(const Subject& s, const CampaignOptions& o, const Calculus& calculus, bool compiled) {
  CampaignReport unused;
  ProgramCheck check = check_program_at_stages(s.program, s.seed, o, calculus, unused);
  if (check.finding || !compiled || !check.source) return check.finding;
  return check_compiled({{std::move(*check.source), s.seed}}, o, calculus, unused).front();
}
std::optional<Finding> with_mistake(const Mutant& m, const Subject& s, const Calculus& wrong) {
  CampaignOptions o = options_for(s);
  o.pipeline = m.pipeline;
  o.printers = m.printers;
  o.costs = m.costs;
  return finding(s, o, wrong, m.compiled);
}
std::optional<Finding> without_mistake(const Mutant& m, const Subject& s, const Calculus& right) {
  return finding(s, options_for(s), right, m.compiled);
}

}  // namespace

bool is_like(const Mutant& mutant, const std::string& pattern) { return is_like(mutant.name, mutant.family, pattern); }

MutantRun try_mutant(const Mutant& m, std::uint64_t seed, std::size_t programs) {
  const auto start = std::chrono::steady_clock::now();
  const Calculus right = standard_calculus(), wrong = m.calculus();
  MutantRun out;
  const std::size_t all = m.directed.size() + programs;
  while (out.programs < all && !out.caught) {
    const std::size_t k = out.programs++;
    const bool directed = k < m.directed.size();
    Subject s = directed ? directed_subject(m, k, seed) : random_subject(seed, k - m.directed.size());
    auto found = with_mistake(m, s, wrong);
    if (!found || without_mistake(m, s, right)) continue;
    out.caught = Caught{out.programs, directed, std::move(s.program), s.seed, s.machine, std::move(*found)};
  }
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

Caught shrunk(const Mutant& m, const Caught& caught, double seconds) {
  const Calculus right = standard_calculus(), wrong = m.calculus();
  const auto found = [&](const surface::Program& p) {
    const Subject s{p, caught.seed, caught.machine};
    auto finding = with_mistake(m, s, wrong);
    if (finding && (!same_place(*finding, caught.finding) || without_mistake(m, s, right))) finding.reset();
    return finding;
  };
  Caught out = caught;
  out.program =
      shrink(caught.program, right, [&](const surface::Program& p) { return found(p).has_value(); }, {4000, seconds});
  if (auto finding = found(out.program)) out.finding = std::move(*finding);
  return out;
}

std::optional<Finding> false_alarm(const std::vector<Mutant>& all, std::uint64_t seed, std::size_t programs,
                                   std::size_t* checked) {
  const Calculus right = standard_calculus();
  const auto count = [&] {
    if (checked) ++*checked;
  };
  for (const Mutant& m : all)
    for (std::size_t k = 0; k < m.directed.size(); ++k) {
      count();
      if (auto f = without_mistake(m, directed_subject(m, k, seed), right)) return f;
    }
  static const Mutant nothing{"nothing", "", "nothing is wrong"};
  for (std::size_t k = 0; k < programs; ++k) {
    count();
    if (auto f = without_mistake(nothing, random_subject(seed, k), right)) return f;
  }
  return {};
}

}  // namespace lockstep::props
