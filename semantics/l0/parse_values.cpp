// Values of the command line: text to a value of a given type of L0.
#include "semantics/l0/parse.h"
#include "semantics/text/value_reader.h"

namespace lockstep::l0 {
namespace parsing {
namespace {

using namespace reading;

class TypedReader : public ValueReader {
 public:
  explicit TypedReader(SourceRef source) : ValueReader(std::move(source), {"bool", "int", "real", "char"}) {}
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
    Value v = match(
        type.node, [&](const TupleType& t) { return tuple(type, t); }, [&](ScalarType s) { return Value{scalar(s)}; },
        [&](const ArrayType& a) { return array(type, *a.element); });
    for (; !opened.empty(); opened.pop_back()) close(opened.back(), ")");
    return v;
  }

  Scalar scalar(ScalarType s) {
    if (s == ScalarType::I64) return make_integer(s, static_cast<std::uint64_t>(integer()));
    if (s == ScalarType::F64) return make_ieee(s, real());
    if (s == ScalarType::Bool) return make_bool(truth());
    if (s == ScalarType::U8) return make_integer(s, single_character());
    throw Bug("a value of no type of L0");
  }

  Value tuple(const Type& type, const TupleType& t) {
    return tuple_value(components(show(type), t.items.size(), [&](std::size_t k) { return value(t.items[k]); }));
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
