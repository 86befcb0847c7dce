// Rendering of diagnostics and traps, and the nearest known name.
#include "semantics/core/diagnostic.h"

#include <algorithm>
#include <numeric>

#include "semantics/core/position.h"

namespace lockstep {
namespace {

// A line counted from one, without its end.
std::string_view line_of(const Source& source, std::size_t line) {
  const std::vector<std::size_t>& starts = source.lines.of(source.text);
  const std::string_view from = std::string_view(source.text).substr(starts[line - 1]);
  return line == starts.size() ? from : from.substr(0, starts[line] - starts[line - 1] - 1);
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
  const Position at = position_of(*region.source, region.begin);
  const std::string_view whole = line_of(*region.source, at.line);
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

const std::vector<std::size_t>& LineStarts::of(const std::string& text) const {
  auto known = std::atomic_load(&starts_);
  if (known) return *known;
  std::vector<std::size_t> found{0};
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) found.push_back(at + 1);
  auto made = std::make_shared<const std::vector<std::size_t>>(std::move(found));
  // The first of several threads that are here at once is the one whose answer stays.
  return std::atomic_compare_exchange_strong(&starts_, &known, made) ? *made : *known;
}

Position position_of(const Source& source, std::size_t offset) {
  const std::vector<std::size_t>& starts = source.lines.of(source.text);
  const std::size_t at = std::min(offset, source.text.size());
  const auto line = static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), at) - starts.begin());
  return {line, at - starts[line - 1] + 1};
}

Position position_of(const Region& region) {
  return region.source ? position_of(*region.source, region.begin) : Position{};
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
