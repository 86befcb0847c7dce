// One program of the campaign: printed and parsed, inferred, denoted, and then every stage's output checked and run
// beside the source. The first finding is the program's.
#include <algorithm>
#include <chrono>

#include "codegen/targets/openmp.h"
#include "props/dpia/campaign.h"
#include "props/dpia/orders.h"
#include "props/dpia/strategy_nest.h"
#include "semantics/functional/denote.h"
#include "semantics/functional/infer.h"
#include "semantics/functional/syntax/print.h"
#include "semantics/imperative/check.h"
#include "semantics/imperative/print.h"
#include "semantics/imperative/run.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/parse.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/run.h"

namespace lockstep::props {
namespace {

using Scalars = std::vector<std::vector<Scalar>>;
using Clock = std::chrono::steady_clock;

constexpr int redraws_of_endless = 20;

std::string without_digits(std::string text) {
  for (char& c : text)
    if (c >= '0' && c <= '9') c = '#';
  return text.substr(0, 90);
}

std::string without_names(const std::string& text) {
  std::string out;
  bool quoted = false;
  for (const char c : text) {
    if (c == '\'' || c == '`')
      quoted = !quoted;
    else if (!quoted)
      out += c;
  }
  return without_digits(out);
}

bool same_typed_scalar(const Scalar& a, const Scalar& b) {
  if (a.type != b.type) return false;
  if (a.bits == b.bits) return true;
  return is_float(a.type) && a.ieee() != a.ieee() && b.ieee() != b.ieee();
}

class StageChecks {
 public:
  StageChecks(const PhraseProgram& source, const std::vector<Expected>& expected, std::uint64_t seed,
              std::string machine, const Pipeline& pipeline, const CostRelation& costs, OperatorTally& tally,
              const CampaignOptions& options)
      : source_(source),
        expected_(expected),
        seed_(seed),
        machine_(std::move(machine)),
        pipeline_(pipeline),
        costs_(costs),
        tally_(tally),
        options_(options) {}

  // The first finding, with the program before and after the stage.
  std::optional<Finding> first() const {
    if (pipeline_.phrases.empty()) return {};
    for (const Expected& e : expected_)
      if (e.result)
        if (const auto d = costs_.source(e.sizes, e.applied)) return finding("cost", "source", *d, &e);
    for (std::size_t k = 1; k < pipeline_.phrases.size(); ++k)
      if (auto f = phrases(k)) {
        f->before = lockstep::print(pipeline_.phrases[k - 1].program);
        f->after = lockstep::print(pipeline_.phrases[k].program);
        return f;
      }
    for (std::size_t k = 0; k < pipeline_.kernels.size(); ++k)
      if (auto f = kernels(k)) {
        f->before = k == 0 ? lockstep::print(pipeline_.phrases.back().program)
                           : kernel::print(pipeline_.kernels[k - 1].program);
        f->after = kernel::print(pipeline_.kernels[k].program);
        return f;
      }
    return {};
  }

 private:
  std::optional<Finding> phrases(std::size_t k) const {
    const Pipeline::PhraseStep& step = pipeline_.phrases[k];
    const bool functional = step.program.output.empty();
    const auto types = check_program(step.program, {{}, true, implied_});
    if (!types) return finding("types", step.name, types.error().front().message);
    for (const Expected& e : expected_) {
      for (const Order order : {Order::Forward, Order::Reverse, Order::Random, Order::Turns}) {
        if (functional && order != Order::Forward) break;
        if (order == Order::Turns && (seed_ >> 1) % 8 != 0) break;
        RunOptions options;
        options.order = order;
        options.seed = seed_;
        options.iteration_limit = static_cast<std::int64_t>(rounds_allowed(e.rounds));
        tally_.restart();
        const auto value = run(step.program, e.sizes, e.arguments, ieee_domain(), options);
        std::optional<Scalars> found;
        std::string trap;
        if (value)
          found = flatten(*value, source_.result, e.sizes);
        else if (const auto* t = std::get_if<Trap>(&value.error()))
          trap = render(*t);
        else
          return finding("meaning", step.name, render(value.error()), &e);
        if (auto d = difference(e, found, trap)) return finding("meaning", step.name, *d, &e);
        if (!found || order != Order::Forward) continue;
        if (auto d = costs_.phrase(k, e.sizes, e.applied, tally_.counts())) return finding("cost", step.name, *d, &e);
      }
    }
    return {};
  }

  std::optional<Finding> kernels(std::size_t k) const {
    const Pipeline::KernelStep& step = pipeline_.kernels[k];
    if (auto f = read_back(step)) return f;
    if (const auto wrong = kernel::check(step.program); !wrong.empty())
      return finding("types", step.name, wrong.front());
    for (const Expected& e : expected_) {
      const kernel::Buffers inputs = buffers(step.program, e);
      for (const auto schedule : {kernel::Schedule::Forward, kernel::Schedule::Reverse, kernel::Schedule::Random}) {
        kernel::RunOptions options;
        options.schedule = schedule;
        options.seed = seed_;
        options.detect_races = step.synchronised && schedule == kernel::Schedule::Forward;
        options.while_limit = rounds_allowed(e.rounds);
        kernel::Counted counted;
        options.counted = &counted;
        tally_.restart();
        const auto result = kernel::run(step.program, e.sizes, inputs, ieee_domain(), options);
        if (auto d = judged(step.program, e, result)) return finding("meaning", step.name, *d, &e);
        if (!result || schedule != kernel::Schedule::Forward) continue;
        if (auto d = costs_.kernel(k, e.sizes, e.applied, tally_.counts(), counted))
          return finding("cost", step.name, *d, &e);
      }
      if (!step.synchronised) continue;
      if (auto d = adversarial(step.program, e, inputs)) return finding("meaning", step.name, *d, &e);
    }
    return {};
  }

  static std::optional<std::string> judged(const kernel::Program& program, const Expected& e,
                                           const tl::expected<kernel::Buffers, kernel::Stop>& result) {
    if (!result) {
      const auto* fault = std::get_if<kernel::Fault>(&result.error());
      if (fault) return std::string(kernel::show(fault->kind)) + ": " + fault->message;
      return difference(e, std::nullopt, render(std::get<Trap>(result.error())));
    }
    Scalars found;
    for (const kernel::Buffer& b : program.outputs) found.push_back(result->at(b.name));
    return difference(e, found, "");
  }

  // One order for one input of each program; for one program in 32 all of them on all its inputs, and what else there
  // is.
  std::optional<std::string> adversarial(const kernel::Program& program, const Expected& e,
                                         const kernel::Buffers& inputs) const {
    const bool sampled = (seed_ >> 1) % 32 == 0;
    const auto k = static_cast<std::size_t>(&e - expected_.data());
    if (!sampled && k != (seed_ >> 1) % expected_.size()) return {};
    OrdersOptions options;
    options.seed = seed_ + k;
    options.while_limit = rounds_allowed(e.rounds);
    options.explore = sampled;
    if (!sampled) options.orders = 1;
    return try_orders(program, e.sizes, inputs, options, [&](const auto& result) { return judged(program, e, result); })
        .wrong;
  }

  // The kernel's text is read back as the kernel.
  std::optional<Finding> read_back(const Pipeline::KernelStep& step) const {
    const std::string text = options_.printers.kernel(step.program);
    const auto parsed =
        kernel::parse(std::make_shared<Source>(Source{"program.kernel", text}), [this](std::string_view name) {
          const auto* entry = tally_.calculus().find(name);
          return entry ? &entry->primitive : nullptr;
        });
    if (!parsed) return finding("round trip", step.name, render(parsed.error().front()));
    if (*parsed == step.program) return {};
    return finding("round trip", step.name, "the kernel that is read back is another:\n" + kernel::print(*parsed));
  }

  kernel::Buffers buffers(const kernel::Program& program, const Expected& e) const {
    kernel::Buffers out;
    std::size_t at = 0;
    for (std::size_t k = 0; k < source_.parameters.size(); ++k)
      for (auto& leaf : flatten(e.arguments[k], source_.parameters[k].second, e.sizes))
        out[program.inputs.at(at++).name] = std::move(leaf);
    return out;
  }
  Finding finding(std::string property, const std::string& stage, std::string detail,
                  const Expected* input = nullptr) const {
    return {std::move(property), stage + " (" + machine_ + ")", input ? input->show(source_) : "", std::move(detail)};
  }

  const PhraseProgram& source_;
  const std::vector<Expected>& expected_;
  std::uint64_t seed_;
  std::string machine_;
  const Pipeline& pipeline_;
  const CostRelation& costs_;
  OperatorTally& tally_;
  const CampaignOptions& options_;
  const SizeImplication implied_ = implied_by(options_.solver);
};

std::optional<Finding> check_stages(const PhraseProgram& source, std::uint64_t seed, const CampaignOptions& options,
                                    OperatorTally& tally, CampaignReport& report) {
  const Machine machine = options.machine ? *options.machine : seed % 2 == 0 ? Machine::Cpu : Machine::Gpu;
  const std::string machine_name = machine == Machine::Cpu ? "CPU" : "GPU";
  auto start = Clock::now();
  const auto [expected, endless] = expected_results(source, seed, options, &tally);
  report.run_seconds += since(start);
  report.inputs += expected.size();
  report.endless += endless;
  if (expected.empty() && endless == 0) ++report.without_sizes;
  for (const Expected& e : expected)
    if (!e.result) ++report.traps;
  start = Clock::now();
  const Pipeline pipeline = options.pipeline(source, tally.calculus(), machine);
  report.stage_seconds += since(start);
  start = Clock::now();
  const CostRelation costs(pipeline, machine, options.costs, tally);
  const StageChecks checks(source, expected, seed, machine_name, pipeline, costs, tally, options);
  std::optional<Finding> found = checks.first();
  if (!found && !pipeline.kernels.empty())
    if (const auto lost = lost_loop(pipeline, machine, implied_by(options.solver)))
      found = Finding{"strategy", pipeline.kernels.back().name + " (" + machine_name + ")", "",
                      "no loop has come out of " + show(*lost)};
  report.run_seconds += since(start);
  return found;
}

}  // namespace

Printers Printers::standard() {
  return {[](const surface::Program& p) { return print(p); },
          [](const lockstep::kernel::Program& p) { return lockstep::kernel::print(p); },
          [](const lockstep::kernel::Program& p) { return openmp_source(p); }};
}

// What a type check says must be the same too, up to names and numbers: a program cut down may break another rule.
bool same_place(const Finding& a, const Finding& b) {
  if (a.property != b.property || a.stage != b.stage) return false;
  return a.property != "types" || without_names(a.detail) == without_names(b.detail);
}

std::string Expected::show(const PhraseProgram& program) const {
  std::string out;
  for (const auto& [name, n] : sizes) out += (out.empty() ? "" : " ") + name + "=" + std::to_string(n);
  for (std::size_t k = 0; k < arguments.size(); ++k)
    out += (out.empty() ? "" : " ") + program.parameters[k].first + "='" + lockstep::show(arguments[k], ieee_domain()) +
           "'";
  return out;
}

ExpectedResults expected_results(const PhraseProgram& source, std::uint64_t seed, const CampaignOptions& options,
                                 OperatorTally* tally) {
  const Rounds rounds;
  const PhraseProgram counted = rounds.counted(source);
  Random random(seed);
  ExpectedResults out;
  for (SizeValues& sizes : small_sizes(source, options.inputs, random)) {
    std::optional<Expected> found;
    for (int draw = 0; draw <= redraws_of_endless && !found; ++draw) {
      std::vector<Value> arguments = random_arguments(source, sizes, random);
      if (tally) tally->restart();
      rounds.restart(options.limit);
      try {
        const auto value = denote(counted, sizes, arguments, ieee_domain());
        std::optional<Scalars> result;
        if (value) result = flatten(*value, source.result, sizes);
        OperatorTally::Counts applied;
        if (tally) applied = tally->counts();
        found = Expected{sizes, std::move(arguments), std::move(result), std::move(applied), rounds.taken()};
      } catch (const EndlessSignal&) {
        if (source.parameters.empty()) break;
      }
    }
    if (found)
      out.results.push_back(std::move(*found));
    else
      ++out.endless;
  }
  return out;
}

std::optional<std::string> difference(const Expected& expected, const std::optional<Scalars>& found,
                                      const std::string& trap) {
  if (!expected.result && !found) return {};
  if (!expected.result) return "the source traps, this does not";
  if (!found) return "the source does not trap, this does: " + trap;
  for (std::size_t l = 0; l < found->size(); ++l) {
    const auto &a = expected.result->at(l), &b = (*found)[l];
    if (a.size() != b.size())
      return "leaf " + std::to_string(l) + " has " + std::to_string(b.size()) + " scalars, not " +
             std::to_string(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!same_typed_scalar(a[i], b[i]))
        return "scalar " + std::to_string(i) + " of leaf " + std::to_string(l) + " is " +
               lockstep::show(b[i], ieee_domain()) + ", of the source " + lockstep::show(a[i], ieee_domain());
  }
  return {};
}

ProgramCheck check_program_at_stages(const surface::Program& program, std::uint64_t seed,
                                     const CampaignOptions& options, const Calculus& calculus, CampaignReport& report) {
  ProgramCheck out;
  try {
    const auto start = Clock::now();
    const auto parsed = parse_program(std::make_shared<Source>(Source{"program.dpia", options.printers.dpia(program)}));
    if (!parsed) {
      out.finding = Finding{"round trip", "parse", "", render(parsed.error().front())};
      return out;
    }
    if (!(*parsed == program)) {
      out.finding = Finding{"round trip", "print", "", "the program that is read back is another:\n" + print(*parsed)};
      return out;
    }
    OperatorTally tally(calculus);
    auto elaborated = infer(*parsed, tally.calculus(), options.solver);
    report.infer_seconds += since(start);
    if (!elaborated) {
      out.finding = Finding{"inference", without_digits(elaborated.error().front().message), "",
                            render(elaborated.error().front())};
      return out;
    }
    out.source = std::move(elaborated->entries.back());
    report.coverage.count(*out.source);
    out.finding = check_stages(*out.source, seed, options, tally, report);
  } catch (const std::exception& bug) {
    out.finding = Finding{"no bug", without_digits(bug.what()), "", bug.what()};
  }
  return out;
}

}  // namespace lockstep::props
