// Reports of campaigns as JSON, whatever the language: what each has, what is said of it, and the one way in which
// those of shards become one.
#pragma once
#include <functional>
#include <nlohmann/json.hpp>

#include "driver/report.h"
#include "props/engine/campaign.h"
#include "props/engine/statistics.h"

namespace lockstep::driver {

struct Options;

// How a field is joined with that of another shard.
enum class Join {
  Sum,       // a number, or an object of such: added
  Shares,    // {of: {what: {count, all}}}: added
  Common,    // a list of texts: those that are in both
  First,     // a text: the first that is not empty
  Worst,     // a ratio: the greater, and with it the fields that are of the same program
  EachWorst  // a list of objects with a name and a ratio: of each name so
};
struct ReportField {
  std::string name;
  Join join = Join::Sum;
  std::vector<std::string> with{};  // Worst: the fields; EachWorst: those of the name and of the ratio
};

// What came of some programs: what every campaign counts, and the language's own fields.
struct CampaignRan {
  props::CampaignTotals totals;
  Json own;
  props::Statistics statistics{};
};
// What a language gives for campaigns.
struct RandomPrograms {
  std::string language;
  std::vector<std::string> targets{};  // programs are compiled for one of them, the first where none is said
  std::map<std::string, std::vector<std::string>> sanitizers{};  // by target, under which its programs run too
  std::vector<ReportField> fields{};                             // those of its own
  std::function<CampaignRan(const props::CampaignPart& part, const Options&)> run{};
  std::function<std::string(const Json& report)> text{};                                  // of its fields, in lines
  std::function<std::string(const Json& report)> wrong = [](const Json&) { return ""; };  // beside failures; or ""
};

// A language's report.
Json report_of(const RandomPrograms& of, CampaignRan ran);
// "" where it is a report of that language; otherwise why not: "'inputs' is missing".
std::string unfit(const Json& report, const RandomPrograms& of);
// Adds one of other programs to a report. Both fit.
void join(Json& report, const Json& other, const RandomPrograms& of);
bool well(const Json& report, const RandomPrograms& of);
// "100 programs, 35 nodes on average, 268 inputs (15 traps)", of a report that has inputs and traps.
std::string drawn_in(const Json& report);
double ratio_in(const Json& field);  // JSON has no infinity: it is null there
// What was drawn, in shares, as --statistics prints it.
std::string text_of_shares(const Json& report);
// What failed, each with its program and how to repeat it, then the statistics.
std::string text_of(const Json& report, const RandomPrograms& of);

}  // namespace lockstep::driver
