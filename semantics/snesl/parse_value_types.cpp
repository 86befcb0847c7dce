// The type that a value's text most plausibly has.
#include "semantics/snesl/parse_cursor.h"

namespace lockstep::snesl {
namespace parsing {
namespace {

// What is seen of a type: `known` is nothing for the elements of an empty list, which stands at [begin, end).
struct Seen {
  enum class Shape : unsigned char { Nothing, Known, Tuple, Vector, Sequence };
  Shape shape = Shape::Nothing;
  Prim prim = Prim::Unit;
  std::vector<Seen> parts;
  std::size_t begin = 0, end = 0;
};

class TypeReader {
 public:
  explicit TypeReader(SourceRef source) : cursor_(std::move(source)) {}
  Type whole(const Empty& empty) {
    empty_ = empty;
    cursor_.refuse_too_long();
    Seen found = seen(0);
    cursor_.expect_end();
    return type(found);
  }
  Diagnostics& diagnostics() { return cursor_.diagnostics(); }

 private:
  Seen seen(int depth) {
    std::size_t begin = cursor_.here();
    if (depth > nesting_limit)
      cursor_.fail(begin, begin + 1, "this value is nested too deeply", "at most 1,000 levels of brackets", "");
    Seen result = at_hand(begin, depth);
    result.begin = begin;
    result.end = cursor_.offset();
    return result;
  }

  Seen at_hand(std::size_t begin, int depth) {
    switch (cursor_.next()) {
      case '(':
        return tuple(begin, depth);
      case '[':
        return list(begin, Seen::Shape::Vector, ']', depth);
      case '{':
        return list(begin, Seen::Shape::Sequence, '}', depth);
      case '"':
        cursor_.quoted();
        return {Seen::Shape::Vector, Prim::Unit, {known(Prim::Char)}};
      case '\'':
        cursor_.quoted();
        return known(Prim::Char);
      default:
        break;
    }
    std::string_view word = cursor_.word();
    std::string expected = "a value: 12, -1.5, true, 'c', \"text\", (1,2.5), [1,2] or {1,2}";
    switch (kind_of(word)) {
      case WordKind::Integer:
        return known(Prim::Int);
      case WordKind::Fraction:
      case WordKind::Special:
        return known(Prim::Real);
      case WordKind::Truth:
        return known(Prim::Bool);
      case WordKind::Other:
        break;
    }
    if (word.empty()) cursor_.unexpected(expected);
    cursor_.fail(begin, begin + word.size(), "found `" + std::string(word.substr(0, 60)) + "`", expected, "");
  }

  static Seen known(Prim p) { return {Seen::Shape::Known, p, {}}; }

  Seen tuple(std::size_t begin, int depth) {
    cursor_.accept('(');
    Seen result{Seen::Shape::Tuple, Prim::Unit, {}};
    cursor_.items(begin, ')', [&] { result.parts.push_back(seen(depth + 1)); });
    if (result.parts.size() != 1) return result;
    Seen inside = std::move(result.parts[0]);  // (e) is e itself
    return inside;
  }

  Seen list(std::size_t begin, Seen::Shape shape, char close, int depth) {
    cursor_.accept(close == ']' ? '[' : '{');
    Seen element;
    cursor_.items(begin, close, [&] { join(element, seen(depth + 1)); });
    if (element.shape == Seen::Shape::Nothing) element.begin = begin, element.end = cursor_.offset();
    return {shape, Prim::Unit, {std::move(element)}};
  }

  // The elements of one list have one type; Ints among Reals are Reals.
  void join(Seen& into, Seen other) {
    if (other.shape == Seen::Shape::Nothing) return;
    if (into.shape == Seen::Shape::Nothing) {
      into = std::move(other);
      return;
    }
    bool numbers = is_number(into) && is_number(other);
    if (numbers && into.prim != other.prim) into.prim = Prim::Real;
    if (into.shape != other.shape || into.prim != (numbers ? into.prim : other.prim) ||
        into.parts.size() != other.parts.size())
      cursor_.fail(other.begin, other.end, "this element is of another type than those before it",
                   "elements of one type", "");
    for (std::size_t i = 0; i < into.parts.size(); ++i) join(into.parts[i], std::move(other.parts[i]));
  }
  static bool is_number(const Seen& s) {
    return s.shape == Seen::Shape::Known && (s.prim == Prim::Int || s.prim == Prim::Real);
  }

  Type type(const Seen& s) {
    switch (s.shape) {
      case Seen::Shape::Known:
        return prim(s.prim);
      case Seen::Shape::Vector:
        refuse_sequence(s.parts[0]);
        return vector_of(type(s.parts[0]));
      case Seen::Shape::Sequence:
        return sequence_of(type(s.parts[0]));
      case Seen::Shape::Nothing:
        if (empty_ == Empty::Ints) return prim(Prim::Int);
        cursor_.fail(s.begin, s.end, "the type of the elements of an empty list cannot be seen",
                     "at least one element where the program fits several types", "");
      case Seen::Shape::Tuple:
        break;
    }
    std::vector<Type> items;
    for (const Seen& part : s.parts) items.push_back(type(part));
    return tuple(std::move(items));
  }
  // A vector is in memory, a sequence goes by.
  void refuse_sequence(const Seen& s) {
    if (s.shape == Seen::Shape::Sequence)
      cursor_.fail(s.begin, s.end, "this sequence is inside a vector",
                   "in a vector scalars, tuples and vectors: [[1,2],[3]]",
                   "a vector is in memory, and a sequence goes by: write it {...} around, or [...] inside");
    if (s.shape == Seen::Shape::Tuple)
      for (const Seen& part : s.parts) refuse_sequence(part);
  }
  static Type tuple(std::vector<Type> items) { return snesl::tuple(std::move(items)); }

  Cursor cursor_;
  Empty empty_ = Empty::Refused;
};

}  // namespace
}  // namespace parsing

Checked<Type> type_of_value(SourceRef source, Empty empty) {
  return parsing::read_whole<Type>(std::move(source), &parsing::TypeReader::whole, empty);
}

}  // namespace lockstep::snesl
