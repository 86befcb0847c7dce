// Pairs as a table, and what would mend those that stay.
#include "driver/kernels/fusions.h"

#include <nlohmann/json.hpp>

#include "driver/report.h"

namespace lockstep::driver {
namespace {

Json position_json(const Region& at) { return at.source ? Json(position(at)) : Json(); }

}  // namespace

Said fusions_said(const std::string& language, const std::string& function, const std::vector<fusion::Decision>& all,
                  const CaseRows& rows) {
  Table table({"producer", "at", "consumer", "at", "what became of it"});
  Json pairs = Json::array();
  std::string mends;
  for (const fusion::Decision& d : all) {
    const CaseRow* row = d.obstacle ? &rows[d.obstacle->why] : nullptr;
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
  for (const auto& [rule, n] : fusion::counts(all)) {
    counts[rule] = n;
    summary += (summary.empty() ? "" : ", ") + rule + " " + std::to_string(n);
  }
  const std::string head =
      pairs.empty() ? "no array operation goes over what another makes\n" : table.text(on_terminal(1));
  return {head + (mends.empty() ? "" : "\n" + mends) + (summary.empty() ? "" : "\n" + summary + "\n"),
          Json{{"language", language},
               {"function", function},
               {"fusions", std::move(pairs)},
               {"counts", std::move(counts)}}};
}

}  // namespace lockstep::driver
