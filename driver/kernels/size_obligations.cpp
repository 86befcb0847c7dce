// In: what the sizes of a program owe, and where that stands; out: JSON, a line, a table.
#include "driver/kernels/size_obligations.h"

#include <nlohmann/json.hpp>

namespace lockstep::driver {

Json json_of(const SizeObligation& o) {
  Json j{{"definition", o.definition},
         {"origin", o.origin},
         {"obligation", show(o.goal)},
         {"verdict", std::string(show(o.verdict))}};
  Json facts = Json::array();
  for (const SizeFact& f : o.facts) facts.push_back(show(f));
  j["facts"] = std::move(facts);
  j["where"] = show_position(o.region);
  j["seconds"] = o.seconds;
  if (!o.counterexample.empty()) j["counterexample"] = o.counterexample;
  return j;
}

std::string summary_of(const std::vector<SizeObligation>& obligations) {
  if (obligations.empty()) return "no size obligations";
  std::map<Verdict, std::size_t> counts;
  for (const SizeObligation& o : obligations) ++counts[o.verdict];
  std::string out = show_count(obligations.size(), "size obligation") + ": ";
  bool first = true;
  for (const auto& [verdict, n] : counts) {
    out += (first ? "" : ", ") + std::to_string(n) + " " + std::string(show(verdict));
    first = false;
  }
  return out;
}

Table table_of(const std::vector<SizeObligation>& obligations, bool with_time) {
  Table table({"definition", "obligation", "from", "verdict", "where", with_time ? ">time" : ""});
  for (const SizeObligation& o : obligations) {
    const bool good = o.verdict == Verdict::Normalised || o.verdict == Verdict::Solved;
    table.row({o.definition,
               shortened(show(o.goal), 60),
               shortened(o.origin, 40),
               {std::string(show(o.verdict)), good ? Tone::Good : Tone::Bad},
               show_position(o.region),
               with_time ? show_seconds(o.seconds) : ""});
  }
  return table;
}

}  // namespace lockstep::driver
