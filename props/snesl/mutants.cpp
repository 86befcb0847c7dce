// Finding mutants, and the parts that they are made of.
#include "props/snesl/mutants.h"

#include <chrono>

#include "props/snesl/mutant_parts.h"
#include "props/snesl/shrink.h"
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
  r.atom = a;
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
  for (auto family :
       {flatten_mutants, simplify_mutants, analysis_mutants, interpreter_mutants, cost_mutants, kernel_mutants})
    for (Mutant& m : family()) all.push_back(std::move(m));
  return all;
}

const std::vector<std::string>& mutant_families() {
  static const std::vector<std::string> all{"flatten", "simplify", "analysis", "interpreter", "cost", "kernels"};
  return all;
}

static GeneratedProgram directed_program(const std::string& text) {
  auto p = snesl::parse_program(std::make_shared<const Source>(Source{"directed.snesl", text}));
  if (!p) throw Bug("a directed program: " + render(p.error()[0]));
  return {std::move(*p), {}};
}

// The directed programs of a mutant of the engine, compiled together.
static MutantRun try_kernel(const Mutant& m, std::uint64_t seed) {
  const auto start = std::chrono::steady_clock::now();
  MutantRun out;
  std::vector<EngineSubject> batch;
  for (const std::string& text : m.directed) batch.push_back({directed_program(text), seed_of(seed, batch.size())});
  EngineCounts unused;
  const auto wrong = check_engine(batch, m.tools, unused);
  for (std::size_t k = 0; k < batch.size() && !out.caught; ++k) {
    ++out.programs;
    if (wrong[k] && !check_engine({batch[k]}, Toolchain::standard(), unused).front())
      out.caught = Caught{batch[k].seed, batch[k].program, *wrong[k]};
  }
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

MutantRun try_mutant(const Mutant& m, std::uint64_t seed, std::size_t programs, const CheckOptions& options) {
  if (m.tools.engine_text) return try_kernel(m, seed);
  const auto start = std::chrono::steady_clock::now();
  const Toolchain right = Toolchain::standard();
  MutantRun out;
  while (out.programs < programs + m.directed.size() && !out.caught) {
    const std::size_t k = out.programs++;
    const bool directed = k < m.directed.size();
    const std::uint64_t mine = seed_of(seed, directed ? k : k - m.directed.size());
    GeneratedProgram p = directed ? directed_program(m.directed[k]) : generate_program(mine, CampaignOptions{}.nodes);
    CheckCounts unused;
    auto found = check_program(p, mine, m.tools, options, unused);
    if (found && !check_program(p, mine, right, options, unused))
      out.caught = Caught{mine, std::move(p), std::move(*found)};
  }
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

std::optional<Finding> false_alarm(const std::vector<std::string>& directed, std::uint64_t seed, std::size_t programs,
                                   const CheckOptions& options) {
  const Toolchain right = Toolchain::standard();
  CheckCounts unused;
  for (std::size_t k = 0; k < directed.size(); ++k)
    if (auto f = check_program(directed_program(directed[k]), seed_of(seed, k), right, options, unused)) return f;
  for (std::size_t k = 0; k < programs; ++k) {
    const std::uint64_t mine = seed_of(seed, k);
    if (auto f = check_program(generate_program(mine, CampaignOptions{}.nodes), mine, right, options, unused)) return f;
  }
  return std::nullopt;
}

Caught shrunk(const Mutant& m, const Caught& caught, double seconds, const CheckOptions& options) {
  const Toolchain right = Toolchain::standard();
  const auto found = [&](const GeneratedProgram& p) {
    const auto check = [&](const Toolchain& tools) {
      CheckCounts unused;
      EngineCounts none;
      return m.tools.engine_text ? check_engine({{p, caught.seed}}, tools, none).front()
                                 : check_program(p, caught.seed, tools, options, unused);
    };
    auto finding = check(m.tools);
    if (finding && (!same_place(*finding, caught.finding) || check(right))) finding.reset();
    return finding;
  };
  Caught out = caught;
  out.program =
      shrink(caught.program, [&](const GeneratedProgram& p) { return found(p).has_value(); }, {4000, seconds});
  if (auto finding = found(out.program)) out.finding = std::move(*finding);
  return out;
}

}  // namespace lockstep::props::stream
