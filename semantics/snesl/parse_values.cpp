// Values of the command line: text to a value of a given type, and the type that a text most plausibly has.
#include <charconv>
#include <cmath>
#include <limits>

#include "semantics/snesl/parse.h"
#include "semantics/snesl/parse_grammar.h"

namespace lockstep::snesl {
namespace parsing {
namespace {

enum class WordKind : unsigned char { Integer, Fraction, Special, Truth, Other };

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// inf and nan are no words of a program, but results can be them.
WordKind kind_of(std::string_view word) {
  if (word == "true" || word == "false") return WordKind::Truth;
  std::string_view unsigned_part = word.substr(!word.empty() && word[0] == '-' ? 1 : 0);
  if (unsigned_part == "inf" || unsigned_part == "nan") return WordKind::Special;
  if (unsigned_part.empty() || !is_digit(unsigned_part[0])) return WordKind::Other;
  if (number_length(unsigned_part, true) != unsigned_part.size()) return WordKind::Other;
  return unsigned_part.find_first_of(".eE") == std::string_view::npos ? WordKind::Integer : WordKind::Fraction;
}

double special_value(std::string_view word) {
  double r = word.back() == 'f' ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  return word[0] == '-' ? -r : r;
}

// A place in the text, and what both readers do there. Reading stops at the first error.
class Cursor {
 public:
  explicit Cursor(SourceRef source) : source_(std::move(source)), text_(source_->text) {}

  std::size_t here() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
    return at_;
  }
  char next() { return here() < text_.size() ? text_[at_] : '\0'; }
  bool at_end() { return here() == text_.size(); }
  bool accept(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  // A number, with its minus directly before it, or a name; empty where neither stands here.
  std::string_view word() {
    std::size_t n = here();
    if (n < text_.size() && text_[n] == '-') ++n;
    auto in_word = [&](char c) {
      if (c == '-' || c == '+') return n > at_ + 1 && (text_[n - 1] == 'e' || text_[n - 1] == 'E') && is_digit(text_[n - 2]);
      return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
    };
    while (n < text_.size() && in_word(text_[n])) ++n;
    std::string_view found = text_.substr(at_, n - at_);
    at_ = n;
    return found;
  }
  // Between quotation marks, the first of which is here.
  std::string quoted() {
    std::size_t begin = here(), length = quoted_length(text_.substr(begin));
    if (length == 0) fail(begin, begin + 1, "this quote is never closed", std::string("a closing ") + text_[begin], "");
    Quoted q = unquote(text_.substr(begin + 1, length - 2));
    if (!q.bad.empty()) {
      const BadEscape& bad = q.bad.front();
      fail(begin + 1 + bad.begin, begin + 1 + bad.end,
           "found `" + std::string(text_.substr(begin + 1 + bad.begin, bad.end - bad.begin)) + "`, which is no escape",
           R"(\n \t \r \0 \\ \' \" or \xHH)", bad.mend);
    }
    at_ = begin + length;
    return std::move(q.bytes);
  }
  std::size_t offset() const { return at_; }

  [[noreturn]] void fail(std::size_t begin, std::size_t end, std::string message, std::string expected,
                         std::string mend) {
    Region region{source_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    diagnostics_.push_back({std::move(region), std::move(message), std::move(expected), std::move(mend)});
    throw Abandoned{};
  }
  [[noreturn]] void unexpected(const std::string& expected, const std::string& mend = "") {
    std::size_t begin = here();
    std::string_view found = at_end() ? std::string_view() : word();
    if (found.empty() && begin < text_.size()) {
      std::size_t end = begin + 1;
      while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xc0) == 0x80) ++end;
      found = text_.substr(begin, end - begin);
    }
    std::string shown(found.substr(0, 60));
    fail(begin, begin + found.size(), found.empty() ? "the value ends here" : "found `" + shown + "`", expected, mend);
  }
  // What stands between brackets, the first of which was taken at `opened`, one item after another.
  template <class Item>
  void items(std::size_t opened, char close, Item item) {
    if (accept(close)) return;
    do item();
    while (accept(','));
    if (accept(close)) return;
    std::string open = std::string("the `") + text_[opened] + "` at column " + std::to_string(opened + 1);
    unexpected(std::string("`") + close + "`, which closes " + open + ", or `,`");
  }
  void expect_end() {
    if (!at_end()) unexpected("the end of the value");
  }
  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  SourceRef source_;
  std::string_view text_;
  std::size_t at_ = 0;
  Diagnostics diagnostics_;
};

// ---- at a given type

class ValueReader {
 public:
  explicit ValueReader(SourceRef source) : cursor_(std::move(source)) {}
  Value whole(const Type& type) {
    Value v = value(type);
    cursor_.expect_end();
    return v;
  }
  Diagnostics& diagnostics() { return cursor_.diagnostics(); }

 private:
  Value value(const Type& type) {
    return std::visit(Cases{[&](Prim p) { return atom_value(atom(p)); },
                            [&](const TupleType& t) { return tuple(type, t); },
                            [&](const VectorType& v) { return vector_value(elements(type, *v.element, false)); },
                            [&](const SequenceType& s) { return sequence_value(elements(type, *s.element, true)); }},
                      type.node);
  }

  Atom atom(Prim p) {
    switch (p) {
      case Prim::Bool: return truth();
      case Prim::Int: return integer();
      case Prim::Real: return real();
      case Prim::Char: return character();
      case Prim::Unit: break;
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
      cursor_.fail(begin, cursor_.offset(), "this Char holds " + std::to_string(bytes.size()) + " bytes", "one byte", "");
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

// ---- at no type

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
  Type whole() {
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
      case '(': return tuple(begin, depth);
      case '[': return list(begin, Seen::Shape::Vector, ']', depth);
      case '{': return list(begin, Seen::Shape::Sequence, '}', depth);
      case '"': cursor_.quoted(); return {Seen::Shape::Vector, Prim::Unit, {known(Prim::Char)}};
      case '\'': cursor_.quoted(); return known(Prim::Char);
      default: break;
    }
    std::string_view word = cursor_.word();
    std::string expected = "a value: 12, -1.5, true, 'c', \"text\", (1,2.5), [1,2] or {1,2}";
    switch (kind_of(word)) {
      case WordKind::Integer: return known(Prim::Int);
      case WordKind::Fraction:
      case WordKind::Special: return known(Prim::Real);
      case WordKind::Truth: return known(Prim::Bool);
      case WordKind::Other: break;
    }
    if (word.empty()) cursor_.unexpected(expected);
    cursor_.fail(begin, begin + word.size(), "found `" + std::string(word.substr(0, 60)) + "`", expected, "");
  }

  static Seen known(Prim p) { return {Seen::Shape::Known, p, {}}; }

  Seen tuple(std::size_t begin, int depth) {
    cursor_.accept('(');
    Seen result{Seen::Shape::Tuple, Prim::Unit, {}};
    cursor_.items(begin, ')', [&] { result.parts.push_back(seen(depth + 1)); });
    return result;
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
      case Seen::Shape::Known: return prim(s.prim);
      case Seen::Shape::Vector: return vector_of(type(s.parts[0]));
      case Seen::Shape::Sequence: return sequence_of(type(s.parts[0]));
      case Seen::Shape::Nothing:
        cursor_.fail(s.begin, s.end, "the type of the elements of an empty list cannot be seen",
                     "at least one element where the program fits several types", "");
      case Seen::Shape::Tuple: break;
    }
    std::vector<Type> items;
    for (const Seen& part : s.parts) items.push_back(type(part));
    return tuple(std::move(items));
  }
  static Type tuple(std::vector<Type> items) { return snesl::tuple(std::move(items)); }

  Cursor cursor_;
};

// Runs a reader over a whole value.
template <class Result, class Reader, class... Argument>
Checked<Result> read_whole(SourceRef source, Result (Reader::*read)(const Argument&...), const Argument&... argument) {
  if (source->text.size() > std::numeric_limits<std::int32_t>::max())
    return tl::make_unexpected(Diagnostics{{{source, 0, 0}, "the value is too long", "at most 2 GiB of text", "give a .npy file"}});
  Reader reader(std::move(source));
  try {
    return (reader.*read)(argument...);
  } catch (const Abandoned&) {
    return tl::make_unexpected(std::move(reader.diagnostics()));
  }
}

}  // namespace
}  // namespace parsing

Checked<Value> parse_value(SourceRef source, const Type& type) {
  return parsing::read_whole<Value>(std::move(source), &parsing::ValueReader::whole, type);
}

Checked<Type> type_of_value(SourceRef source) {
  return parsing::read_whole<Type>(std::move(source), &parsing::TypeReader::whole);
}

}  // namespace lockstep::snesl
