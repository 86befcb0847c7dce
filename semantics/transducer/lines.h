// Ints along a segment as straight lines, and Bools that stay the same on pieces of it: what an operator makes of such.
//
// The table of operations is `on_lines` alone. What it says of an operator stands in a network (Slices::lines), where
// the interpreter and the engine's text read it.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "semantics/svcode/program.h"

namespace lockstep::transducer {

// What is made of lines or of Bools. A Bool that is made of lines holds up to where it changes.
enum class LineFunction : unsigned char {
  Sum,
  Difference,
  Product,  // of which one is level
  Negated,
  Equal,
  Less,
  Both,
  Either,
  Not,
  Number,  // of a Bool, 0 or 1
  Chosen   // of two, by a Bool
};
struct OnLines {
  LineFunction function{};
  bool exchanged = false;  // the second operand is the first
  bool denied = false;     // of what it gives the opposite
  friend bool operator==(const OnLines&, const OnLines&) = default;
};
std::string show(const OnLines& how);  // "less, exchanged, denied"
// On operands of the type, of ? : the last two; nothing where no line comes out.
std::optional<OnLines> on_lines(snesl::OperatorRef op, snesl::Prim operand);

// An Int at a position, and by how much it grows to the next. It wraps, as Ints do.
struct Line {
  std::int64_t at = 0, slope = 0;
  std::int64_t after(std::int64_t steps) const;
};
using LineValue = std::variant<Line, bool>;
LineValue level(const svcode::Atom& a);        // an Int or a Bool
svcode::Atom at_position(const LineValue& v);  // what it is there
// At position x; `end` comes down to where it changes. A Bug where no line comes out.
LineValue apply(const OnLines& how, std::span<const LineValue> in, std::int64_t x, std::int64_t& end);

}  // namespace lockstep::transducer
