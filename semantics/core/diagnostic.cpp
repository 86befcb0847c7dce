// Rendering of diagnostics and traps, and the nearest known name.
#include "semantics/core/diagnostic.h"

#include <algorithm>
#include <numeric>

namespace lockstep {
namespace {

// A line counted from one, without its end.
std::string_view line_of(const Source& source, std::size_t line) {
  const std::vector<std::size_t>& starts = source.lines.of(source.text);
  const std::string_view from = std::string_view(source.text).substr(starts[line - 1]);
  return line == starts.size() ? from : from.substr(0, starts[line] - starts[line - 1] - 1);
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }  // a character of UTF-8

// A character's columns on a terminal, as far as a caret needs them: marks that combine have none, and what East Asian
// scripts and pictures are written with has two (Unicode, UAX #11).
std::size_t columns_of(char32_t c) {
  struct Range {
    char32_t first, last;
  };
  static constexpr Range none[] = {{0x300, 0x36F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}};
  static constexpr Range two[] = {{0x1100, 0x115F},   {0x2E80, 0xA4CF},   {0xAC00, 0xD7A3},  {0xF900, 0xFAFF},
                                  {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F},
                                  {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
  const auto holds = [c](const Range& r) { return r.first <= c && c <= r.last; };
  return std::any_of(std::begin(none), std::end(none), holds) ? 0
         : std::any_of(std::begin(two), std::end(two), holds) ? 2
                                                              : 1;
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t k = 0; k < text.size();) {
    const auto lead = static_cast<unsigned char>(text[k++]);
    char32_t c = lead < 0x80 ? lead : lead < 0xE0 ? lead & 0x1Fu : lead < 0xF0 ? lead & 0x0Fu : lead & 0x07u;
    for (; k < text.size() && continues(text[k]); ++k) c = (c << 6) | (static_cast<unsigned char>(text[k]) & 0x3Fu);
    columns += columns_of(c);
  }
  return columns;
}

// The line for a terminal: control bytes shown as '?', tabs as one space.
std::string printable(std::string_view line) {
  std::string out;
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    out += c == '\t' ? ' ' : (byte < 32 || byte == 127) ? '?' : c;
  }
  return out;
}

std::string excerpt(const Region& region, const char* colour, const char* plain) {
  constexpr std::size_t limit = 160;
  const Position at = position_of(*region.source, region.begin);
  std::string_view line = line_of(*region.source, at.line);
  // A very long line is shown from a little before the place, and cut between characters.
  std::size_t start = std::min(at.column > limit ? at.column - limit / 2 : 0, line.size());
  while (start < line.size() && continues(line[start])) ++start;
  line.remove_prefix(start);
  std::size_t shown = std::min(line.size(), limit);
  while (shown < line.size() && continues(line[shown])) ++shown;
  line = line.substr(0, shown);
  const std::size_t before = std::min(at.column - 1 - start, line.size());
  const std::string_view marked = line.substr(before, region.end > region.begin ? region.end - region.begin : 1);
  const std::string number = std::to_string(at.line);
  const std::string margin(number.size(), ' ');
  return " " + number + " | " + printable(line) + "\n " + margin + " | " +
         std::string(columns_of(line.substr(0, before)), ' ') + colour +
         std::string(std::max<std::size_t>(columns_of(marked), 1), '^') + plain + "\n";
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

std::string show_position(const Region& region) {
  if (!region.source) return "";
  const Position p = position_of(*region.source, region.begin);
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

bool same_trap(const Trap& a, const Trap& b) {
  const Region &r = a.region, &o = b.region;
  const bool same_source = r.source == o.source || (r.source && o.source && r.source->text == o.source->text);
  return a.primitive == b.primitive && a.message == b.message && same_source && r.begin == o.begin && r.end == o.end;
}

std::vector<Trap> each_once(std::vector<Trap> traps) {
  std::vector<Trap> out;
  for (Trap& t : traps)
    if (std::none_of(out.begin(), out.end(), [&](const Trap& known) { return same_trap(known, t); }))
      out.push_back(std::move(t));
  return out;
}

Bug::Bug(const std::string& what)
    : std::logic_error(
          "internal error: " + what +
          "\nThis is a bug in lockstep, not in your program. Please report it with the source and the command."),
      reason(what) {}

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

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates, std::string otherwise) {
  const std::string near = nearest_name(name, candidates);
  return near.empty() ? otherwise : "did you mean " + near + "?";
}

std::string_view advice_for(std::string_view name, std::span<const Habit> habits) {
  const std::string word = " " + std::string(name) + " ";
  for (const Habit& h : habits)
    if (h.names.find(word) != std::string_view::npos) return h.advice;
  return "";
}

std::string mend_of_name(std::string_view name, const std::vector<std::string>& own,
                         const std::vector<std::string>& others, std::span<const Habit> habits, std::string otherwise) {
  if (const std::string_view advice = advice_for(name, habits); !advice.empty()) {
    // What the user called so is nearer than what another language does.
    const std::string near = nearest_name(name, own);
    return near.empty() || near.size() + 1 < name.size() ? std::string(advice) : "did you mean " + near + "?";
  }
  std::vector<std::string> all = own;
  all.insert(all.end(), others.begin(), others.end());
  return did_you_mean(name, all, std::move(otherwise));
}

std::string comma_list(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& p : parts) out += (out.empty() ? "" : ", ") + p;
  return out;
}

}  // namespace lockstep
