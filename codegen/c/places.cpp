// Lines of a text and what they are of (places.h).
#include "codegen/c/places.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace lockstep {

static std::string of_source(const TextPlace& p) {
  return p.source.source ? ", of " + show_position(p.source) : std::string();
}

std::string writer_of(const std::vector<TextPlace>& places, const std::string& array) {
  const auto last = std::find_if(places.rbegin(), places.rend(), [&](const TextPlace& p) { return p.stores == array; });
  if (last == places.rend()) return "";
  return (last->kernel.empty() ? "" : last->kernel + ", ") + "line " + std::to_string(last->line) + " of the text" +
         of_source(*last);
}

std::vector<TextPlace> moved_to(std::vector<TextPlace> places, std::size_t lines) {
  for (TextPlace& p : places) p.line += lines;
  return places;
}

std::string with_sources(std::string said, const std::vector<TextPlace>& places, const std::string& before) {
  if (before.empty()) return said;
  std::set<std::size_t> lines;
  const auto note = [&](const std::string& words) {
    for (std::size_t at = said.find(words); at != std::string::npos; at = said.find(words, at + 1)) {
      std::size_t line = 0;
      const char* const from = said.data() + at + words.size();
      if (std::from_chars(from, said.data() + said.size(), line).ec == std::errc()) lines.insert(line);
    }
  };
  note(before);
  if (before.ends_with(':')) note(before.substr(0, before.size() - 1) + "(");
  std::string out;
  for (const std::size_t line : lines) {
    // The statement that begins there, or the last before it.
    const TextPlace* found = nullptr;
    for (const TextPlace& p : places)
      if (p.line <= line && (!found || p.line >= found->line)) found = &p;
    if (!found || !found->source.source) continue;
    out += "\nline " + std::to_string(line) + " of the text is " + (found->kernel.empty() ? "" : found->kernel + "'s") +
           of_source(*found);
  }
  while (!out.empty() && said.ends_with('\n')) said.pop_back();
  return said + out;
}

}  // namespace lockstep
