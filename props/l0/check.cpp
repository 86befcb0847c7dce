// The stages of one program in order. The source's meaning is asked before any stage has run.
#include "props/l0/check.h"

#include <algorithm>

#include "props/l0/generate.h"
#include "props/l0/subjects.h"
#include "semantics/l0/parse.h"
#include "semantics/l0/uniqueness.h"

namespace lockstep::props::l0 {

Toolchain Toolchain::standard(SizeSolver solver) {
  return {[](const language::Entry& e, language::FusionMode mode) { return language::trace_of(e, mode); },
          language::in_calculus, std::move(solver)};
}

namespace {

class Check {
 public:
  Check(const language::Program& program, std::uint64_t seed, const Toolchain& tools, const CheckOptions& options,
        CheckCounts& counts)
      : program_(program), seed_(seed), tools_(tools), options_(options), counts_(counts) {}

  std::optional<Finding> run() {
    return first_finding([&] { all(); }, stage_, input_);
  }

 private:
  [[noreturn]] void fail(const std::string& property, std::string detail) {
    throw FindingSignal{{property, stage_, input_, std::move(detail)}};
  }

  void all() {
    stage_ = "print";
    const std::string text = language::print(program_);
    const auto again = language::parse_program(std::make_shared<const Source>(Source{"program.l0", text}));
    if (!again) fail("parses", render(again.error().front()));
    if (!(*again == program_)) fail("round trip", "read back it prints as\n" + language::print(*again));
    stage_ = "check";
    const auto checked = language::checked(*again);
    if (!checked) fail("types", render(checked.error().front()));
    const language::Entry entry{*checked, checked->functions.back().name};
    draw(entry);
    Tests tests{entry.entry(), {}, inputs_, most_scalars};
    const Trace full = tools_.trace(entry, language::FusionMode::Full);
    const Trace paper = tools_.trace(entry, language::FusionMode::Paper);
    stages(tests, full, 0, "");
    // What is the same was run: what comes before fusion, and often the rest.
    const auto same = [](const Step& a, const Step& b) { return language::language()->equal(a.program, b.program); };
    const auto differs = std::mismatch(paper.steps.begin() + language::fuses_after + 1, paper.steps.end(),
                                       full.steps.begin() + language::fuses_after + 1, full.steps.end(), same)
                             .first;
    if (differs != paper.steps.end() || !same(paper.steps.back(), full.steps.back()))
      stages(tests, paper, static_cast<std::size_t>(differs - paper.steps.begin()), " (paper)");
  }

  void draw(const language::Entry& entry) {
    const AnyProgram program(language::language(), entry);
    for (std::size_t k = 0; k < options_.inputs; ++k) {
      Input in{random_arguments(entry.entry(), seed_of(seed_, 1000 + k)), "", language::Values()};
      in.text = input_ = shown_arguments(entry.entry(), in.leaves);
      auto expected = outcome_within_memory(program, in.leaves, {.most_scalars = most_scalars});
      ++counts_.inputs;
      if (!expected) {
        ++counts_.large;
        continue;
      }
      in.expected = std::move(*expected);
      counts_.traps += in.expected ? 0 : 1;
      inputs_.push_back(std::move(in));
    }
    input_ = "";
  }

  void stages(Tests& tests, Trace trace, std::size_t from, const std::string& mode) {
    tests.trace = std::move(trace);
    for (std::size_t k = from; k < tests.trace.steps.size(); ++k) {
      stage_ = tests.trace.steps[k].name + mode;
      Case c;
      c.first_only = true;
      c.inputs = inputs_.size();
      c.gives_values.assign(inputs_.size(), true);
      c.stages.push_back(subject(tests, k));
      const Report r = verify(c, {});
      for (const Row& row : r.stages) {
        counts_.runs += row.runs;
        if (row.wrong()) throw FindingSignal{finding_of(row, stage_, "meaning")};
      }
    }
    if (tools_.solver && seed_ % options_.lowered_every == 0) lowered(tests, mode);
    const auto size = [&](std::size_t k) {
      return language::nodes(tests.trace.steps[k].program.as<language::Entry>().program);
    };
    counts_.statistics.count("program", "fused to less than three quarters",
                             size(tests.trace.steps.size() - 1) * 4 < size(language::fuses_after) * 3);
  }

  // Of a computed size, an array may be anything, and a fused program may do without it.
  static constexpr std::int64_t most_scalars = 1'000'000;

  // The last program in the calculus, for one machine.
  void lowered(const Tests& tests, const std::string& mode) {
    static const Calculus calculus = standard_calculus();
    stage_ = "lower" + mode;
    const auto made = tools_.lower(tests.trace.last().as<language::Entry>(), calculus, tools_.solver);
    counts_.statistics.count("program", "lowered", made.has_value());
    if (!made) return;
    ++counts_.lowered;
    Effort effort;
    effort.seed = seed_;
    effort.orders = 3;
    effort.check_functional = effort.over_again = true;
    effort.implied = implied_by(tools_.solver);
    Case c;
    c.first_only = true;
    c.inputs = inputs_.size();
    c.gives_values.assign(inputs_.size(), true);
    Lowered later(lowered_source(tests), *made, calculus, std::move(effort),
                  {seed_ % 2 == 0 ? Machine::Cpu : Machine::Gpu}, false);
    later.add(c);
    counts_.met += later.inputs();
    const Report r = verify(c, {});
    for (const Row& row : r.stages) {
      counts_.runs += row.runs;
      if (row.wrong()) throw FindingSignal{finding_of(row, row.name + mode, "meaning")};
    }
  }

  const language::Program& program_;
  const std::uint64_t seed_;
  const Toolchain& tools_;
  const CheckOptions& options_;
  CheckCounts& counts_;
  std::string stage_, input_;
  std::vector<Input> inputs_;
};

}  // namespace

std::optional<Finding> check_program(const language::Program& program, std::uint64_t seed, const Toolchain& tools,
                                     const CheckOptions& options, CheckCounts& counts) {
  return Check(program, seed, tools, options, counts).run();
}

}  // namespace lockstep::props::l0
