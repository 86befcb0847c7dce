// What the commands share in talking to people: exit statuses, failures, aligned tables, progress.
#pragma once
#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "semantics/core/diagnostic.h"
#include "semantics/core/size.h"

namespace lockstep::driver {

using Json = nlohmann::ordered_json;

enum Status : int { done = 0, disagrees = 1, invalid = 2, trapped = 3, machine = 4 };

// Ends a command. The text goes to standard error.
struct Failure {
  int status;
  std::string message;
  Diagnostics diagnostics{};   // rendered instead of the message, if there are any
  bool in_json = false;        // standard output says it already, where it is JSON
  std::optional<Trap> trap{};  // the message is its text
};
[[noreturn]] void fail(int status, std::string message, std::string mend = {});
[[noreturn]] void fail(const Trap& trap);
// What was checked; where it is not valid, a Failure with status 2.
template <class T>
T valid(Checked<T> checked) {
  if (!checked) throw Failure{invalid, "", checked.error()};
  return std::move(*checked);
}
// To standard error, and to standard output as JSON where that was asked for.
int report(const Failure& failure, bool json);

bool on_terminal(int descriptor);
// Of the terminal that standard output is; 100 where it is none.
std::size_t terminal_columns();

// Columns of plain text, aligned; a tone colours a cell on a terminal only.
enum class Tone { Plain, Good, Bad, Faint, Head };
// The last line of what was found right: of the targets that ran, and why the others did not ("engine: no compiler").
std::string agreement(std::size_t ran, std::size_t targets, const std::string& missing, bool colour);
std::string trusted_text();  // what everything that is said rests on, in a line
struct Cell {
  std::string text;
  Tone tone = Tone::Plain;
  Cell(std::string t, Tone tone_ = Tone::Plain) : text(std::move(t)), tone(tone_) {}
  Cell(const char* t) : text(t) {}
};
class Table {
 public:
  // A title that starts with '>' is of a column aligned to the right.
  explicit Table(std::vector<std::string> titles);
  void row(std::vector<Cell> cells);
  std::string text(bool colour) const;
  // Rows printed as they become known: room is made for some that stand for them, then the titles, then each row.
  void make_room(const std::vector<Cell>& cells);
  std::string titles(bool colour) const { return line(rows_.front(), colour); }
  std::string line(std::vector<Cell> cells, bool colour) const;

 private:
  std::vector<bool> right_;
  std::vector<std::size_t> widths_;
  std::vector<std::vector<Cell>> rows_;  // the titles first
};

// Characters, not bytes.
std::size_t width_of(const std::string& text);
// At most `width` characters, the last a "…" where it was longer.
std::string shortened(const std::string& text, std::size_t width);
std::string trimmed(std::string text);                           // without line ends at its end
std::string shape_text(const std::vector<std::int64_t>& shape);  // as NumPy has it: "(2, 3)"
std::string position(const Region& r);                           // "3:5", or "" where there is no source
std::string show_seconds(double seconds);                        // "1.3 ms"
std::string show_count(std::size_t n, const std::string& noun);  // "1 stage", "2 stages"
std::string tone(const std::string& text, Tone t, bool colour);

// What, counts, and the time left, on standard error: on a terminal one line after two seconds, which is written over;
// elsewhere a line every ten minutes.
class Progress {
 public:
  ~Progress();
  void step(const std::string& what, std::size_t done, std::size_t all);
  void clear();  // before something else is printed

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_{};
  bool shown_ = false;
};

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void print(const std::string& text);  // to standard output
void print(const Json& json);
Json sizes_json(const SizeValues& sizes);

}  // namespace lockstep::driver
