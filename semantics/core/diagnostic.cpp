// Rendering of diagnostics and traps, and the nearest known name.
#include "semantics/core/diagnostic.h"

#include <algorithm>
#include <numeric>

#include "semantics/core/position.h"

namespace lockstep {
namespace {

// Where the lines of a source begin. Many diagnostics are of one source, so those of the last one asked for are kept.
const std::vector<std::size_t>& lines_of(const SourceRef& source) {
  thread_local std::weak_ptr<const Source> last;
  thread_local std::vector<std::size_t> begins;
  if (!begins.empty() && last.lock() == source) return begins;
  last = source;
  begins = {0};
  for (std::size_t at = 0; (at = source->text.find('\n', at)) != std::string::npos;) begins.push_back(++at);
  return begins;
}

struct Place {
  Position position;
  std::string_view line;
};
Place place_of(const SourceRef& source, std::size_t offset) {
  const std::string_view text = source->text;
  const std::vector<std::size_t>& begins = lines_of(source);
  offset = std::min(offset, text.size());
  const auto next = std::upper_bound(begins.begin(), begins.end(), offset);
  const std::size_t begin = *std::prev(next);
  const std::size_t end = next == begins.end() ? text.size() : *next - 1;
  return {{static_cast<std::size_t>(next - begins.begin()), offset - begin + 1}, text.substr(begin, end - begin)};
}

// The line for a terminal: control bytes shown as '?', tabs as one space, at most `limit` bytes.
std::string printable(std::string_view line, std::size_t limit) {
  std::string out;
  for (const char c : line.substr(0, limit)) {
    const auto byte = static_cast<unsigned char>(c);
    out += c == '\t' ? ' ' : (byte < 32 || byte == 127) ? '?' : c;
  }
  return out;
}

std::string excerpt(const Region& region, const char* colour, const char* plain) {
  constexpr std::size_t limit = 160;
  const auto [at, whole] = place_of(region.source, region.begin);
  // A very long line is shown from a little before the place.
  const std::size_t start = at.column > limit ? at.column - limit / 2 : 0;
  const std::string_view line = whole.substr(std::min(start, whole.size()));
  const std::size_t column = at.column - 1 - start;
  const std::size_t width = std::clamp<std::size_t>(
      region.end > region.begin ? region.end - region.begin : 1, 1,
      std::max<std::size_t>(1, std::min(line.size(), limit) > column ? std::min(line.size(), limit) - column : 1));
  const std::string number = std::to_string(at.line);
  const std::string margin(number.size(), ' ');
  return " " + number + " | " + printable(line, limit) + "\n " + margin + " | " + std::string(column, ' ') + colour +
         std::string(width, '^') + plain + "\n";
}

}  // namespace

Position position_of(const Source& source, std::size_t offset) {
  const std::string_view before = std::string_view(source.text).substr(0, std::min(offset, source.text.size()));
  const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t last = before.rfind('\n');
  return {lines + 1, last == std::string_view::npos ? before.size() + 1 : before.size() - last};
}

Position position_of(const Region& region) {
  return region.source ? place_of(region.source, region.begin).position : Position{};
}

std::string show_position(const Region& region) {
  if (!region.source) return "";
  const Position p = position_of(region);
  return region.source->name + ":" + std::to_string(p.line) + ":" + std::to_string(p.column);
}
std::string in_parentheses(const Region& region) {
  const std::string position = show_position(region);
  return position.empty() ? "" : " (" + position + ")";
}

std::string render(const Diagnostic& d, bool colour) {
  const char* red = colour ? "\033[1;31m" : "";
  const char* bold = colour ? "\033[1m" : "";
  const char* plain = colour ? "\033[0m" : "";
  const std::string where = show_position(d.region);
  std::string out =
      bold + (where.empty() ? "" : where + ": ") + plain + red + "error: " + plain + bold + d.message + plain + "\n";
  if (d.region.source) out += excerpt(d.region, red, plain);
  if (!d.expected.empty()) out += "  expected: " + d.expected + "\n";
  if (!d.mend.empty()) out += "  help: " + d.mend + "\n";
  return out;
}

std::string render(const Trap& trap) {
  const std::string where = show_position(trap.region);
  std::string out = (where.empty() ? "" : where + ": ") + "trap: " + trap.primitive + ": " + trap.message + "\n";
  if (trap.region.source) out += excerpt(trap.region, "", "");
  return out;
}

Bug::Bug(const std::string& what)
    : std::logic_error(
          "internal error: " + what +
          "\nThis is a bug in lockstep, not in your program. Please report it with the source and the command.") {}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  if (name.empty()) return best;
  std::size_t best_distance = std::min(1 + name.size() / 3, name.size() - 1);  // farther than this is no help
  const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (const std::string& candidate : candidates) {
    if (candidate.empty() || !word(candidate[0])) continue;
    if (candidate.size() > name.size() + best_distance || name.size() > candidate.size() + best_distance) continue;
    std::vector<std::size_t> row(candidate.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= name.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= candidate.size(); ++j) {
        const std::size_t substitution = diagonal + (name[i - 1] == candidate[j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({substitution, row[j] + 1, row[j - 1] + 1});
      }
    }
    if (row.back() <= best_distance && (best.empty() || row.back() < best_distance)) {
      best = candidate;
      best_distance = row.back();
    }
  }
  return best;
}

}  // namespace lockstep
