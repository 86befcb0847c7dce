// Documents of campaigns: made, read, joined.
#include "driver/campaign_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "codegen/runtime/build_id.h"

namespace lockstep::driver {
namespace {

// Of the header, in the order in which a difference is named; `shard` lists those whose programs it is of.
constexpr const char* same_in_all[] = {"languages", "seed",    "programs", "compiled", "limit", "target",
                                       "sanitizer", "minutes", "shards",   "lockstep", "build"};

// One language's report stands beside the header; those of several are a list.
std::vector<Json> reports_in(const Json& document) {
  if (document.contains("reports")) return document.at("reports").get<std::vector<Json>>();
  Json report = document;
  report.erase("campaign");
  return {std::move(report)};
}

Json document_of(Json header, std::vector<Json> reports) {
  const bool ok = std::all_of(reports.begin(), reports.end(), [](const Json& r) { return r.at("ok").get<bool>(); });
  Json out{{"ok", ok}, {"campaign", std::move(header)}};
  if (reports.size() == 1)
    for (auto& [name, value] : reports.front().items()) out[name] = std::move(value);
  else
    out["reports"] = std::move(reports);
  return out;
}

// Programs of a language, by its place among them.
std::size_t of_language(std::size_t programs, std::size_t language, std::size_t languages) {
  return props::programs_of_shard(programs, language + 1, languages);
}

bool is_whole(const Json& j) { return j.is_number_unsigned(); }
bool is_known(const char* name, const Json& j) {
  const std::string_view is = name;
  if (is == "languages")
    return j.is_array() && !j.empty() && std::all_of(j.begin(), j.end(), [](const Json& l) { return l.is_string(); });
  if (is == "lockstep" || is == "build" || is == "target" || is == "sanitizer") return j.is_string();
  if (is == "minutes") return j.is_null() || j.is_number();
  return is_whole(j);
}

struct FromFile {
  std::string name;
  Json header;
  std::vector<Json> reports;
  std::vector<std::size_t> shards() const { return header.at("shard").get<std::vector<std::size_t>>(); }
};

[[noreturn]] void refuse(const std::string& file, const std::string& why, const std::string& help = "") {
  fail(invalid, file + " " + why, help);
}

Json parsed(const std::string& file) {
  const std::string text = read_source(file), help = "run its shard again";
  if (text.find_first_not_of(" \n") == std::string::npos)
    refuse(file, "is empty: its shard did not come to its end", help);
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& e) {
    if (e.byte > text.size()) refuse(file, "is cut short: it ends within a report", help);
    refuse(file, "is no JSON: " + std::string(e.what()));
  }
}

Json header_in(const Json& document, const std::string& file) {
  const std::string help = "'lockstep campaign --shard i/k --json' prints one";
  if (!document.is_object()) refuse(file, "is no report of a campaign", help);
  if (document.contains("mutants")) refuse(file, "is a report of --mutants, and those are not joined", help);
  if (document.contains("errors") && document.contains("status"))
    refuse(file, "holds an error in place of a report: " + document.at("errors").dump(), "run its shard again");
  if (!document.contains("campaign") || !document.at("campaign").is_object())
    refuse(file, "is no report of a campaign", help);
  const Json& header = document.at("campaign");
  for (const char* name : same_in_all)
    if (!header.contains(name) || !is_known(name, header.at(name)))
      refuse(file, std::string("does not say of what campaign it is: its '") + name + "' is missing, or is nothing");
  const Json shard = header.value("shard", Json());
  const std::uint64_t all = header.at("shards");
  if (!shard.is_array() || shard.empty() ||
      !std::all_of(shard.begin(), shard.end(), [&](const Json& i) { return is_whole(i) && i >= 1U && i <= all; }))
    refuse(file, "does not say of which shard it is");
  return header;
}

// A report that has fewer programs than were asked for ended early; what ends one is a failure, or --minutes.
void check_count(const FromFile& f, std::size_t language) {
  const Json& report = f.reports[language];
  const std::size_t all = of_language(f.header.at("programs"), language, f.reports.size());
  std::size_t asked = 0;
  for (const std::size_t i : f.shards()) asked += props::programs_of_shard(all, i, f.header.at("shards"));
  const std::size_t has = report.at("programs");
  const bool may_end = !f.header.at("minutes").is_null() || !report.at("failures").empty();
  if (has > asked || (has < asked && !may_end))
    refuse(f.name, "has " + std::to_string(has) + " programs of ." + report.at("language").get<std::string>() +
                       ", not the " + std::to_string(asked) + " of its shard");
}

FromFile read(const std::string& file, const Languages& languages) {
  const Json document = parsed(file);
  FromFile out{file, header_in(document, file), {}};
  const Json& names = out.header.at("languages");
  if (document.contains("reports") && !document.at("reports").is_array()) refuse(file, "has no list of reports");
  out.reports = reports_in(document);
  if (out.reports.size() != names.size())
    refuse(file, "has " + show_count(out.reports.size(), "report") + ", not one for each language");
  for (std::size_t k = 0; k < names.size(); ++k) {
    const Json& report = out.reports[k];
    const RandomPrograms of = frontend_named(languages, names[k]).random_programs();
    if (!report.is_object() || report.value("language", Json()) != names[k])
      refuse(file, "has no report of ." + of.language + " in its place");
    if (const std::string why = unfit(report, of); !why.empty()) refuse(file, "is no report of this version: " + why);
    if (report.value("ok", Json()) != well(report, of))
      refuse(file, "says of itself another outcome than its failures do");
  }
  return out;
}

// Each shard once, and all of them of one campaign.
void check_together(const std::vector<FromFile>& all) {
  const FromFile& first = all.front();
  for (const FromFile& f : all)
    for (const char* name : same_in_all)
      if (f.header.at(name) != first.header.at(name))
        refuse(f.name, fmt::format("is of another campaign than {}: its {} is {}, there {}", first.name, name,
                                   f.header.at(name).dump(), first.header.at(name).dump()));
  const std::size_t shards = first.header.at("shards");
  std::vector<const FromFile*> of(shards, nullptr);
  for (const FromFile& f : all)
    for (const std::size_t i : f.shards()) {
      if (of[i - 1])
        refuse(f.name, fmt::format("and {} are both of shard {} of {}", of[i - 1]->name, i, shards), "give each once");
      of[i - 1] = &f;
    }
  const auto missing = std::find(of.begin(), of.end(), nullptr);
  if (missing != of.end())
    fail(invalid,
         fmt::format("the report of shard {} of {} is missing{}", missing - of.begin() + 1, shards,
                     std::count(of.begin(), of.end(), nullptr) > 1 ? ", among others" : ""),
         "what is joined is a whole campaign: give the files of all its shards");
}

}  // namespace

props::CampaignPart CampaignAsked::part(std::size_t language) const {
  props::CampaignPart out;
  out.programs = of_language(programs, language, languages.size());
  out.compiled_programs = of_language(compiled, language, languages.size());
  out.seed = seed;
  if (minutes) out.minutes = *minutes / static_cast<double>(languages.size());
  return out;
}

Json document_of(const CampaignAsked& asked, std::size_t shard, std::size_t shards, std::vector<Json> reports) {
  Json names = Json::array();
  for (const Frontend* f : asked.languages) names.push_back(f->name());
  return document_of(Json{{"languages", std::move(names)},
                          {"seed", asked.seed},
                          {"programs", asked.programs},
                          {"compiled", asked.compiled},
                          {"limit", asked.limit},
                          {"target", asked.target},
                          {"sanitizer", asked.sanitizer},
                          {"minutes", asked.minutes ? Json(*asked.minutes) : Json(nullptr)},
                          {"shards", shards},
                          {"shard", Json::array({shard})},
                          {"lockstep", version},
                          {"build", build_id()}},
                     std::move(reports));
}

bool well(const Json& document) { return document.at("ok"); }

std::string text_of(const Json& document, const Languages& languages, bool statistics) {
  const Json& header = document.at("campaign");
  const std::vector<Json> reports = reports_in(document);
  const std::size_t shards = header.at("shard").size(), compiled = header.at("compiled");
  std::string out;
  if (shards > 1 || reports.size() > 1)
    out = fmt::format("seed {}, {}{}{}\n", header.at("seed").dump(), show_count(header.at("programs"), "program"),
                      compiled > 0 ? fmt::format(", {} of them compiled too", compiled) : "",
                      shards > 1 ? fmt::format("; {} joined, their times added", show_count(shards, "shard")) : "");
  for (const Json& r : reports) {
    const std::string name = r.at("language");
    if (reports.size() > 1) out += "\n." + name + "\n";
    if (statistics) out += text_of_shares(r);
    out += text_of(r, frontend_named(languages, name).random_programs());
  }
  return out;
}

Json joined_documents(const std::vector<std::string>& files, const Languages& languages) {
  std::vector<FromFile> all;
  for (const std::string& file : files) all.push_back(read(file, languages));
  check_together(all);
  for (const FromFile& f : all)
    for (std::size_t k = 0; k < f.reports.size(); ++k) check_count(f, k);
  std::sort(all.begin(), all.end(), [](const FromFile& a, const FromFile& b) { return a.shards() < b.shards(); });
  FromFile out = std::move(all.front());
  for (std::size_t k = 1; k < all.size(); ++k)
    for (std::size_t r = 0; r < out.reports.size(); ++r)
      join(out.reports[r], all[k].reports[r],
           frontend_named(languages, out.header.at("languages")[r]).random_programs());
  out.header["shard"] = Json::array();
  for (std::size_t i = 1; i <= out.header.at("shards"); ++i) out.header["shard"].push_back(i);
  return document_of(std::move(out.header), std::move(out.reports));
}

}  // namespace lockstep::driver
