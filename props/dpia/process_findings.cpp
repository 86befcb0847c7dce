// Reports of sanitizers, faults and signals as findings, each with the lines of the text that it names.
#include "props/dpia/process_findings.h"

#include <csignal>
#include <cstring>
#include <regex>
#include <sstream>

namespace lockstep::props {
namespace {

constexpr std::size_t lines_shown = 40, places_shown = 6;

// "NAME:12" as the text's line 12, in the order in which they are named, each once.
std::string places_in(const std::string& said, const CSource& text, const std::string& name) {
  const std::regex place("\\b" + name + ":([0-9]+)");
  std::set<std::size_t> seen;
  std::string out;
  for (std::sregex_iterator m(said.begin(), said.end(), place), end; m != end && seen.size() < places_shown; ++m) {
    const std::size_t line = std::stoul((*m)[1]);
    if (!seen.insert(line).second) continue;
    std::string words = line_of(text, line);
    words.erase(0, words.find_first_not_of(' '));
    out += "line " + std::to_string(line) + " of the text: " + words + "\n";
  }
  return out;
}

// The first report, from the line on that says what it is, and what it calls that.
struct Reported {
  std::string kind, text;
};
std::optional<Reported> report_in(const std::string& said) {
  static const std::regex head(
      "(?:(?:WARNING|ERROR|FATAL): (?:Thread|Address|Leak)Sanitizer:? |"
      "(?=Read-write data race|Write-write data race|Invalid |Uninitialized |Work-?group divergence|OCLGRIND ))"
      "([A-Za-z -]*[a-z])");
  std::smatch m;
  if (!std::regex_search(said, m, head)) return {};
  std::istringstream lines(said.substr(static_cast<std::size_t>(m.position())));
  const std::string kind = m[1];  // "heap-buffer-overflow on address"
  Reported out{kind.substr(0, kind.find(" on ")), ""};
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line) && count < lines_shown; ++count) out.text += line + "\n";
  return out;
}

}  // namespace

Finding finding_of(const BatchRun& run, Sanitizer sanitizer, double seconds, const CSource& text,
                   const std::string& name) {
  // Kernels of OpenCL know the lines of their file.
  static const std::regex by_oclgrind("At line ([0-9]+) (.*) of campaign_([0-9]+)\\.opencl\\.cpp");
  const std::string said = std::regex_replace(run.said, by_oclgrind, "At program_$3:$1 $2");
  if (const auto r = report_in(said); r && sanitizer != Sanitizer::None) {
    const std::string by = show(sanitizer) + (sanitizer == Sanitizer::Oclgrind ? "" : " sanitizer");
    Finding out{by, "", "", r->kind + "\n" + places_in(r->text, text, name) + r->text};
    out.rule = r->kind;
    return out;
  }
  if (!run.results.empty() && !run.results.back().fault.empty()) {
    const std::string& fault = run.results.back().fault;
    return {"fault", "", "",
            fault + "\n" + places_in(std::regex_replace(fault, std::regex("line "), name + ":"), text, name)};
  }
  if (run.late) return {"ends", "", "", "it does not end within " + std::to_string(static_cast<int>(seconds)) + " s"};
  const std::string how = run.signal ? "signal " + std::to_string(run.signal) + " (" + strsignal(run.signal) + ")"
                                     : "a status that is not 0";
  return {"ends", "", "", "the process ended by " + how + "\n" + run.said.substr(0, 2000)};
}

}  // namespace lockstep::props
