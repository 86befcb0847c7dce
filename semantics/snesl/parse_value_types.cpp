// The type that a value's text most plausibly has.
#include "semantics/snesl/parse.h"
#include "semantics/text/value_reader.h"

namespace lockstep::snesl {
namespace parsing {
namespace {

using namespace reading;

// What is seen of a type: `known` is nothing for the elements of an empty list, which stands at [begin, end).
struct Seen {
  enum class Shape : unsigned char { Nothing, Known, Tuple, Vector, Sequence };
  Shape shape = Shape::Nothing;
  Prim prim = Prim::Unit;
  std::vector<Seen> parts;
  std::uint32_t begin = 0, end = 0;
};

class TypeReader : public ValueReader {
 public:
  TypeReader(SourceRef source, Empty empty) : ValueReader(std::move(source)), empty_(empty) {}
  Type whole() {
    refuse_too_long();
    const Seen found = seen();
    expect_end();
    return type(found);
  }

 private:
  Seen seen() {
    const Deeper deeper(*this);
    const std::uint32_t begin = peek().begin;
    Seen result = at_hand();
    result.begin = begin;
    result.end = previous_.end;
    return result;
  }

  Seen at_hand() {
    if (at("(")) return tuple(take());
    if (at("[")) return list(take(), Seen::Shape::Vector, "]");
    if (at("{")) return list(take(), Seen::Shape::Sequence, "}");
    if (at_kind(TokenKind::Text)) return unquoted(take()), Seen{Seen::Shape::Vector, Prim::Unit, {known(Prim::Char)}};
    if (at_kind(TokenKind::Char)) return unquoted(take()), known(Prim::Char);
    switch (word_kind()) {
      case WordKind::Integer:
        return take(), known(Prim::Int);
      case WordKind::Fraction:
      case WordKind::Special:
        return take(), known(Prim::Real);
      case WordKind::Truth:
        return take(), known(Prim::Bool);
      case WordKind::Other:
        break;
    }
    unexpected("a value: 12, -1.5, true, 'c', \"text\", (1,2.5), [1,2] or {1,2}");
  }

  static Seen known(Prim p) { return {Seen::Shape::Known, p, {}}; }

  Seen tuple(const Token& opener) {
    Seen result{Seen::Shape::Tuple, Prim::Unit, {}};
    items_or_none(opener, ")", [&] { result.parts.push_back(seen()); });
    if (result.parts.size() != 1) return result;
    Seen inside = std::move(result.parts[0]);  // (e) is e itself
    return inside;
  }

  Seen list(const Token& opener, Seen::Shape shape, std::string_view closer) {
    Seen element;
    items_or_none(opener, closer, [&] { join(element, seen()); });
    if (element.shape == Seen::Shape::Nothing) element.begin = opener.begin, element.end = previous_.end;
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
      fail(region(other.begin, other.end), "this element is of another type than those before it",
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
        fail(region(s.begin, s.end), "the type of the elements of an empty list cannot be seen",
             "at least one element where the program fits several types", "");
      case Seen::Shape::Tuple:
        break;
    }
    std::vector<Type> items;
    for (const Seen& part : s.parts) items.push_back(type(part));
    return snesl::tuple(std::move(items));
  }
  // A vector is in memory, a sequence goes by.
  void refuse_sequence(const Seen& s) {
    if (s.shape == Seen::Shape::Sequence)
      fail(region(s.begin, s.end), "this sequence is inside a vector",
           "in a vector scalars, tuples and vectors: [[1,2],[3]]",
           "a vector is in memory, and a sequence goes by: write it {...} around, or [...] inside");
    if (s.shape == Seen::Shape::Tuple)
      for (const Seen& part : s.parts) refuse_sequence(part);
  }

  Empty empty_;
};

}  // namespace
}  // namespace parsing

Checked<Type> type_of_value(SourceRef source, Empty empty) {
  parsing::TypeReader reader(std::move(source), empty);
  return reading::read_whole(reader, [&] { return reader.whole(); });
}

}  // namespace lockstep::snesl
