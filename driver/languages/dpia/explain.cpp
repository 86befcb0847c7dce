// lockstep derive --explain: what becomes by itself of the loops whose order, or whose indices, have laws.
#include <nlohmann/json.hpp>

#include "driver/languages/dpia/derivation.h"
#include "driver/languages/dpia/dpia.h"
#include "driver/languages/dpia/laws.h"
#include "proofs/laws/compiling.h"
#include "proofs/laws/oracle.h"

namespace lockstep::driver {
namespace {

std::string_view became(LoopDecision::What what) {
  return what == LoopDecision::InBlocks      ? "in blocks"
         : what == LoopDecision::AnyGrouping ? "in one loop, in lanes and by threads"
         : what == LoopDecision::InOrder     ? "in order"
         : what == LoopDecision::ByRows      ? "all columns at a time, row by row"
         : what == LoopDecision::InTiles     ? "in tiles of rows and columns"
         : what == LoopDecision::Unmarked    ? "without marks"
                                             : "a mark for each place";
}
std::string by_itself(LoopDecision::What what) {
  return what == LoopDecision::AnyGrouping ? "every grouping of its elements has the same bits"
         : what == LoopDecision::ByRows || what == LoopDecision::InTiles
             ? "each sum in the order that is written: no law is needed"
         : what == LoopDecision::Unmarked ? "its indices are distinct, whatever the data are"
         : what == LoopDecision::Marked   ? "its indices are not known to be distinct: what occurs twice traps"
                                          : "";
}

// What does not hold while a program is compiled is asked again, for longer: for the values on which it does not.
rewriting::LawOracle telling(rewriting::LawOracle compiling) {
  return [compiling = std::move(compiling), all = proofs::law_oracle()](const rewriting::LawQuestion& q) {
    rewriting::LawAnswer answer = compiling(q);
    if (answer.holds) return answer;
    const rewriting::LawAnswer longer = all(q);
    answer.how =
        longer.holds ? "it may hold (" + longer.how + "), but compiling does not prove it at once" : longer.how;
    return answer;
  };
}

}  // namespace

int explain(const Options& options, const Calculus& calculus) {
  refuse_given(options, {"--strategy", "--replay", "--output", "--verify", "--rules", "--seed", "--inputs", "--limit"},
               "says nothing to --explain, which says what a program becomes without a strategy");
  if (options.program.empty()) fail(invalid, "a program is missing", "lockstep derive FILE[:FUN] --explain");
  const ProgramName name = program_name(options.program);
  const LoadedProgram loaded = load_program(name.file, calculus);
  const PhraseProgram& program = entry_point(loaded, name);
  const rewriting::LawOracle laws = telling(proofs::compiling_laws());
  std::vector<LoopDecision> all;
  const PhraseProgram whole = fused(program, loaded.calculus, {}, nullptr, laws);
  const PhraseProgram tiled = in_tiles(with_distinct_places(whole, loaded.calculus, &all), loaded.calculus, &all);
  reduced_in_blocks(tiled, loaded.calculus, nullptr, laws, &all);
  std::ranges::stable_sort(all, {}, [](const LoopDecision& d) { return d.at.begin; });

  Table table({"loop", "at", "what becomes of it"});
  Json loops = Json::array();
  std::string reasons;
  for (const LoopDecision& d : all) {
    table.row({d.loop, position(d.at), std::string(became(d.what))});
    Json relied = Json::array();
    std::string said;
    for (const rewriting::LawQuestion& q : d.laws) {
      const Claim c = claim_of(q, loaded.calculus);
      const std::string text = c.subject + " " + c.statement;
      if (std::ranges::find(relied, Json(text)) != relied.end()) continue;
      relied.push_back(text);
      said += "\n  " + text;
    }
    const std::string why = d.why.empty() ? by_itself(d.what) : d.why;
    if (!why.empty()) said += "\n  " + why;
    reasons += "\n" + d.loop + (position(d.at).empty() ? "" : " at " + position(d.at)) + said + "\n";
    loops.push_back({{"loop", d.loop},
                     {"at", d.at.source ? Json(position(d.at)) : Json()},
                     {"becomes", became(d.what)},
                     {"laws", std::move(relied)},
                     {"why", why}});
  }
  if (options.json)
    print(Json{{"language", "dpia"}, {"function", program.name}, {"loops", std::move(loops)}});
  else
    print(all.empty() ? "no reduce, scan, permute or scatter\n" : table.text(on_terminal(1)) + reasons);
  return done;
}

}  // namespace lockstep::driver
