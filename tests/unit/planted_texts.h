// Campaigns on a target of texts for devices: random programs and programs of one's own, with a mistake planted in a
// text.
#pragma once
#include "props/dpia/campaign.h"
#include "tests/unit/device_program.h"

namespace lockstep::test {

using TextOf = std::function<std::string(const AnyProgram&)>;  // of a host program

// "line 57 of the text", where `what` first stands after `after`.
inline std::string line_of(const std::string& text, const std::string& what, const std::string& after = "") {
  const std::size_t at = text.find(what, text.find(after));
  if (at == std::string::npos) throw std::runtime_error("the text has no '" + what + "'");
  return "line " + std::to_string(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) +
         " of the text";
}

inline props::CampaignOptions on_target(const std::string& target, Sanitizer sanitizer) {
  props::CampaignOptions o;
  o.target = find_target(target);
  o.sanitizer = sanitizer;
  o.folder = "";
  return o;
}
inline std::vector<std::optional<props::Finding>> found_in(const std::vector<const char*>& programs,
                                                           const props::CampaignOptions& o,
                                                           props::CampaignReport& report) {
  std::vector<props::BatchProgram> batch;
  for (const char* p : programs) batch.push_back({entry(p), 5, batch.size()});
  return check_compiled(batch, o, calculus(), report);
}

// One mistake, in the text of the second of several programs.
struct Planted {
  std::vector<std::optional<props::Finding>> all;
  std::optional<props::Finding> finding;  // of that program
  std::string text;
};
inline Planted planted(const std::vector<const char*>& programs, props::CampaignOptions o, const TextOf& text_of,
                       const std::string& what, const std::string& by, props::CampaignReport& report) {
  Planted out;
  o.tools.compiled = [&](const AnyProgram& p) {
    std::string text = text_of(p);
    if (p.as<host::Program>().of.name == "campaign_1") text = out.text = replaced(std::move(text), what, by);
    return in_parts(text);
  };
  out.all = found_in(programs, o, report);
  out.finding = out.all.at(1);
  return out;
}

inline std::string all_failures(const props::CampaignReport& r) {
  std::string out;
  for (const props::CampaignFailure& f : r.failures)
    out += f.finding.property + ": " + f.finding.detail + "\n" + f.text + "\n";
  return out;
}

}  // namespace lockstep::test
