// What became of every array operation and those that go over what it makes; the modes of fusion.
#include "driver/languages/l0/l0.h"
#include "semantics/core/table.h"
#include "translate/l0/pipeline.h"

namespace lockstep::driver {
namespace {

struct CaseRow {
  std::string_view number;  // Fig. 9, or the condition of l0.md §2
  std::string_view why, mend;
};
constexpr auto case_rows = table<fusion::Case, CaseRow>(
    {{fusion::Case::Consumed,
      {"1", "what it reads is consumed on the way", "consume a copy, or let the consumer come before"}},
     {fusion::Case::Combination,
      {"2", "no rule fuses these two", "a filter goes into filters, and into reductions of what it gives alone"}},
     {fusion::Case::Repeated,
      {"3", "it would be computed again in every call or round", "move the consumer out of the function or loop"}},
     {fusion::Case::SamePath,
      {"4", "two consumers on one path would both compute it", "make them one operation that gives both results"}},
     {fusion::Case::OtherUse,
      {"5", "it is used here otherwise than by going over it", "let no index, update or result want the array"}},
     {fusion::Case::Siblings,
      {"6", "two consumers go over arrays that are made together", "make the consumers one operation"}},
     {fusion::Case::RowConsumed,
      {"(5)", "the consumer consumes rows that are not its own", "consume a copy of the row"}},
     {fusion::Case::LostCheck,
      {"(6)", "a trap, or a check that rows are regular, would be lost",
       "let rows have a shape that no element decides, and a branch no operation that traps"}},
     {fusion::Case::LengthAsked, {"(7)", "how much a filter leaves is asked for", "count what passes by a reduction"}},
     {fusion::Case::NoRule,
      {"no rule", "scans have no rules, nor what a reduction gives", "nothing is to be mended in the program"}}});

Json position_json(const Region& at) { return at.source ? Json(position(at)) : Json(); }

}  // namespace

l0::FusionMode fusion_mode(const std::string& option) {
  if (option == "off") return l0::FusionMode::Off;
  return option == "paper" ? l0::FusionMode::Paper : l0::FusionMode::Full;
}

Said fusions(const L0File& file, const l0::Function& entry, const Options& options) {
  const l0::Fusions all = l0::fusions_of({file.program, entry.name}, fusion_mode(options.fusion));
  Table table({"producer", "at", "consumer", "at", "what became of it"});
  Json pairs = Json::array();
  std::string mends;
  for (const l0::FusionDecision& d : all.decisions) {
    const CaseRow* row = d.obstacle ? &case_rows[d.obstacle->why] : nullptr;
    table.row({d.producer, position(d.producer_at), d.consumer, position(d.consumer_at),
               row ? "not fused, case " + std::string(row->number) : "fused by " + d.rule});
    if (row)
      mends += d.producer + " → " + d.consumer + ": " + std::string(row->why) +
               (position(d.obstacle->at).empty() ? "" : " (" + position(d.obstacle->at) + ")") +
               "\n  help: " + std::string(row->mend) + "\n";
    pairs.push_back({{"producer", d.producer},
                     {"producer_at", position_json(d.producer_at)},
                     {"consumer", d.consumer},
                     {"consumer_at", position_json(d.consumer_at)},
                     {"fused", !row},
                     {"rule", row ? Json() : Json(d.rule)},
                     {"case", row ? Json(row->number) : Json()},
                     {"blocked_by", row ? position_json(d.obstacle->at) : Json()},
                     {"mend", row ? Json(row->mend) : Json()}});
  }
  Json counts = Json::object();
  std::string summary;
  for (const auto& [rule, n] : all.counts()) {
    counts[rule] = n;
    summary += (summary.empty() ? "" : ", ") + rule + " " + std::to_string(n);
  }
  const std::string head =
      pairs.empty() ? "no array operation goes over what another makes\n" : table.text(on_terminal(1));
  return {
      head + (mends.empty() ? "" : "\n" + mends) + (summary.empty() ? "" : "\n" + summary + "\n"),
      Json{{"language", "l0"}, {"function", entry.name}, {"fusions", std::move(pairs)}, {"counts", std::move(counts)}}};
}

}  // namespace lockstep::driver
