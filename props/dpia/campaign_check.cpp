// One program of the campaign: printed and parsed, inferred, denoted, and then every stage's output checked and run
// beside the source. The first finding is the program's.
#include <algorithm>
#include <chrono>

#include "props/dpia/campaign.h"
#include "props/dpia/distribution.h"
#include "props/dpia/large_sizes.h"
#include "props/dpia/needed_barriers.h"
#include "props/dpia/strategy_nest.h"
#include "props/dpia/subjects.h"
#include "semantics/functional/denote.h"
#include "semantics/functional/inference/infer.h"
#include "semantics/functional/syntax/print.h"

namespace lockstep::props {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int redraws_of_endless = 20;

// Of a program with an array that is a view as long as no other is.
constexpr double far_load = 600;

// One program in twelve is run at large sizes, once; one in 36 at sizes that take long.
double largest_load(std::uint64_t seed) {
  const std::uint64_t k = seed >> 6;
  return k % 12 != 0 ? 0 : k % 36 == 0 ? 20000 : 1500;
}

std::string without_digits(std::string text) {
  for (char& c : text)
    if (c >= '0' && c <= '9') c = '#';
  return text.substr(0, 90);
}

// Iterations take turns in one program in eight; a kernel's threads change places on one input of each program, and in
// one program in 32 on all, in every order that there is.
Effort effort_for(std::uint64_t seed, std::size_t inputs, const CampaignOptions& options) {
  Effort out;
  out.seed = seed;
  out.orders = (seed >> 1) % 8 == 0 ? 4 : 3;
  out.check_functional = out.over_again = out.read_back = true;
  out.gpu_costs = (seed >> 1) % 8 == 0;
  out.implied = implied_by(options.solver);
  out.adversarial = [seed, inputs](const TestedInput& e, std::size_t k) -> std::optional<OrdersOptions> {
    if (e.load > interleaved_limit) return {};
    const bool sampled = (seed >> 1) % 32 == 0;
    if (!sampled && k != (seed >> 1) % inputs) return {};
    OrdersOptions how;
    how.seed = seed + k;
    how.while_limit = rounds_allowed(e.rounds);
    how.explore = sampled;
    if (!sampled) how.orders = 1;
    return how;
  };
  return out;
}

TestedInput tested(const PhraseProgram& source, const Expected& e) {
  return {{e.sizes, [&e] { return e.arguments; },
           [&source, &e] { return leaves_of_arguments(source, e.arguments, e.sizes); }},
          [&source, &e] { return e.show(source); },
          e.result,
          e.traps,
          {},
          e.rounds,
          e.load};
}

Machine machine_of(const Sample& sample, std::uint64_t seed, const CampaignOptions& options) {
  if (sample.machine) return *sample.machine;
  if (options.machine) return *options.machine;
  return seed % 2 == 1 || options.for_gpu() ? Machine::Gpu : Machine::Cpu;
}

std::optional<Finding> check_stages(PhraseProgram source, std::uint64_t seed, Machine machine,
                                    const CampaignOptions& options, OperatorTally& tally, CampaignReport& report) {
  if (machine == Machine::Gpu) draw_launch(source, seed, options);
  draw_order(source, seed);
  const std::string machine_name = machine == Machine::Cpu ? "CPU" : "GPU";
  auto start = Clock::now();
  const auto [expected, endless] = expected_results(source, seed, options, &tally);
  report.run_seconds += since(start);
  report.inputs += expected.size();
  report.endless += endless;
  if (expected.empty() && endless == 0) ++report.without_sizes;
  count_inputs(source, expected, report.statistics);
  Tests tests(tally, source, effort_for(seed, expected.size(), options));
  for (const Expected& e : expected) {
    if (!e.result) ++report.traps;
    tests.inputs.push_back(tested(source, e));
    tests.applied.push_back(e.result ? std::optional(Spent{e.applied, {}}) : std::nullopt);
  }
  start = Clock::now();
  tests.traces.reserve(1);
  tests.traces.push_back(
      dpia_trace(source, options.tools.languages(tally.calculus()), machine, false, options.tools.stages));
  report.stage_seconds += since(start);
  const DpiaTrace& trace = tests.traces.back();
  if (trace.steps.size() < 2) return {};
  if (machine == Machine::Gpu) {
    count_kernel(trace.kernel(), report.statistics);
    count_memory(trace, expected, report.statistics);
    count_widths(trace.kernel(), expected, report.statistics);
  }
  count_checks(trace, report.statistics);
  count_tiles(trace, report.statistics);
  count_indices(trace.kernel(), expected, report.statistics);
  start = Clock::now();
  Case c;
  c.first_only = true;
  c.inputs = expected.size();
  c.gives_values.assign(expected.size(), true);
  tests.add_rows(c, 0);
  const Report found = verify(c, {});
  if (tests.effort.gpu_costs && machine == Machine::Gpu && source.launch.block > 1)
    for (const BarrierNeed& b : needed_barriers(source, trace.kernel(), {}, seed))
      if (b.scope != Level::Warp || source.launch.warp > 1)
        report.statistics.count("barrier of several threads", "shown to be needed", b.without.has_value());
  std::optional<Finding> out;
  if (const Row& row = found.stages.back(); row.wrong())
    out = finding_of(row, row.reference ? row.name : row.name + " (" + machine_name + ")", "meaning");
  else if (const auto lost = lost_loop(trace, tests.effort.implied))
    out = Finding{"strategy", trace.steps.back().name + " (" + machine_name + ")", "",
                  "no loop has come out of " + show(*lost)};
  report.run_seconds += since(start);
  return out;
}

}  // namespace

Toolchain::Toolchain() : printed([](const surface::Program& p) { return print(p); }) {}

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

void draw_launch(PhraseProgram& source, std::uint64_t seed, const CampaignOptions& options) {
  if (!(source.launch == Launch{})) return;
  const auto drawn = [seed](const std::vector<int>& among, int bits) { return among[(seed >> bits) % among.size()]; };
  const bool small = options.for_gpu();
  source.launch = {drawn(small ? std::vector{1, 2, 33, 64} : std::vector{1, 4, 32, 64, 256, 1024}, 13),
                   drawn({1, 4, 32, 64}, 17),
                   drawn(small ? std::vector{1, 2, 3, 4} : std::vector{1, 7, 65535, most_grid}, 19),
                   drawn(small ? std::vector{32, 32, 32, most_index} : std::vector{32, 8, 10, most_index}, 23)};
}

void draw_order(PhraseProgram& source, std::uint64_t seed) {
  static const std::vector<ReductionOrder> orders{{},           {2, 4, 0, 1}, {1, 1, 1, 2},
                                                  {2, 2, 0, 1}, {1, 3, 0, 2}, {4, 8, 1, 3}};
  source.order = orders[(seed >> 9) % orders.size()];
  static const std::vector<TileSizes> tiles{{}, {2, 3, 2}, {1, 4, 3}, {3, 2, 1}, {2, 2, 4}};
  source.tiles = tiles[(seed >> 15) % tiles.size()];
  source.in_order = source.in_order || (seed >> 13) % 4 == 0;
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
  std::vector<SizeValues> at = small_sizes(source, options.inputs, random);
  std::optional<SizeValues> large;
  if (const double most = largest_load(seed); most > 0 && (large = large_sizes(source, most, random))) {
    at.resize(std::min<std::size_t>(at.size(), 1));
    at.push_back(*large);
  }
  const auto far = far_sizes(source, far_load, random);
  if (far) {
    if (at.size() >= options.inputs) at.pop_back();
    at.push_back(*far);
  }
  while (!large && !at.empty() && at.size() < options.inputs && !source.parameters.empty()) at.push_back(at.back());
  for (SizeValues& sizes : at) {
    std::optional<Expected> found;
    for (int draw = 0; draw <= redraws_of_endless && !found; ++draw) {
      std::vector<Value> arguments = random_arguments(source, sizes, random);
      if (tally) tally->restart();
      rounds.restart(options.limit);
      try {
        const auto value = denote(counted, sizes, arguments, ieee_domain());
        OperatorTally::Counts applied;
        if (tally) applied = tally->counts();
        const std::uint64_t taken = rounds.taken();
        Outcome result =
            value ? Outcome(flatten(*value, source.result, sizes)) : Outcome(tl::unexpected(value.error()));
        rounds.restart(options.limit);
        std::vector<Trap> traps;
        if (!value) traps = traps_of(counted, sizes, arguments, ieee_domain());
        found = Expected{sizes, std::move(arguments), std::move(result), std::move(applied), taken, std::move(traps)};
        if (large == sizes || far == sizes) found->load = load_at(source, sizes);
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

std::optional<std::string> difference(const Expected& expected, const Outcome& found) {
  if (!expected.result && !found)
    return same_outcome(expected.result, expected.traps, found)
               ? std::nullopt
               : std::optional("of the source " + shown(expected.traps) + "; here " + shown({found.error()}));
  if (!expected.result) return "the source traps, this does not";
  if (!found) return "the source does not trap, this does: " + render(found.error());
  for (std::size_t l = 0; l < found->size(); ++l) {
    const auto &a = expected.result->at(l), &b = (*found)[l];
    if (a.size() != b.size())
      return "leaf " + std::to_string(l) + " has " + std::to_string(b.size()) + " scalars, not " +
             std::to_string(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!same_scalar(a[i], b[i]))
        return "scalar " + std::to_string(i) + " of leaf " + std::to_string(l) + " is " +
               lockstep::show(b[i], ieee_domain()) + ", of the source " + lockstep::show(a[i], ieee_domain());
  }
  return {};
}

ProgramCheck check_program_at_stages(const Sample& sample, std::uint64_t seed, const CampaignOptions& options,
                                     const Calculus& calculus, CampaignReport& report) {
  const surface::Program& program = sample.program;
  ProgramCheck out;
  try {
    const auto start = Clock::now();
    const auto parsed = parse_program(std::make_shared<Source>(Source{"program.dpia", options.tools.printed(program)}));
    if (!parsed) {
      out.finding = Finding{"round trip", "parse", "", render(parsed.error().front())};
      return out;
    }
    if (!(*parsed == program)) {
      out.finding = Finding{"round trip", "print", "", "the program that is read back is another:\n" + print(*parsed)};
      return out;
    }
    OperatorTally tally(calculus);
    bool asked = false;
    const SizeSolver solver = [&](const std::vector<SizeFact>& facts, const SizeFact& goal) {
      asked = true;
      return options.solver(facts, goal);
    };
    auto elaborated = infer(*parsed, *tally.calculus(), options.solver ? solver : SizeSolver{});
    if (options.solver) report.statistics.count("program", "asks the size solver", asked);
    report.infer_seconds += since(start);
    if (sample.altered) report.statistics.count("altered program", "refused", !elaborated);
    if (!elaborated && sample.altered) {
      if (elaborated.error().empty() || elaborated.error().front().message.empty())
        out.finding = Finding{"inference", "refused without a word", "", ""};
      return out;
    }
    if (!elaborated) {
      out.finding = Finding{"inference", without_digits(elaborated.error().front().message), "",
                            render(elaborated.error().front())};
      return out;
    }
    out.source = std::move(elaborated->entries.back());
    report.coverage.count(*out.source);
    count_program(program, *out.source, report.statistics);
    out.finding = check_stages(*out.source, seed, machine_of(sample, seed, options), options, tally, report);
    if (out.finding && out.finding->property == "types") out.finding->rule = without_names(out.finding->detail);
  } catch (const std::exception& bug) {
    out.finding = Finding{"no bug", without_digits(bug.what()), "", bug.what()};
  }
  return out;
}

}  // namespace lockstep::props
