// What a campaign's report has, and joining two.
#include "driver/campaign_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "props/engine/side_by_side.h"

namespace lockstep::driver {
namespace {

const std::vector<ReportField>& of_every_language() {
  static const std::vector<ReportField> it{
      {"programs"}, {"nodes"}, {"compiled"}, {"statistics", Join::Shares}, {"seconds"}};
  return it;
}
constexpr const char* texts_of_failure[] = {"property", "stage", "input",   "detail", "text",
                                            "before",   "after", "command", "file"};

Json json_of(const std::vector<props::CampaignFailure>& failures) {
  Json out = Json::array();
  for (const props::CampaignFailure& f : failures)
    out.push_back({{"property", f.finding.property},
                   {"stage", f.finding.stage},
                   {"input", f.finding.input},
                   {"detail", f.finding.detail},
                   {"program", f.program},
                   {"nodes", f.nodes},
                   {"text", f.text},
                   {"before", f.finding.before},
                   {"after", f.finding.after},
                   {"command", f.command},
                   {"file", f.file}});
  return out;
}

Json json_of(const props::Statistics& statistics) {
  Json out = Json::object();
  for (const auto& [of, all] : statistics.shares())
    for (const auto& [what, s] : all) out[of][what] = {{"count", s.count}, {"all", s.all}};
  return out;
}

std::string said(const Json& j, const char* name) { return j.at(name).get<std::string>(); }

std::string text_of_failures(const Json& failures) {
  std::string out;
  for (const Json& f : failures) {
    out += "program " + f.at("program").dump() + " fails: " + said(f, "property") +
           (said(f, "stage").empty() ? "" : ", at " + said(f, "stage")) + "\n";
    if (!said(f, "input").empty()) out += "  on " + said(f, "input") + "\n";
    out += "  " + said(f, "detail") + "\n\n" + said(f, "text") + "\n";
    if (!said(f, "after").empty())
      out += props::side_by_side(said(f, "before"), said(f, "after"), terminal_columns()) + "\n";
    out +=
        "  again: " + said(f, "command") + (said(f, "file").empty() ? "" : "; written to " + said(f, "file")) + "\n\n";
  }
  return out;
}

bool is_ratio(const Json& j) { return j.is_number() || j.is_null(); }

bool is_text(const Json& j) { return j.is_string(); }
bool is_count(const Json& j) {
  if (j.is_object()) return std::all_of(j.begin(), j.end(), is_count);
  return j.is_number() && j.get<double>() >= 0;
}
bool is_list(const Json& j, const std::function<bool(const Json&)>& of) {
  return j.is_array() && std::all_of(j.begin(), j.end(), of);
}
bool is_share(const Json& j) {
  return j.is_object() && j.size() == 2 && j.contains("count") && j.contains("all") &&
         j.at("count").is_number_unsigned() && j.at("all").is_number_unsigned() && j.at("count") <= j.at("all");
}
bool are_shares(const Json& j) {
  return j.is_object() && std::all_of(j.begin(), j.end(), [](const Json& of) {
           return of.is_object() && std::all_of(of.begin(), of.end(), is_share);
         });
}
bool is_failure(const Json& j) {
  return j.is_object() && j.contains("program") && j.at("program").is_number_unsigned() &&
         std::all_of(std::begin(texts_of_failure), std::end(texts_of_failure),
                     [&](const char* name) { return j.contains(name) && j.at(name).is_string(); });
}

std::string unfit(const Json& report, const ReportField& f) {
  for (const std::string& name : f.join == Join::Worst ? f.with : std::vector<std::string>{})
    if (!report.contains(name)) return "'" + name + "' is missing";
  if (!report.contains(f.name)) return "'" + f.name + "' is missing";
  const Json& j = report.at(f.name);
  switch (f.join) {
    case Join::Sum:
      return is_count(j) ? "" : "'" + f.name + "' is no count";
    case Join::Shares:
      return are_shares(j) ? "" : "'" + f.name + "' is nothing in shares";
    case Join::Common:
      return is_list(j, is_text) ? "" : "'" + f.name + "' is no list of texts";
    case Join::First:
      return is_text(j) ? "" : "'" + f.name + "' is no text";
    case Join::Worst:
      return is_ratio(j) ? "" : "'" + f.name + "' is no number";
    case Join::EachWorst:
      return is_list(j,
                     [&](const Json& e) {
                       return e.is_object() && e.contains(f.with[0]) && is_text(e.at(f.with[0])) &&
                              e.contains(f.with[1]) && is_ratio(e.at(f.with[1]));
                     })
                 ? ""
                 : "'" + f.name + "' is no list of ratios";
  }
  throw Bug("a field that is joined in no way");
}

void add(Json& sum, const Json& more) {
  if (more.is_object())
    for (const auto& [name, n] : more.items()) sum.contains(name) ? add(sum[name], n) : void(sum[name] = n);
  else if (sum.is_number_unsigned() && more.is_number_unsigned())
    sum = sum.get<std::uint64_t>() + more.get<std::uint64_t>();
  else
    sum = sum.get<double>() + more.get<double>();
}

void keep_common(Json& list, const Json& other) {
  Json both = Json::array();
  for (const Json& e : list)
    if (std::find(other.begin(), other.end(), e) != other.end()) both.push_back(e);
  list = std::move(both);
}

void keep_worst_of_each(Json& list, const Json& other, const ReportField& f) {
  for (const Json& theirs : other) {
    const auto mine =
        std::find_if(list.begin(), list.end(), [&](const Json& e) { return e.at(f.with[0]) == theirs.at(f.with[0]); });
    if (mine == list.end())
      list.push_back(theirs);
    else if (ratio_in(theirs.at(f.with[1])) > ratio_in(mine->at(f.with[1])))
      *mine = theirs;
  }
}

void join(Json& report, const Json& other, const ReportField& f) {
  Json& mine = report[f.name];
  const Json& theirs = other.at(f.name);
  switch (f.join) {
    case Join::Sum:
      return add(mine, theirs);
    case Join::Shares:
      add(mine, theirs);
      mine = mine.get<std::map<std::string, std::map<std::string, Json>>>();  // in order, as of the whole
      return;
    case Join::Common:
      return keep_common(mine, theirs);
    case Join::First:
      if (mine.get<std::string>().empty()) mine = theirs;
      return;
    case Join::Worst:
      if (ratio_in(theirs) <= ratio_in(mine)) return;
      mine = theirs;
      for (const std::string& name : f.with) report[name] = other.at(name);
      return;
    case Join::EachWorst:
      return keep_worst_of_each(mine, theirs, f);
  }
}

}  // namespace

double ratio_in(const Json& field) {
  return field.is_null() ? std::numeric_limits<double>::infinity() : field.get<double>();
}

std::string drawn_in(const Json& report) {
  const std::size_t programs = report.at("programs"), nodes = report.at("nodes");
  return show_count(programs, "program") + ", " + std::to_string(programs > 0 ? nodes / programs : 0) +
         " nodes on average, " + show_count(report.at("inputs"), "input") + " (" + report.at("traps").dump() +
         " traps)";
}

bool well(const Json& report, const RandomPrograms& of) {
  return report.at("failures").empty() && of.wrong(report).empty();
}

Json report_of(const RandomPrograms& of, CampaignRan ran) {
  const props::CampaignTotals& totals = ran.totals;
  Json out{{"ok", true}, {"language", of.language}, {"programs", totals.programs}, {"nodes", totals.nodes}};
  out["compiled"] = totals.compiled;
  for (auto& [name, value] : ran.own.items()) out[name] = std::move(value);
  out["statistics"] = json_of(ran.statistics);
  out["seconds"] = totals.seconds;
  out["failures"] = json_of(totals.failures);
  // A field that is not listed could not be joined.
  if (const std::string why = unfit(out, of); !why.empty()) throw Bug("a report of ." + of.language + ": " + why);
  out["ok"] = well(out, of);
  return out;
}

std::string unfit(const Json& report, const RandomPrograms& of) {
  std::vector<std::string> known{"ok", "language", "failures"};
  for (const auto* fields : {&of_every_language(), &of.fields})
    for (const ReportField& f : *fields) {
      if (std::string why = unfit(report, f); !why.empty()) return why;
      known.push_back(f.name);
      if (f.join == Join::Worst) known.insert(known.end(), f.with.begin(), f.with.end());
    }
  for (const auto& [name, value] : report.items())
    if (std::find(known.begin(), known.end(), name) == known.end())
      return "'" + name + "' is nothing that is said of ." + of.language;
  if (!report.contains("failures") || !is_list(report.at("failures"), is_failure))
    return "'failures' lists no failures";
  return "";
}

void join(Json& report, const Json& other, const RandomPrograms& of) {
  for (const auto* fields : {&of_every_language(), &of.fields})
    for (const ReportField& f : *fields) join(report, other, f);
  Json& failures = report["failures"];
  for (const Json& f : other.at("failures")) failures.push_back(f);
  std::stable_sort(failures.begin(), failures.end(),
                   [](const Json& a, const Json& b) { return a.at("program") < b.at("program"); });
  report["ok"] = well(report, of);
}

std::string text_of_shares(const Json& report) {
  Table table({"of", "", ">how many", ">of", ">share"});
  for (const auto& [of, all] : report.at("statistics").items())
    for (const auto& [what, j] : all.items()) {
      const props::Share s{j.at("count"), j.at("all")};
      table.row({of, what, std::to_string(s.count), std::to_string(s.all), fmt::format("{:.1f}%", 100 * s.part())});
    }
  return table.text(on_terminal(1)) + "\n";
}

std::string text_of(const Json& report, const RandomPrograms& of) {
  const Json& failures = report.at("failures");
  const std::string wrong = of.wrong(report);
  return text_of_failures(failures) + of.text(report) + (wrong.empty() ? "" : wrong + "\n") +
         (failures.empty() ? "no failure" : show_count(failures.size(), "failure")) + "\n";
}

}  // namespace lockstep::driver
