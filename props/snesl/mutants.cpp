// Finding mutants, and the parts that they are made of.
#include "props/snesl/mutants.h"

#include "props/snesl/mutant_parts.h"
#include "semantics/snesl/parse.h"

namespace lockstep::props::stream {

Instr instead(const Instr& i, Opcode o, std::vector<StreamId> arguments) {
  Instr r = i;
  r.opcode = o;
  r.arguments = std::move(arguments);
  return r;
}

Instr repeated(const Instr& i, svcode::Atom a, StreamId control) {
  Instr r = instead(i, Opcode::Rep, {control});
  r.payload = a;
  r.type = a.type;
  return r;
}

svcode::Program changed(const svcode::Program& p, const Change& change) {
  return lockstep::streaming::rewrite(p, change);
}

Change where(Opcode o, std::function<lockstep::streaming::Rewritten(const Instr&, const Code&)> change) {
  return [o, change = std::move(change)](const Instr& i, const Code& code) -> lockstep::streaming::Rewritten {
    if (i.opcode != o) return i;
    return change(i, code);
  };
}

Change exchanged(Opcode o, std::size_t j, std::size_t k) {
  return where(o, [j, k](const Instr& i, const Code&) {
    Instr r = i;
    if (std::max(j, k) < r.arguments.size()) std::swap(r.arguments[j], r.arguments[k]);
    return r;
  });
}

Mutant mutant(std::string family, std::string name, std::string description,
              const std::function<void(Toolchain&)>& wrong, std::vector<std::string> directed) {
  Mutant m{std::move(name), std::move(family), std::move(description), Toolchain::standard(), std::move(directed)};
  wrong(m.tools);
  return m;
}

std::vector<Mutant> mutants() {
  std::vector<Mutant> all;
  for (auto family : {flatten_mutants, simplify_mutants, analysis_mutants, interpreter_mutants, cost_mutants,
                      rule_mutants, step_mutants, kernel_mutants})
    for (Mutant& m : family()) all.push_back(std::move(m));
  return all;
}

const std::vector<std::string>& mutant_families() {
  static const std::vector<std::string> all{"flatten", "simplify", "analysis", "interpreter",
                                            "cost",    "rules",    "steps",    "kernels"};
  return all;
}

static GeneratedProgram directed_program(const std::string& text) {
  auto p = snesl::parse_program(std::make_shared<const Source>(Source{"directed.snesl", text}));
  if (!p) throw Bug("a directed program: " + render(p.error()[0]));
  return {std::move(*p), {}};
}

namespace {

// A mutant on trial: the toolchain with the mistake and the one without. One of the engine is tried on its directed
// programs only, which are compiled.
class Trial {
 public:
  Trial(const Mutant& m, const CheckOptions& options) : trials_(trials_of(plain_, unused_)) {
    for (const std::string& text : m.directed) mutant_.directed.push_back(directed_program(text));
    mutant_.nodes = plain_.nodes;
    const auto finding = [options, compiled = m.tools.engine_text != nullptr](
                             const Toolchain& tools, const GeneratedProgram& p, std::uint64_t seed) {
      CheckCounts unused;
      EngineCounts none;
      return compiled ? check_engine({{p, seed, 0}}, tools, none).front()
                      : check_program(p, seed, tools, options, unused);
    };
    mutant_.with_mistake = [finding, tools = m.tools](const GeneratedProgram& p, std::uint64_t seed) {
      return finding(tools, p, seed);
    };
    mutant_.without = [finding, tools = plain_.tools](const GeneratedProgram& p, std::uint64_t seed) {
      return finding(tools, p, seed);
    };
  }
  Trial(const Trial&) = delete;
  const MutantTrial<GeneratedProgram>& mutant() const { return mutant_; }
  const Trials<GeneratedProgram>& trials() const { return trials_; }
  void keep_directed(const std::function<bool(const GeneratedProgram&)>& keep) {
    std::erase_if(mutant_.directed, [&](const GeneratedProgram& p) { return !keep(p); });
  }

 private:
  const CampaignOptions plain_{};
  CampaignReport unused_;
  Trials<GeneratedProgram> trials_;
  MutantTrial<GeneratedProgram> mutant_;
};

}  // namespace

MutantRun try_mutant(const Mutant& m, std::uint64_t seed, std::size_t programs, const CheckOptions& options) {
  Trial trial(m, options);
  if (!m.tools.engine_text) return try_mistake(trial.mutant(), trial.trials(), seed, programs);
  // Compiled together, with the mistake; those in which it shows, each on its own with it and without.
  std::vector<EngineSubject> batch;
  for (const GeneratedProgram& p : trial.mutant().directed) batch.push_back({p, seed_of(seed, batch.size()), 0});
  EngineCounts unused;
  const auto wrong = check_engine(batch, m.tools, unused);
  std::size_t k = 0;
  trial.keep_directed([&](const GeneratedProgram&) { return wrong[k++].has_value(); });
  return try_mistake(trial.mutant(), trial.trials(), seed, 0);
}

Caught shrunk(const Mutant& m, const Caught& caught, double seconds, const CheckOptions& options) {
  const Trial trial(m, options);
  return shrunk_catch(trial.mutant(), trial.trials(), caught, seconds);
}

std::optional<Finding> false_alarm(const std::vector<std::string>& directed, std::uint64_t seed, std::size_t programs,
                                   const CheckOptions& options) {
  const Trial nothing({"nothing", "", "nothing is wrong", Toolchain::standard(), directed}, options);
  return false_alarm_of(nothing.mutant(), nothing.trials(), seed, programs);
}

}  // namespace lockstep::props::stream
