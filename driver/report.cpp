// Tables, failures and progress.
#include "driver/report.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "semantics/language/claim.h"

namespace lockstep::driver {

void fail(int status, std::string message, std::string mend) {
  if (!mend.empty()) message += "\n  help: " + mend;
  throw Failure{status, std::move(message)};
}

void fail(const Trap& trap) { throw Failure{trapped, trimmed(render(trap)), {}, false, trap}; }

namespace {

// Where it begins, and the place after its last byte; lines and columns from one, columns in bytes.
void add_region(Json& j, const Region& region) {
  if (!region.source) return;
  const Position from = position_of(*region.source, region.begin), to = position_of(*region.source, region.end);
  j["file"] = region.source->name;
  j["line"] = from.line;
  j["column"] = from.column;
  j["end_line"] = to.line;
  j["end_column"] = to.column;
}

Json json_of(const Diagnostic& d) {
  Json j{{"message", d.message}};
  if (!d.expected.empty()) j["expected"] = d.expected;
  if (!d.mend.empty()) j["help"] = d.mend;
  add_region(j, d.region);
  return j;
}

Json json_of(const Trap& trap) {
  Json j{{"message", trap.message}, {"primitive", trap.primitive}};
  add_region(j, trap.region);
  return j;
}

}  // namespace

int report(const Failure& failure, bool json) {
  std::string text;
  Json errors = Json::array();
  for (const Diagnostic& d : failure.diagnostics) {
    text += render(d, on_terminal(2));
    errors.push_back(json_of(d));
  }
  if (failure.diagnostics.empty()) {
    text = "lockstep: " + failure.message + "\n";
    errors.push_back(failure.trap ? json_of(*failure.trap) : Json{{"message", failure.message}});
  }
  std::fflush(stdout);  // what was printed before comes first
  std::fputs(text.c_str(), stderr);
  if (json && !failure.in_json) {
    const Json whole{{"ok", false}, {"status", failure.status}, {"errors", std::move(errors)}};
    std::puts(whole.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
  }
  return failure.status;
}

bool on_terminal(int descriptor) {
  const char* plain = std::getenv("NO_COLOR");
  return isatty(descriptor) == 1 && !(plain && *plain);
}

std::size_t terminal_columns() {
  winsize size{};
  const bool known = isatty(1) == 1 && ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 100;
}

std::size_t width_of(const std::string& text) {
  std::size_t n = 0;
  for (const char c : text) n += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return n;
}

std::string position(const Region& r) {
  if (!r.source) return "";
  const Position p = position_of(*r.source, r.begin);
  return std::to_string(p.line) + ":" + std::to_string(p.column);
}

std::string shortened(const std::string& text, std::size_t width) {
  if (width_of(text) <= width) return text;
  std::string out;
  std::size_t n = 0;
  for (const char c : text) {
    n += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    if (n >= width) break;
    out += c;
  }
  return out + "…";
}

std::string tone(const std::string& text, Tone t, bool colour) {
  if (!colour || text.empty()) return text;
  switch (t) {
    case Tone::Plain:
      return text;
    case Tone::Good:
      return "\033[32m" + text + "\033[0m";
    case Tone::Bad:
      return "\033[1;31m" + text + "\033[0m";
    case Tone::Faint:
      return "\033[2m" + text + "\033[0m";
    case Tone::Head:
      return "\033[1m" + text + "\033[0m";
  }
  return text;
}

Table::Table(std::vector<std::string> titles) {
  std::vector<Cell> head;
  for (std::string& t : titles) {
    right_.push_back(!t.empty() && t[0] == '>');
    head.emplace_back(right_.back() ? t.substr(1) : t, Tone::Head);
  }
  widths_.resize(right_.size(), 0);
  make_room(head);
  rows_.push_back(std::move(head));
}

void Table::make_room(const std::vector<Cell>& cells) {
  for (std::size_t k = 0; k < cells.size(); ++k) widths_.at(k) = std::max(widths_[k], width_of(cells[k].text));
}

void Table::row(std::vector<Cell> cells) {
  make_room(cells);
  rows_.push_back(std::move(cells));
}

std::string Table::line(std::vector<Cell> cells, bool colour) const {
  cells.resize(right_.size(), Cell(""));
  std::string line;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (widths_[k] == 0) continue;
    const std::size_t width = width_of(cells[k].text);
    const std::string space(widths_[k] - std::min(widths_[k], width), ' ');
    const std::string shown = tone(cells[k].text, cells[k].tone, colour);
    line += (line.empty() ? "" : "  ") + (right_[k] ? space + shown : shown + space);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string Table::text(bool colour) const {
  std::string out;
  for (const auto& row : rows_) out += line(row, colour);
  return out;
}

std::string show_seconds(double s) {
  if (s < 1e-3) return fmt::format("{:.0f} µs", s * 1e6);
  if (s < 1) return fmt::format("{:.{}f} ms", s * 1e3, s < 0.01 ? 1 : 0);
  return fmt::format("{:.1f} s", s);
}

std::string show_count(std::size_t n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

std::string trimmed(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string out = "(";
  for (std::size_t k = 0; k < shape.size(); ++k) out += (k ? ", " : "") + std::to_string(shape[k]);
  return out + (shape.size() == 1 ? ",)" : ")");
}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

void Progress::step(const std::string& what, std::size_t done, std::size_t all) {
  const auto now = std::chrono::steady_clock::now();
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const bool terminal = isatty(2) == 1;
  const std::chrono::milliseconds each = terminal ? std::chrono::milliseconds(100) : std::chrono::minutes(10);
  if (elapsed < (terminal ? 2 : 600) || now - last_ < each) return;
  last_ = now;
  shown_ = terminal;
  std::string left;
  if (done > 0 && all > done)
    left = ", about " + show_seconds(elapsed / static_cast<double>(done) * static_cast<double>(all - done)) + " left";
  const std::string line = fmt::format("lockstep: {} ({} of {}{})", what, done, all, left);
  std::fputs((terminal ? "\r\033[K" + line : line + "\n").c_str(), stderr);
}

std::string agreement(std::size_t ran, std::size_t targets, const std::string& missing, bool colour) {
  if (!missing.empty())
    return "every stage agrees with the source; " + std::to_string(ran) + " of " + std::to_string(targets) +
           " targets ran, not " + missing;
  const std::string all = targets > 0 ? "every stage and target agrees" : "every stage agrees";
  return tone(all + " with the source", Tone::Good, colour);
}

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }
void print(const Json& json) { print(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"); }
Json sizes_json(const SizeValues& sizes) {
  Json j = Json::object();
  for (const auto& [name, n] : sizes) j[name] = n;
  return j;
}

std::string trusted_text() {
  std::string out = "trusted:";
  for (const Claim& c : trusted_base())
    out += (out.back() == ':' ? " " : "; ") + c.statement + " (" + std::string(name_of(c.standing)) + ")";
  return out + "\n";
}

}  // namespace lockstep::driver
