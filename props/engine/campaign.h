// The one campaign, shrinker and trial of mutants: random programs of a language through every stage, each held against
// the meaning of its source. What fails is shrunk to the smallest program that fails at the same stage in the same way.
// P: a language's program, as it is generated.
#pragma once
#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "props/engine/failure_file.h"
#include "props/engine/random.h"
#include "props/engine/report.h"
#include "props/engine/shrink.h"

namespace lockstep::props {

// What is wrong, and where it is seen first.
struct Finding {
  std::string property;           // "round trip", "types", "meaning", "cost", "no bug" ...
  std::string stage;              // of the pipeline, "" before it
  std::string input;              // "" where none matters
  std::string detail;             // expected and found
  std::string before{}, after{};  // the program before and after the stage, where there is one
  std::string rule{};             // of a program that is refused: which rule it breaks, names and numbers left out
};
// Of a row that is wrong; `property`: of one that does not compute what the source does.
Finding finding_of(const Row& row, std::string stage, std::string property);
// The same property at the same stage, and the same rule: a program cut down may break another.
bool same_place(const Finding& a, const Finding& b);

// Ends a check with what it found first.
struct FindingSignal {
  Finding finding;
};
// What the check finds; what else it throws is no trap of the program's. The stage and the input where it then is.
template <class F>
std::optional<Finding> first_finding(const F& check, const std::string& stage, const std::string& input) {
  try {
    check();
  } catch (const FindingSignal& f) {
    return f.finding;
  } catch (const std::exception& e) {
    return Finding{"no bug", stage, input, e.what()};
  }
  return std::nullopt;
}

// Which programs, whatever the language.
struct CampaignPart {
  std::size_t programs = 1000;
  std::size_t compiled_programs = 0;  // so many of them, the first, on the compiled target too
  std::uint64_t seed = 1;
  std::optional<double> minutes{};    // stop then, whatever is left
  std::size_t shard = 1, shards = 1;  // program k belongs to shard k % shards + 1
  std::function<void(std::size_t done, std::size_t all, std::size_t failures)> progress{};
};
// Programs of a shard, of so many altogether.
std::size_t programs_of_shard(std::size_t programs, std::size_t shard, std::size_t shards);
struct CampaignHow : CampaignPart {
  int nodes = 30;
  std::size_t batch = 50;      // programs in one compilation
  std::size_t stop_after = 5;  // failures
  bool shrink = true;
  std::string folder = "campaign-failures";  // where failures are written; empty: nowhere
};

struct CampaignFailure {
  Finding finding;
  std::uint64_t program = 0;  // its number in the campaign
  std::size_t nodes = 0;      // before shrinking
  std::string text;           // shrunk
  std::string command;        // to repeat it
  std::string file;           // where it was written, if it was
};
struct CampaignTotals {
  std::size_t programs = 0, compiled = 0, nodes = 0;
  double seconds = 0, generate_seconds = 0, compile_seconds = 0;
  std::vector<CampaignFailure> failures;
};

// A program that is compiled with others.
template <class P>
struct InBatch {
  P program;
  std::uint64_t seed = 0;  // of its inputs
  std::size_t number = 0;  // in the campaign
};

// What a campaign asks of a language.
template <class P>
struct Trials {
  std::string extension;          // ".dpia"
  std::string options;            // of the command that repeats a failure: "--language snesl"
  std::string target;             // that is compiled for, as --target has it
  bool drawn_for_target = false;  // programs are others than without it
  std::function<P(std::uint64_t seed, int nodes)> generate;
  std::function<std::size_t(const P&)> nodes;
  std::function<std::string(const P&)> text;
  std::function<std::vector<P>(const P&)> smaller;  // what may fail in its place
  std::function<std::size_t(const P&)> measure;     // of which shrinking makes less
  // At every stage, and compiled, on inputs drawn from the seed; counted: into the language's report.
  std::function<std::optional<Finding>(const P&, std::uint64_t seed, bool counted)> check;
  using Batch = std::vector<InBatch<P>>;
  std::function<std::vector<std::optional<Finding>>(const Batch&, bool counted)> compiled;
  // After a program has been generated, before it is checked.
  std::function<void(const P&)> count = [](const P&) {};
};

// Greedy: rounds over all candidates, the smallest first, until none fails any more. They are tried so many at once;
// `first_failing` is the place of the first of them that fails.
template <class P>
P shrunk_program(P program, const Trials<P>& trials, std::size_t at_once,
                 const std::function<std::optional<std::size_t>(const std::vector<P>&)>& first_failing,
                 const ShrinkLimits& limits = {}) {
  ShrinkClock clock(limits);
  for (bool progress = true; progress;) {
    progress = false;
    const std::vector<P> all = trials.smaller(program);
    std::vector<std::size_t> measures;
    for (const P& p : all) measures.push_back(trials.measure(p));
    const std::vector<std::size_t> order = in_order(measures, trials.measure(program));
    for (std::size_t first = 0; first < order.size() && !progress; first += at_once) {
      if (clock.over()) return program;
      std::vector<P> tried;
      for (std::size_t k = first; k < std::min(first + at_once, order.size()); ++k) tried.push_back(all[order[k]]);
      const auto failing = first_failing(tried);
      if (!failing) continue;
      program = std::move(tried[*failing]);
      progress = true;
    }
  }
  return program;
}
template <class P>
P shrunk_program(P program, const Trials<P>& trials, const std::function<bool(const P&)>& still_fails,
                 const ShrinkLimits& limits = {}) {
  return shrunk_program<P>(
      std::move(program), trials, 1,
      [&](const std::vector<P>& one) {
        return still_fails(one.front()) ? std::optional<std::size_t>(0) : std::nullopt;
      },
      limits);
}

// "lockstep campaign --seed 1 --programs 4 --shard 4/4": only the failing program. `drawn`: Trials::drawn_for_target.
std::string repeating(const CampaignHow& how, const std::string& options, const std::string& target, std::size_t k,
                      bool drawn = false);
// Where it was written, or "".
std::string write_failure(const CampaignHow& how, const std::string& extension, const CampaignFailure& f);

template <class P>
class Campaign {
 public:
  Campaign(const CampaignHow& how, Trials<P> trials, CampaignTotals& totals)
      : how_(how), trials_(std::move(trials)), totals_(totals) {}

  void run() {
    for (std::size_t k = how_.shard - 1; k < how_.programs; k += how_.shards) {
      if (how_.minutes && seconds() > *how_.minutes * 60) break;
      if (totals_.failures.size() >= how_.stop_after) break;
      one(k);
      if (how_.progress && totals_.programs % 20 == 0)
        how_.progress(totals_.programs, programs_of_shard(how_.programs, how_.shard, how_.shards),
                      totals_.failures.size());
    }
    compile_batch();
    totals_.seconds = seconds();
  }

 private:
  using Clock = std::chrono::steady_clock;
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void one(std::size_t k) {
    const std::uint64_t seed = seed_of(how_.seed, k);
    const double before = seconds();
    P program = trials_.generate(seed, how_.nodes);
    totals_.generate_seconds += seconds() - before;
    ++totals_.programs;
    totals_.nodes += trials_.nodes(program);
    trials_.count(program);
    const auto check = [&](const P& p) { return trials_.check(p, seed, false); };
    if (const auto found = trials_.check(program, seed, true)) return fail(k, program, *found, check);
    if (k >= how_.compiled_programs) return;
    batch_.push_back({std::move(program), seed, k});
    if (batch_.size() >= how_.batch) compile_batch();
  }

  // Programs are compiled by the batch: most of the time for one is the compiler's start.
  void compile_batch() {
    if (batch_.empty()) return;
    const double before = seconds();
    const auto findings = trials_.compiled(batch_, true);
    totals_.compile_seconds += seconds() - before;
    totals_.compiled += batch_.size();
    for (std::size_t k = 0; k < findings.size(); ++k) {
      if (!findings[k] || totals_.failures.size() >= how_.stop_after) continue;
      fail_compiled(batch_[k], *findings[k]);
    }
    batch_.clear();
  }

  // Smaller programs are compiled together too, but for those that fail at a stage.
  void fail_compiled(const InBatch<P>& x, const Finding& finding) {
    constexpr std::size_t at_once = 24;
    constexpr ShrinkLimits limits{4000, 60};
    const auto compiled = [&](const std::vector<P>& programs) {
      std::vector<std::optional<Finding>> out(programs.size());
      std::vector<std::size_t> places;
      typename Trials<P>::Batch batch;
      for (std::size_t k = 0; k < programs.size(); ++k) {
        out[k] = trials_.check(programs[k], x.seed, false);
        if (!out[k]) batch.push_back({programs[k], x.seed, 0}), places.push_back(k);
      }
      auto found = trials_.compiled(batch, false);
      for (std::size_t k = 0; k < places.size(); ++k) out[places[k]] = std::move(found[k]);
      return out;
    };
    const auto first_failing = [&](const std::vector<P>& programs) -> std::optional<std::size_t> {
      const auto all = compiled(programs);
      for (std::size_t k = 0; k < all.size(); ++k)
        if (all[k] && same_place(*all[k], finding)) return k;
      return {};
    };
    P small = how_.shrink ? shrunk_program<P>(x.program, trials_, at_once, first_failing, limits) : x.program;
    auto again = how_.shrink ? compiled({small}).front() : std::nullopt;
    failed(x.number, x.program, again ? *again : finding, small);
  }

  void fail(std::size_t k, const P& program, const Finding& finding,
            const std::function<std::optional<Finding>(const P&)>& check) {
    if (!how_.shrink) return failed(k, program, finding, program);
    const P small = shrunk_program<P>(program, trials_, [&](const P& p) {
      const auto again = check(p);
      return again && same_place(*again, finding);
    });
    const auto again = check(small);
    failed(k, program, again ? *again : finding, small);
  }

  void failed(std::size_t k, const P& program, const Finding& finding, const P& small) {
    CampaignFailure f{finding, k, trials_.nodes(program), "", "", ""};
    f.text = trials_.text(small);
    f.command = repeating(how_, trials_.options, trials_.target, k, trials_.drawn_for_target);
    if (!how_.folder.empty()) f.file = write_failure(how_, trials_.extension, f);
    totals_.failures.push_back(std::move(f));
  }

  const CampaignHow& how_;
  const Trials<P> trials_;
  CampaignTotals& totals_;
  typename Trials<P>::Batch batch_;
  Clock::time_point start_ = Clock::now();
};

// ------------------------------------------------------------------------------------------------ mutants
// A planted mistake on trial: programs are checked with it and without.
template <class P>
struct MutantTrial {
  std::vector<P> directed;  // programs in which the mistake shows that random ones seldom meet; tried before them
  int nodes = 30;           // of random ones
  std::function<std::optional<Finding>(const P&, std::uint64_t seed)> with_mistake, without;
};
// Of tools with the mistake and of those without it. `read`: of a directed program's text; `check`: with some tools.
template <class P, class Tools, class Read, class Check>
MutantTrial<P> trial_of_tools(const Tools& wrong, const Tools& right, const std::vector<std::string>& directed,
                              int nodes, const Read& read, const Check& check) {
  MutantTrial<P> out;
  for (const std::string& text : directed) out.directed.push_back(read(text));
  out.nodes = nodes;
  out.with_mistake = [=](const P& p, std::uint64_t seed) { return check(p, seed, wrong); };
  out.without = [=](const P& p, std::uint64_t seed) { return check(p, seed, right); };
  return out;
}
// The first program that tells the mutant from what it was made of: it fails there, and not without the mistake.
template <class P>
struct CaughtBy {
  std::size_t programs = 0;  // tried, this one included
  bool directed = false;     // otherwise random
  P program;
  std::uint64_t seed = 0;  // of its inputs
  Finding finding;
};
template <class P>
struct TrialRun {
  std::optional<CaughtBy<P>> caught;  // nothing: it survived
  std::size_t programs = 0;           // tried
  double seconds = 0;
};

template <class P>
TrialRun<P> try_mistake(const MutantTrial<P>& m, const Trials<P>& trials, std::uint64_t seed, std::size_t programs) {
  const auto start = std::chrono::steady_clock::now();
  TrialRun<P> out;
  while (out.programs < m.directed.size() + programs && !out.caught) {
    const std::size_t k = out.programs++;
    const bool directed = k < m.directed.size();
    const std::uint64_t mine = seed_of(seed, directed ? k : k - m.directed.size());
    P p = directed ? m.directed[k] : trials.generate(mine, m.nodes);
    auto found = m.with_mistake(p, mine);
    if (found && !m.without(p, mine))
      out.caught = CaughtBy<P>{out.programs, directed, std::move(p), mine, std::move(*found)};
  }
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

// Without the mistake, on the directed programs and on so many random ones: what is found is a false alarm.
template <class P>
std::optional<Finding> false_alarm_of(const MutantTrial<P>& m, const Trials<P>& trials, std::uint64_t seed,
                                      std::size_t programs) {
  const std::size_t directed = m.directed.size();
  for (std::size_t k = 0; k < directed + programs; ++k) {
    const std::uint64_t mine = seed_of(seed, k < directed ? k : k - directed);
    const P p = k < directed ? m.directed[k] : trials.generate(mine, m.nodes);
    if (auto f = m.without(p, mine)) return f;
  }
  return {};
}

// The smallest program that shrinking finds at the same place, with what is found there.
template <class P>
CaughtBy<P> shrunk_catch(const MutantTrial<P>& m, const Trials<P>& trials, const CaughtBy<P>& caught, double seconds) {
  const auto found = [&](const P& p) {
    auto finding = m.with_mistake(p, caught.seed);
    if (finding && (!same_place(*finding, caught.finding) || m.without(p, caught.seed))) finding.reset();
    return finding;
  };
  CaughtBy<P> out = caught;
  out.program =
      shrunk_program<P>(caught.program, trials, [&](const P& p) { return found(p).has_value(); }, {4000, seconds});
  if (auto finding = found(out.program)) out.finding = std::move(*finding);
  return out;
}

}  // namespace lockstep::props
