// Values of the command line: text to a value of a given type.
#include "semantics/snesl/parse.h"
#include "semantics/text/value_reader.h"

namespace lockstep::snesl {
namespace parsing {
namespace {

using namespace reading;

class TypedReader : public ValueReader {
 public:
  explicit TypedReader(SourceRef source) : ValueReader(std::move(source)) {}
  Value whole(const Type& type) {
    refuse_too_long();
    Value v = value(type);
    expect_end();
    return v;
  }

 private:
  // (e) is e itself, where no tuple is asked for.
  Value value(const Type& type) {
    std::vector<Token> opened;
    if (!as<TupleType>(type))
      while (at("(")) opened.push_back(take());
    Value v = bare_value(type);
    for (; !opened.empty(); opened.pop_back()) close(opened.back(), ")");
    return v;
  }

  Value bare_value(const Type& type) {
    return match(
        type.node, [&](Prim p) { return atom_value(atom(p)); }, [&](const TupleType& t) { return tuple(type, t); },
        [&](const VectorType& v) { return vector_value(elements(type, *v.element, false)); },
        [&](const SequenceType& s) { return sequence_value(elements(type, *s.element, true)); });
  }

  Atom atom(Prim p) {
    switch (p) {
      case Prim::Bool:
        return truth();
      case Prim::Int:
        return integer();
      case Prim::Real:
        return real();
      case Prim::Char:
        return character_atom();
      case Prim::Unit:
        break;
    }
    throw Bug("a value of the unit type");
  }

  Atom truth() {
    if (word_kind() != WordKind::Truth) unexpected("a Bool, true or false");
    return bool_atom(take().text == "true");
  }

  Atom integer() {
    const WordKind kind = word_kind();
    if (kind == WordKind::Fraction) unexpected("an Int, a whole number without point or exponent");
    if (kind != WordKind::Integer) unexpected("an Int, such as 12 or -3");
    const Token word = take();
    const auto n = number_value<std::int64_t>(word.text);
    if (!n)
      fail(region(word), "this number is too large for an Int",
           "a number from -9223372036854775808 to 9223372036854775807");
    return int_atom(*n);
  }

  Atom real() {
    const WordKind kind = word_kind();
    if (kind == WordKind::Special) return real_atom(special_value(take().text));
    if (kind != WordKind::Integer && kind != WordKind::Fraction) unexpected("a Real, such as 1.5, -2 or 1e-3");
    const Token word = take();
    const auto r = real_value(word.text);
    if (!r)
      fail(region(word), "this number is too large for a Real", "at most 1.7976931348623157e308",
           "infinity is written inf");
    return real_atom(*r);
  }

  Atom character_atom() {
    if (at_kind(TokenKind::Text)) unexpected("a Char, such as 'c'", "a Char stands between single quotes");
    if (!at_kind(TokenKind::Char)) unexpected("a Char, such as 'c' or '\\n'");
    return char_atom(character(take()));
  }

  Value tuple(const Type& type, const TupleType& t) {
    const std::string wanted = "a value of type " + show(type);
    if (!at("(")) unexpected(wanted);
    const Token opener = take();
    Values found;
    items_or_none(opener, ")", [&] {
      if (found.size() == t.items.size())
        unexpected(wanted + ", which has " + std::to_string(t.items.size()) + " components");
      found.push_back(value(t.items[found.size()]));
    });
    if (found.size() != t.items.size())
      fail(region(opener.begin, previous_.end), "this tuple has " + std::to_string(found.size()) + " components",
           wanted + ", which has " + std::to_string(t.items.size()));
    return tuple_value(std::move(found));
  }

  // A sequence is given in [ ] too, as every list of the command line is.
  Values elements(const Type& type, const Type& element, bool sequence) {
    Values found;
    const Prim* p = as<Prim>(element);
    if (p && *p == Prim::Char && at_kind(TokenKind::Text)) {
      const std::string bytes = unquoted(take());
      found.reserve(bytes.size());
      for (char c : bytes) found.push_back(atom_value(char_atom(static_cast<unsigned char>(c))));
      return found;
    }
    if (!at("[") && !(sequence && at("{")))
      unexpected("a value of type " + show(type) + (sequence ? ", such as {…} or […]" : ", such as […]"),
                 at("{") ? "a vector is written in [ ]" : "");
    const Token opener = take();
    items_or_none(opener, opener.text == "{" ? "}" : "]", [&] { found.push_back(value(element)); });
    return found;
  }
};

}  // namespace
}  // namespace parsing

Checked<Value> parse_value(SourceRef source, const Type& type) {
  parsing::TypedReader reader(std::move(source));
  return reading::read_whole(reader, [&] { return reader.whole(type); });
}

}  // namespace lockstep::snesl
