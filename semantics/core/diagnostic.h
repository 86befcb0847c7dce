// Source text, regions in it, and the three kinds of error: Invalid (a diagnostic), Trap, Bug.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace lockstep {

// Where the lines of a text begin: found on the first question, so that each of many positions takes no scan of its
// own.
class LineStarts {
 public:
  LineStarts() = default;
  LineStarts(const LineStarts&) {}  // of another text, perhaps
  LineStarts& operator=(const LineStarts&) { return starts_ = nullptr, *this; }
  const std::vector<std::size_t>& of(const std::string& text) const;

 private:
  mutable std::shared_ptr<const std::vector<std::size_t>> starts_;
};

// A source file as read, not changed from then on. Positions are byte offsets into `text`.
struct Source {
  std::string name;
  std::string text;
  LineStarts lines{};
};
using SourceRef = std::shared_ptr<const Source>;

// Half-open byte range [begin, end) of a source; `source` may be null for what the compiler made itself. It says where
// something stands and not what it is: trees are equal whatever their regions.
struct Region {
  SourceRef source;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  friend bool operator==(const Region&, const Region&) { return true; }
};

// One-based line and column (columns count bytes; a tab is one).
struct Position {
  std::size_t line = 1;
  std::size_t column = 1;
};
Position position_of(const Source& source, std::size_t offset);
// "file:line:column", or "" for a region without a source.
std::string show_position(const Region& region);
// The same in parentheses, after a blank; "" where it is "".
std::string in_parentheses(const Region& region);

// The user's input is wrong: what was found, what was expected, and how to mend it (either may be empty).
struct Diagnostic {
  Region region;
  std::string message;
  std::string expected;
  std::string mend;
};
using Diagnostics = std::vector<Diagnostic>;
template <class T>
using Checked = tl::expected<T, Diagnostics>;

// "file:line:column: error: message", the offending line with a caret span, "expected: ...", "help: ...".
std::string render(const Diagnostic& diagnostic, bool colour = false);

// A run-time error of the program itself, the same on every target.
struct Trap {
  std::string primitive;  // "gather", "/", "!" ...
  std::string message;    // with the values: "index 7 is outside [0, 5)"
  Region region;
};
std::string render(const Trap& trap);
// The primitive, the values and the place.
bool same_trap(const Trap& a, const Trap& b);
std::vector<Trap> each_once(std::vector<Trap> traps);  // in the order of their first
// Thrown inside interpreters only; their entry functions return it as the unexpected value.
struct TrapSignal {
  Trap trap;
  std::vector<Trap> others{};  // that another order would have met first
  bool again = false;          // of a value that a trap had left: the trap is known
};
// Of a meaning that can trap in several places, in an order that nobody is bound to: all of them.
class Traps {
 public:
  // What is thrown otherwise goes on, but not past a trap before it.
  template <class F>
  void among(const F& f) {
    try {
      f();
    } catch (const TrapSignal& s) {
      found_.push_back(s.trap);
      found_.insert(found_.end(), s.others.begin(), s.others.end());
    } catch (...) {
      raise();
      throw;
    }
  }
  void raise() const {
    if (!found_.empty()) throw TrapSignal{found_.front(), {found_.begin() + 1, found_.end()}};
  }

 private:
  std::vector<Trap> found_;
};

// An invariant of ours does not hold. Says so, and how to report it.
class Bug : public std::logic_error {
 public:
  explicit Bug(const std::string& what);
  const std::string reason;  // what does not hold
};

// The nearest of `candidates` to `name` by edit distance, or "" where none is near.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);
// "did you mean ...?", or what is said where none is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates, std::string otherwise = "");
// What one who comes from other languages writes, and what stands for it here.
struct Habit {
  std::string_view names;  // each between blanks
  std::string_view advice;
};
std::string_view advice_for(std::string_view name, std::span<const Habit> habits);  // "" where there is none
// What an unknown name may have meant: of a habit's names only `own` ones that are near, else those of `others` too.
std::string mend_of_name(std::string_view name, const std::vector<std::string>& own,
                         const std::vector<std::string>& others, std::span<const Habit> habits,
                         std::string otherwise = "");
// "a, b, c"
std::string comma_list(const std::vector<std::string>& parts);

}  // namespace lockstep
