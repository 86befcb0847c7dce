// Campaigns of .snesl: random programs through every stage, and planted mistakes.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "driver/campaign_reports.h"
#include "driver/languages/snesl/snesl.h"
#include "driver/mutants.h"
#include "props/engine/mutants.h"
#include "props/snesl/mutants.h"
#include "semantics/snesl/parse.h"

namespace lockstep::driver {
namespace {

namespace stream = props::stream;

Json json_of(const stream::CampaignReport& r) {
  Json missing = Json::array(), theorems = Json::array();
  for (const std::string& m : r.coverage.missing()) missing.push_back(m);
  for (std::size_t b = 0; b < stream::bounds; ++b) {
    const stream::Ratio& x = r.counts.ratios[b];
    theorems.push_back({{"bound", stream::name_of(static_cast<stream::Bound>(b))},
                        {"largest", x.largest},
                        {"c", stream::fixed_constant(static_cast<stream::Bound>(b))},
                        {"measured", x.measured},
                        {"cost", x.cost},
                        {"program", x.program},
                        {"input", x.input}});
  }
  return Json{{"inputs", r.counts.inputs},
              {"traps", r.counts.traps},
              {"runs", r.counts.runs},
              {"streamable", r.counts.accepted},
              {"refused", r.counts.refused},
              {"reals", r.counts.reals},
              {"reals_of_wide_bound", r.counts.wide},
              {"undecided_inputs", r.counts.undecided},
              {"share_of_bound", r.counts.rounding.share()},
              {"compiled_runs", r.engine.runs},
              {"missing", std::move(missing)},
              {"theorems", std::move(theorems)}};
}

std::string text_of_campaign(const Json& r) {
  const auto count = [&](const char* name) { return r.at(name).get<std::size_t>(); };
  Table table({"theorem of chapter 5", ">largest c found", ">c allowed"});
  for (const Json& t : r.at("theorems"))
    table.row({t.at("bound").get<std::string>(), fmt::format("{:.2f}", ratio_in(t.at("largest"))),
               fmt::format("{}", t.at("c").get<double>())});
  std::string out = table.text(on_terminal(1)) + "\n";
  out += fmt::format("{}, {} streamable, {} refused, {} in {}\n", drawn_in(r), count("streamable"), count("refused"),
                     show_count(count("runs"), "run"), show_seconds(r.at("seconds")));
  if (count("reals") > 0)
    out += fmt::format(
        "{} of results lie within the error that any order of their operations has, at worst at {:.2g} "
        "of it; {} have one that is wider than they are, {} undecided\n",
        show_count(count("reals"), "Real"), ratio_in(r.at("share_of_bound")), count("reals_of_wide_bound"),
        show_count(count("undecided_inputs"), "input"));
  if (count("compiled") > 0)
    out += fmt::format("{} compiled for the engine, {} on it\n", show_count(count("compiled"), "program"),
                       show_count(count("compiled_runs"), "run"));
  return out;
}

}  // namespace

Said streaming_mutants(const Options& options) {
  return said_of_mutants(
      stream::mutants(), stream::mutant_families(), options, 500,
      [](const stream::GeneratedProgram& p) { return snesl::print(p.program); },
      [](const auto& directed, std::uint64_t seed, std::size_t n) { return stream::false_alarm(directed, seed, n); });
}

RandomPrograms streaming_programs(const stream::Toolchain& tools) {
  RandomPrograms out{.language = "snesl",
                     .targets = {"engine"},
                     .fields = {{"inputs"},
                                {"traps"},
                                {"runs"},
                                {"streamable"},
                                {"refused"},
                                {"reals"},
                                {"reals_of_wide_bound"},
                                {"undecided_inputs"},
                                {"share_of_bound", Join::Worst},
                                {"compiled_runs"},
                                {"missing", Join::Common},
                                {"theorems", Join::EachWorst, {"bound", "largest"}}}};
  out.text = text_of_campaign;
  out.run = [tools](const props::CampaignPart& part, const Options&) {
    stream::CampaignOptions how;
    how.tools = tools;
    static_cast<props::CampaignPart&>(how) = part;
    const stream::CampaignReport r = stream::run_campaign(how);
    CampaignRan ran{r, json_of(r), r.counts.statistics};
    ran.totals.compiled = r.engine.programs;  // those that stream
    return ran;
  };
  return out;
}

}  // namespace lockstep::driver
