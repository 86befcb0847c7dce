// Values of the command line: text to a value of a given type.
#include "semantics/snesl/parse.h"
#include "semantics/text/value_reader.h"

namespace lockstep::snesl {
namespace parsing {
namespace {

using namespace reading;

class TypedReader : public ValueReader {
 public:
  explicit TypedReader(SourceRef source) : ValueReader(std::move(source), {"Bool", "Int", "Real", "Char"}) {}
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
        return bool_atom(truth());
      case Prim::Int:
        return int_atom(integer());
      case Prim::Real:
        return real_atom(real());
      case Prim::Char:
        return char_atom(single_character());
      case Prim::Unit:
        break;
    }
    throw Bug("a value of the unit type");
  }

  Value tuple(const Type& type, const TupleType& t) {
    return tuple_value(components(show(type), t.items.size(), [&](std::size_t k) { return value(t.items[k]); }));
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
