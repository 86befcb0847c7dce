// Sizes and types from text.
#include "semantics/imperative/parse_types.h"

#include "semantics/text/operators.h"

namespace lockstep::imperative {

using reading::Token, reading::TokenKind;

namespace {
constexpr std::string_view symbols = ":= -> == != <= >= << >> && || ( ) [ ] { } < > , ; : . = | ^ & + - * / % ! @ \\";
constexpr reading::Manner manner{.words = {.symbols = symbols, .quotes = true, .suffixes = true, .components = true},
                                 .operators = reading::shared_operators,
                                 .whole = "text"};
}  // namespace

TypeParser::TypeParser(SourceRef source) : Reader(std::move(source), manner) {}

std::string TypeParser::word() { return std::string(name("a name").text); }

Size TypeParser::size() {
  return infix(
      size_atom(), [&] { return size_atom(); },
      [&](const Token& symbol, const Size& a, const Size& b) {
        if (symbol.text == "+") return a + b;
        if (symbol.text == "-") return a - b;
        return symbol.text == "*" ? a * b : symbol.text == "/" ? floor_div(a, b) : modulo(a, b);
      },
      reading::level_of(manner.operators, "+"));
}

Size TypeParser::size_atom() {
  const Deeper deeper(*this);
  if (accept("-")) return Size(0) - size_atom();
  if (accept("(")) {
    Size s = size();
    expect(")");
    return s;
  }
  if (at_kind(TokenKind::Number)) {
    const auto n = integer_of(ScalarType::I64, integer(peek().text), false);
    if (!n) unexpected("a size below 2^63");
    take();
    return n->integer();
  }
  return Size::name(word());
}

std::uint64_t TypeParser::integer(std::string_view digits) {
  const auto v = reading::number_value<std::uint64_t>(digits);
  if (!v) unexpected("a natural number");
  return *v;
}

SizeFact TypeParser::fact() {
  const Size left = size();
  const auto relation = accept("==")   ? SizeRelation::Equal
                        : accept("!=") ? SizeRelation::NotEqual
                        : accept("<=") ? SizeRelation::LessEqual
                                       : SizeRelation::Less;
  if (relation == SizeRelation::Less) expect("<");
  return {left, relation, size()};
}

Type TypeParser::type() {
  Type t = type_atom();
  return accept("->") ? function(std::move(t), type()) : t;
}

Type TypeParser::type_atom() {
  Type t = plain_type();
  if (as<ScalarType>(t) && accept("<")) {
    t = vector_type(t, size());
    expect(">");
  }
  return t;
}

Type TypeParser::plain_type() {
  if (accept("[")) {
    Size n = size();
    expect("]");
    return array(std::move(n), type_atom());
  }
  if (accept("(")) {
    std::vector<Type> parts{type()};
    while (accept(",")) parts.push_back(type());
    expect(")");
    Type t = parts.back();
    for (auto it = parts.rbegin() + 1; it != parts.rend(); ++it) t = pair(*it, t);
    return t;
  }
  const std::string name = word();
  if (const auto s = scalar_named(name)) return scalar(*s);
  if (name != "idx") unexpected("a type");
  expect("(");
  Size n = size();
  expect(")");
  return index_type(std::move(n));
}

PhraseType TypeParser::phrase_type() {
  PhraseType t = phrase_product_type();
  if (!accept("->")) return t;
  const bool passive = accept("p");
  return phrase_function(std::move(t), phrase_type(), passive);
}

PhraseType TypeParser::phrase_product_type() {
  PhraseType t = phrase_type_atom();
  return accept("x") ? phrase_product(std::move(t), phrase_type_atom()) : t;
}

PhraseType TypeParser::phrase_type_atom() {
  if (accept("comm")) return comm_type();
  if (accept("(")) {
    PhraseType t = phrase_type();
    expect(")");
    return t;
  }
  const std::string form = word();
  const Space s = accept("@") ? space() : Space::Auto;
  expect("[");
  const Type d = type();
  expect("]");
  if (form == "exp") return exp_type(d, s);
  if (form == "acc") return acc_type(d, s);
  if (form != "var") unexpected("exp, acc, var or comm");
  return var_type(d, s);
}

Space TypeParser::space() {
  for (const Space s : {Space::Global, Space::Local, Space::Private})
    if (accept(show(s))) return s;
  unexpected("Global, Local or Private");
}

}  // namespace lockstep::imperative
