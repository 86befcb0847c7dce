// Campaigns of .dpia: random programs through every stage, and planted mistakes.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "codegen/targets/target.h"
#include "driver/campaign_reports.h"
#include "driver/languages/dpia/dpia.h"
#include "driver/mutants.h"
#include "proofs/laws/compiling.h"
#include "proofs/sizes/solver.h"
#include "props/dpia/mutants/mutants.h"
#include "semantics/functional/syntax/print.h"

namespace lockstep::driver {
namespace {

std::vector<ReportField> fields_of_report() {
  return {{"inputs"},
          {"traps"},
          {"bounded"},
          {"undecided"},
          {"first_undecided", Join::First},
          {"by_bound"},
          {"without_text"},
          {"share_of_bound", Join::Worst, {"worst_error", "bound_there", "worst"}},
          {"without_sizes"},
          {"endless"},
          {"missing", Join::Common}};
}

Json json_of(const props::CampaignReport& r, const Calculus& calculus) {
  Json missing = Json::array();
  for (const std::string& m : r.coverage.missing(calculus)) missing.push_back(m);
  return Json{{"inputs", r.inputs},
              {"traps", r.traps},
              {"bounded", r.bounded},
              {"undecided", r.undecided},
              {"first_undecided", r.first_undecided},
              {"by_bound", r.by_bound},
              {"without_text", r.refused.empty() ? Json::object() : Json(r.refused)},
              {"worst_error", r.rounding.error},
              {"bound_there", r.rounding.bound},
              {"share_of_bound", r.rounding.share()},
              {"worst", r.worst},
              {"without_sizes", r.without_sizes},
              {"endless", r.endless},
              {"missing", std::move(missing)}};
}

std::string percent(std::size_t part, std::size_t of) {
  return fmt::format("{:.2g}%", of ? 100.0 * static_cast<double>(part) / static_cast<double>(of) : 0.0);
}

std::string text_of_campaign(const Json& r) {
  std::string out = drawn_in(r) + " in " + show_seconds(r.at("seconds")) + "\n";
  if (r.at("endless") > 0)
    out += show_count(r.at("endless"), "input") + " did not end within the rounds of `while` allowed\n";
  for (const auto& [why, count] : r.at("without_text").items())
    out += show_count(count, "program") + " without a text for the target: " + why + "\n";
  if (r.at("compiled") == 0) return out;
  out += show_count(r.at("compiled"), "program") + " compiled";
  if (r.at("by_bound") > 0)
    out += fmt::format(", {} ({}) held to the error bound alone, as the target's functions are its own",
                       r.at("by_bound").dump(), percent(r.at("by_bound"), r.at("compiled")));
  const std::size_t bounded = r.at("bounded"), undecided = r.at("undecided");
  out += "; of " + show_count(bounded, "result") +
         fmt::format(", rounding leaves {} ({}) undecided; ", undecided, percent(undecided, bounded));
  if (r.at("bound_there") == 0.0) return out + "no float was rounded\n";
  return out + fmt::format("largest share of an error bound: {:.2g}% ({})\n", 100 * ratio_in(r.at("share_of_bound")),
                           r.at("worst").get<std::string>());
}

// The solver with a memory that begins anew now and then: that of a night's campaign would fill the machine's.
SizeSolver remembering_lately() {
  constexpr std::size_t many = 10'000;
  struct Memory {
    std::size_t asked = 0;
    SizeSolver solver;
  };
  return [memory = std::make_shared<Memory>()](const std::vector<SizeFact>& facts, const SizeFact& goal) {
    if (memory->asked++ % many == 0) memory->solver = remembering(proofs::z3_size_solver());
    return memory->solver(facts, goal);
  };
}

Sanitizer sanitizer_of(const Options& options) {
  const auto asked = sanitizer_named(options.sanitizer);
  if (!asked) return Sanitizer::None;
  if (const std::string why = unavailable(*asked); !why.empty())
    fail(machine, "--sanitizer " + options.sanitizer + " cannot run here: " + why);
  return *asked;
}

std::string wrong_in(const Json& r) {
  props::CampaignReport counts;
  counts.undecided = r.at("undecided"), counts.bounded = r.at("bounded");
  counts.by_bound = r.at("by_bound"), counts.with_text = r.at("compiled");
  if (counts.too_much_by_bound()) return "more than a fifth of the compiled programs are held to the error bound alone";
  if (!counts.too_undecided()) return "";
  return "too many are undecided; the first: " + r.at("first_undecided").get<std::string>();
}

}  // namespace

RandomPrograms dpia_programs(const Calculus& calculus) {
  RandomPrograms out{.language = "dpia", .fields = fields_of_report()};
  for (const Target& t : kernel_targets()) {
    if (t.cxx.source) out.targets.push_back(t.name);
    for (const Sanitizer x : t.cxx.sanitizers) out.sanitizers[t.name].push_back(show(x));
  }
  out.text = text_of_campaign, out.wrong = wrong_in;
  out.run = [&calculus](const props::CampaignPart& part, const Options& options) {
    props::CampaignOptions how;
    static_cast<props::CampaignPart&>(how) = part;
    how.limit = options.limit;
    how.calculus = &calculus;
    how.tools.languages = proofs::lawful_languages;
    how.solver = remembering_lately();
    if (const Target* target = find_target(options.target); target && target->cxx.source) how.target = target;
    how.sanitizer = sanitizer_of(options);
    const props::CampaignReport r = props::run_campaign(how);
    CampaignRan ran{r, json_of(r, calculus), r.statistics};
    ran.totals.compiled = r.with_text;
    return ran;
  };
  return out;
}

Said dpia_mutants(const Options& options) {
  constexpr std::size_t default_programs = 4000;  // random ones for each mutant
  const Stopwatch watch;
  std::vector<MutantRow> rows;
  const auto mine = tried_mutants(props::mutants(), props::mutant_families(), options,
                                  options.programs > 0 ? options.programs : default_programs, rows,
                                  [](const props::Sample& s) { return lockstep::print(s.program); });
  std::size_t without = 0;
  const auto alarm = props::false_alarm(mine, options.seed, most_random(rows), &without);
  return said_of(rows, alarm, without, watch.seconds(), options);
}

}  // namespace lockstep::driver
