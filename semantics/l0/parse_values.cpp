// Values of the command line: text to a value of a given type of L0.
#include "semantics/l0/parse.h"
#include "semantics/text/value_reader.h"

namespace lockstep::l0 {
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
    const Deeper deeper(*this);
    std::vector<Token> opened;
    if (!as<TupleType>(type))
      while (at("(")) opened.push_back(take());
    Value v = match(
        type.node, [&](const TupleType& t) { return tuple(type, t); }, [&](ScalarType s) { return Value{scalar(s)}; },
        [&](const ArrayType& a) { return array(type, *a.element); });
    for (; !opened.empty(); opened.pop_back()) close(opened.back(), ")");
    return v;
  }

  Scalar scalar(ScalarType s) {
    if (s == ScalarType::I64) return integer();
    if (s == ScalarType::F64) return real();
    if (s == ScalarType::Bool) {
      if (word_kind() != WordKind::Truth) unexpected("a bool, true or false");
      return make_bool(take().text == "true");
    }
    if (s != ScalarType::U8) throw Bug("a value of no type of L0");
    if (at_kind(TokenKind::Text)) unexpected("a char, such as 'c'", "a char stands between single quotes");
    if (!at_kind(TokenKind::Char)) unexpected("a char, such as 'c' or '\\n'");
    return make_integer(ScalarType::U8, character(take()));
  }

  Scalar integer() {
    const WordKind kind = word_kind();
    if (kind == WordKind::Fraction) unexpected("an int, a whole number without point or exponent");
    if (kind != WordKind::Integer) unexpected("an int, such as 12 or -3");
    const Token word = take();
    const auto n = number_value<std::int64_t>(word.text);
    if (!n)
      fail(region(word), "this number is too large for an int",
           "a number from -9223372036854775808 to 9223372036854775807");
    return make_integer(ScalarType::I64, static_cast<std::uint64_t>(*n));
  }

  Scalar real() {
    const WordKind kind = word_kind();
    if (kind == WordKind::Special) return make_ieee(ScalarType::F64, special_value(take().text));
    if (kind != WordKind::Integer && kind != WordKind::Fraction) unexpected("a real, such as 1.5, -2 or 1e-3");
    const Token word = take();
    const auto r = real_value(word.text);
    if (!r)
      fail(region(word), "this number is too large for a real", "at most 1.7976931348623157e308",
           "infinity is written inf");
    return make_ieee(ScalarType::F64, *r);
  }

  Value tuple(const Type& type, const TupleType& t) {
    const std::string wanted = "a value of type " + show(type);
    if (!at("(")) unexpected(wanted);
    const Token opener = take();
    Values found;
    items_or_none(opener, ")", [&] {
      if (found.size() == t.items.size())
        unexpected(wanted + ", which has " + std::to_string(t.items.size()) + " parts");
      found.push_back(value(t.items[found.size()]));
    });
    if (found.size() != t.items.size())
      fail(region(opener.begin, previous_.end), "this tuple has " + std::to_string(found.size()) + " parts",
           wanted + ", which has " + std::to_string(t.items.size()));
    return tuple_value(std::move(found));
  }

  // Every list of the command line stands in brackets; an empty one has no rows, so that they have no lengths.
  Value array(const Type& type, const Type& element) {
    Gathering all(element);
    const auto add = [&](const Value& v, std::uint32_t begin) {
      if (const auto wrong = all.add(v))
        fail(region(begin, previous_.end), "this array is irregular: " + *wrong,
             "rows of one shape, also inside tuples");
    };
    if (is(element, ScalarType::U8) && at_kind(TokenKind::Text)) {
      const Token text = take();
      for (const char c : unquoted(text))
        add({make_integer(ScalarType::U8, static_cast<unsigned char>(c))}, text.begin);
    } else {
      if (!at("["))
        unexpected("a value of type " + show(type) + ", such as […]",
                   at("{") ? "on the command line an array stands in [ ]" : "");
      const Token opener = take();
      items_or_none(opener, "]", [&] {
        const std::uint32_t begin = peek().begin;
        const Value v = value(element);
        add(v, begin);
      });
    }
    std::vector<Dimensions> none;
    for (const LeafType& leaf : leaves_of(element)) none.emplace_back(leaf.rank);
    return all.finish(none);
  }
};

}  // namespace
}  // namespace parsing

Checked<Value> parse_value(SourceRef source, const Type& type) {
  parsing::TypedReader reader(std::move(source));
  return reading::read_whole(reader, [&] { return reader.whole(type); });
}

Value text_value(std::string_view bytes) {
  Array a = array_of_scalars(ScalarType::U8, Shape({static_cast<std::int64_t>(bytes.size())}));
  for (std::size_t k = 0; k < bytes.size(); ++k) a.data->bits[k] = static_cast<unsigned char>(bytes[k]);
  return {std::move(a)};
}

}  // namespace lockstep::l0
