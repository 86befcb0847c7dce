// Values of the command line: text to a value of a given type.
#include <charconv>

#include "semantics/snesl/parse_cursor.h"

namespace lockstep::snesl {
namespace parsing {
namespace {

double special_value(std::string_view word) {
  double r = word.back() == 'f' ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  return word[0] == '-' ? -r : r;
}

class ValueReader {
 public:
  explicit ValueReader(SourceRef source) : cursor_(std::move(source)) {}
  Value whole(const Type& type) {
    cursor_.refuse_too_long();
    Value v = value(type);
    cursor_.expect_end();
    return v;
  }
  Diagnostics& diagnostics() { return cursor_.diagnostics(); }

 private:
  // (e) is e itself, where no tuple is asked for.
  Value value(const Type& type) {
    std::vector<std::size_t> opened;
    if (!as<TupleType>(type))
      while (cursor_.next() == '(') {
        opened.push_back(cursor_.here());
        cursor_.accept('(');
      }
    Value v = bare_value(type);
    for (; !opened.empty(); opened.pop_back())
      if (!cursor_.accept(')')) cursor_.not_closed(opened.back(), ')');
    return v;
  }

  Value bare_value(const Type& type) {
    return std::visit(
        Cases{[&](Prim p) { return atom_value(atom(p)); }, [&](const TupleType& t) { return tuple(type, t); },
              [&](const VectorType& v) { return vector_value(elements(type, *v.element, false)); },
              [&](const SequenceType& s) { return sequence_value(elements(type, *s.element, true)); }},
        type.node);
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
        return character();
      case Prim::Unit:
        break;
    }
    throw Bug("a value of the unit type");
  }

  Atom truth() {
    std::size_t begin = cursor_.here();
    std::string_view word = cursor_.word();
    if (kind_of(word) != WordKind::Truth) wrong(begin, word, "a Bool, true or false");
    return bool_atom(word == "true");
  }

  Atom integer() {
    std::size_t begin = cursor_.here();
    std::string_view word = cursor_.word();
    WordKind kind = kind_of(word);
    if (kind == WordKind::Fraction) wrong(begin, word, "an Int, a whole number without point or exponent");
    if (kind != WordKind::Integer) wrong(begin, word, "an Int, such as 12 or -3");
    std::int64_t n = 0;
    if (std::from_chars(word.data(), word.data() + word.size(), n).ec != std::errc())
      cursor_.fail(begin, begin + word.size(), "this number is too large for an Int",
                   "a number from -9223372036854775808 to 9223372036854775807", "");
    return int_atom(n);
  }

  Atom real() {
    std::size_t begin = cursor_.here();
    std::string_view word = cursor_.word();
    WordKind kind = kind_of(word);
    if (kind == WordKind::Special) return real_atom(special_value(word));
    if (kind != WordKind::Integer && kind != WordKind::Fraction) wrong(begin, word, "a Real, such as 1.5, -2 or 1e-3");
    std::optional<double> r = real_value(word);
    if (!r)
      cursor_.fail(begin, begin + word.size(), "this number is too large for a Real", "at most 1.7976931348623157e308",
                   "infinity is written inf");
    return real_atom(*r);
  }

  Atom character() {
    std::size_t begin = cursor_.here();
    if (cursor_.next() == '"') cursor_.unexpected("a Char, such as 'c'", "a Char stands between single quotes");
    if (cursor_.next() != '\'') wrong(begin, cursor_.word(), "a Char, such as 'c' or '\\n'");
    std::string bytes = cursor_.quoted();
    if (bytes.size() != 1)
      cursor_.fail(begin, cursor_.offset(), "this Char holds " + std::to_string(bytes.size()) + " bytes", "one byte",
                   "");
    return char_atom(static_cast<unsigned char>(bytes[0]));
  }

  Value tuple(const Type& type, const TupleType& t) {
    std::size_t begin = cursor_.here();
    std::string wanted = "a value of type " + show(type);
    if (!cursor_.accept('(')) cursor_.unexpected(wanted);
    Values found;
    cursor_.items(begin, ')', [&] {
      if (found.size() == t.items.size())
        cursor_.unexpected(wanted + ", which has " + std::to_string(t.items.size()) + " components");
      found.push_back(value(t.items[found.size()]));
    });
    if (found.size() != t.items.size())
      cursor_.fail(begin, cursor_.offset(), "this tuple has " + std::to_string(found.size()) + " components",
                   wanted + ", which has " + std::to_string(t.items.size()), "");
    return tuple_value(std::move(found));
  }

  // A sequence is given in [ ] too, as every list of the command line is.
  Values elements(const Type& type, const Type& element, bool sequence) {
    std::size_t begin = cursor_.here();
    Values found;
    const Prim* p = as<Prim>(element);
    if (p && *p == Prim::Char && cursor_.next() == '"') {
      std::string bytes = cursor_.quoted();
      found.reserve(bytes.size());
      for (char c : bytes) found.push_back(atom_value(char_atom(static_cast<unsigned char>(c))));
      return found;
    }
    char open = sequence && cursor_.next() == '{' ? '{' : '[';
    std::string example = sequence ? ", such as {…} or […]" : ", such as […]";
    if (!cursor_.accept(open))
      cursor_.unexpected("a value of type " + show(type) + example,
                         cursor_.next() == '{' ? "a vector is written in [ ]" : "");
    cursor_.items(begin, open == '{' ? '}' : ']', [&] { found.push_back(value(element)); });
    return found;
  }

  [[noreturn]] void wrong(std::size_t begin, std::string_view word, const std::string& expected) {
    if (word.empty()) cursor_.unexpected(expected);
    std::string shown(word.substr(0, 60));
    cursor_.fail(begin, begin + word.size(), "found `" + shown + "`", expected, "");
  }

  Cursor cursor_;
};

}  // namespace
}  // namespace parsing

Checked<Value> parse_value(SourceRef source, const Type& type) {
  return parsing::read_whole<Value>(std::move(source), &parsing::ValueReader::whole, type);
}

}  // namespace lockstep::snesl
