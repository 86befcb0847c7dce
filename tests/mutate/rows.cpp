// In: the text of a table; out: edits (rows.h).
#include "tests/mutate/rows.h"

#include <sstream>
#include <stdexcept>

namespace lockstep::mutate {
namespace {

// How many brackets are closed in it that it does not open, and opened that it does not close.
std::pair<std::size_t, std::size_t> loose_brackets(const Source& s, std::size_t first, std::size_t end) {
  std::size_t closed = 0, open = 0;
  for (std::size_t k = first; k < end; ++k) {
    const std::string_view t = s.text(k);
    if (t == "(" || t == "[" || t == "{") ++open;
    if (t == ")" || t == "]" || t == "}") open > 0 ? --open : ++closed;
  }
  return {closed, open};
}

[[noreturn]] void stop(std::size_t line, const std::string& why) {
  throw std::runtime_error("decisions:" + std::to_string(line) + ": " + why);
}

void finish(std::vector<Row>& rows, Row& row) {
  if (row.line == 0) return;
  if (row.file.empty() || row.was.empty() || row.test.empty()) stop(row.line, "a row has lines 'of', '-' and '='");
  row.number = rows.size() + 1;
  rows.push_back(row);
  row = {};
}

}  // namespace

std::vector<Row> rows_of(const std::string& text) {
  std::vector<Row> rows;
  Row row{};
  std::istringstream in(text);
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.starts_with('#')) continue;
    if (line.empty()) {
      finish(rows, row);
      continue;
    }
    const auto [head, rest] = line.starts_with("of ")
                                  ? std::pair('o', line.substr(3))
                                  : std::pair(line[0], line.substr(std::min<std::size_t>(2, line.size())));
    std::string* const part = head == 'o'   ? &row.file
                              : head == '-' ? &row.was
                              : head == '+' ? &row.now
                              : head == '=' ? &row.test
                              : head == '@' ? &row.item
                                            : nullptr;
    if (!part) stop(number, "a line begins with of, -, +, = or @");
    if (!part->empty() && (head == '-' || head == '+'))
      *part += '\n' + rest;
    else if (!part->empty())
      stop(number, "said twice");
    else
      *part = rest;
    if (row.line == 0) row.line = number;
  }
  finish(rows, row);
  return rows;
}

Edit edit_of(const Row& row, const Source& source) {
  const Source was(row.was), now(row.now);
  const auto stands_at = [&](std::size_t at) {
    for (std::size_t k = 0; k < was.size(); ++k)
      if (source.text(at + k) != was.text(k)) return false;
    return true;
  };
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k + was.size() <= source.size(); ++k)
    if (stands_at(k)) places.push_back(k);
  if (places.size() != 1)
    stop(row.line,
         "'" + row.was + "' stands " + std::to_string(places.size()) + " times in " + row.file + ", not once");
  std::size_t same = 0, tail = 0;
  while (same < was.size() && same < now.size() && was.text(same) == now.text(same)) ++same;
  while (tail + same < was.size() && tail + same < now.size() &&
         was.text(was.size() - 1 - tail) == now.text(now.size() - 1 - tail))
    ++tail;
  if (same == was.size() && same == now.size()) stop(row.line, "the mistake changes nothing");
  if (now.size() == 0 && was.text(was.size() - 1) == ";")
    return {Kind::Dropped, source.at(places[0]).begin, source.at(places[0] + was.size() - 1).end, "{}"};
  // What is only added, or only left out, has the operand beside it for a place.
  if (same + tail >= was.size() || same + tail >= now.size()) {
    const auto is_operand = [&](std::size_t k) {
      return !was.is(k, Token::Sign) || was.text(k) == ")" || was.text(k) == "]";
    };
    const bool before = same > 0 && is_operand(same - 1) && was.text(same - 1) != "return";
    if (before || tail == 0)
      same = same > 0 ? same - 1 : 0;
    else
      --tail;
  }
  // With the brackets of what differs: f(a) and f((a)) do so in more than one.
  const auto loose = [&](const Source& s) { return loose_brackets(s, same, s.size() - tail); };
  while (same > 0 && (loose(was).first > 0 || loose(now).first > 0)) --same;
  while (tail > 0 && (loose(was).second > 0 || loose(now).second > 0)) --tail;
  const std::size_t first = places[0] + same, last = places[0] + was.size() - tail;
  if (first == last) stop(row.line, "what is added must stand after something");
  const std::string text =
      now.size() == same + tail ? "" : now.between(now.at(same).begin, now.at(now.size() - tail - 1).end);
  return {Kind::Changed, source.at(first).begin, source.at(last - 1).end, text};
}

}  // namespace lockstep::mutate
