// The stages of one program in order. The source's meaning is asked before any stage has run.
#include "props/l0/check.h"

#include "props/l0/generate.h"
#include "props/l0/subjects.h"
#include "semantics/l0/parse.h"
#include "semantics/l0/uniqueness.h"

namespace lockstep::props::l0 {

Toolchain Toolchain::standard() {
  return {[](const language::Entry& e, language::FusionMode mode) { return language::trace_of(e, mode); }};
}

namespace {

struct Found {
  Finding finding;
};

class Check {
 public:
  Check(const language::Program& program, std::uint64_t seed, const Toolchain& tools, const CheckOptions& options,
        CheckCounts& counts)
      : program_(program), seed_(seed), tools_(tools), options_(options), counts_(counts) {}

  std::optional<Finding> run() {
    try {
      all();
    } catch (const Found& f) {
      return f.finding;
    } catch (const std::exception& e) {
      return Finding{"no bug", stage_, input_, e.what()};
    }
    return std::nullopt;
  }

 private:
  struct Input {
    language::Values leaves;
    std::string text;
    Outcome expected;
    std::int64_t work = 0;  // of the program before
  };
  [[noreturn]] void fail(const std::string& property, std::string detail, const AnyProgram* before = nullptr,
                         const AnyProgram* after = nullptr) {
    Finding f{property, stage_, input_, std::move(detail)};
    if (before) f.before = before->language().print(*before);
    if (after) f.after = after->language().print(*after);
    throw Found{std::move(f)};
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
    source(entry);
    stages(entry, language::FusionMode::Full);
    stages(entry, language::FusionMode::Paper);
  }

  void source(const language::Entry& entry) {
    const AnyProgram program(language::language(), entry);
    for (std::size_t k = 0; k < options_.inputs; ++k) {
      Input in{language::Values(), "", language::Values(), 0};
      in.leaves = random_arguments(entry.entry(), seed_of(seed_, 1000 + k));
      in.text = shown_arguments(entry.entry(), in.leaves);
      input_ = in.text;
      language::Counts cost;
      in.expected = meaning(program, in, false, &cost);
      in.work = cost.work - cost.views;
      ++counts_.inputs;
      counts_.traps += in.expected ? 0 : 1;
      const Outcome poisoned = meaning(program, in, true, nullptr);
      if (!same(poisoned, in.expected))
        fail("poison",
             "expected " + shown(in.expected, entry.entry()) + "\n   found " + shown(poisoned, entry.entry()));
      inputs_.push_back(std::move(in));
    }
    input_ = "";
  }
  Outcome meaning(const AnyProgram& p, const Input& in, bool poisons, language::Counts* counts) {
    ++counts_.runs;
    return outcome(p, in.leaves, poisons, counts);
  }

  void stages(const language::Entry& entry, language::FusionMode mode) {
    stage_ = "";
    const Trace trace = tools_.trace(entry, mode);
    std::vector<std::int64_t> work;
    for (const Input& in : inputs_) work.push_back(in.work);
    for (std::size_t k = 1; k < trace.steps.size(); ++k) {
      const Step& step = trace.steps[k];
      const AnyProgram* before = &trace.steps[k - 1].program;
      stage_ = step.name + (mode == language::FusionMode::Paper ? " (paper)" : "");
      if (const auto [wrong, kind] = wrong_with(trace, k); !wrong.empty()) fail(kind, wrong, before, &step.program);
      for (std::size_t i = 0; i < inputs_.size(); ++i) compare(step, *before, entry, i, work[i]);
    }
    const std::size_t operations = language::nodes(trace.last().as<language::Entry>().program);
    counts_.statistics.count("program", "fused to less than three quarters",
                             operations * 4 < trace.steps[5].program.language().nodes(trace.steps[5].program) * 3);
  }
  void compare(const Step& step, const AnyProgram& before, const language::Entry& entry, std::size_t i,
               std::int64_t& work) {
    const Input& in = inputs_[i];
    input_ = in.text;
    language::Counts cost;
    const auto differs = [&](const Outcome& found) {
      return "expected " + shown(in.expected, entry.entry()) + "\n   found " + shown(found, entry.entry());
    };
    const Outcome found = meaning(step.program, in, false, &cost);
    if (!same(found, in.expected)) fail("meaning", differs(found), &before, &step.program);
    const Outcome poisoned = meaning(step.program, in, true, nullptr);
    if (!same(poisoned, in.expected)) fail("poison", differs(poisoned), &before, &step.program);
    const std::int64_t now = cost.work - cost.views;
    if (found && now > work)
      fail("work", std::to_string(now) + " after " + std::to_string(work), &before, &step.program);
    work = now;
    input_ = "";
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
