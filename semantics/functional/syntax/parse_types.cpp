// Types, sizes and facts of .dpia. Sizes become normal forms at once; what their subtractions and divisions need is
// collected beside them.
#include <algorithm>

#include "semantics/functional/syntax/parse_grammar.h"

namespace lockstep::parsing {

surface::SourceType Parser::source_type() {
  std::uint32_t begin = peek().begin;
  surface::SourceType result{scalar(ScalarType::Bool), {}, {}};
  result.type = type(result.needs).type;
  result.region = region(begin, previous_.end);
  return result;
}

BuiltType Parser::checked(BuiltType t) {
  if (t.height > nesting_limit) too_deep();
  return t;
}

// type '->' type, to the right
BuiltType Parser::type(Needs& needs) {
  std::vector<BuiltType> chain;
  do {
    chain.push_back(type_operand(needs));
    if (chain.size() > nesting_limit) too_deep();
  } while (accept("->"));
  BuiltType result = std::move(chain.back());
  for (auto from = chain.rbegin() + 1; from != chain.rend(); ++from) {
    int height = 1 + std::max(from->height, result.height);
    result = checked({function(std::move(from->type), std::move(result.type)), height});
  }
  return result;
}

// '[' size ']' type, as often as it is written
BuiltType Parser::type_operand(Needs& needs) {
  std::vector<Size> lengths;
  while (at("[")) {
    Token opener = take();
    if (at("]")) unexpected("a size", "an array type says its length: `[n]f32`");
    lengths.push_back(size(needs).size);
    if (at(",")) unexpected("`]`", "a matrix is an array of arrays: `[m][n]f32`");
    close(opener, "]");
    if (lengths.size() > nesting_limit) too_deep();
  }
  BuiltType result = type_atom(needs);
  for (auto n = lengths.rbegin(); n != lengths.rend(); ++n)
    result = checked({array(std::move(*n), std::move(result.type)), result.height + 1});
  return result;
}

BuiltType Parser::type_atom(Needs& needs) {
  if (at("(")) return bracketed_type(needs);
  if (at_kind(TokenKind::Variable)) {
    BuiltType variable{type_variable(std::string(take().text.substr(1))), 0};
    if (dialect_ == Dialect::Primitive && at("<")) return short_vector(std::move(variable), needs);
    return variable;
  }
  if (at("nat"))
    unexpected("a type", "`nat` is only for an explicit size argument, `(k : nat)`; numbers are i64, indices idx(n)");
  if (!at_kind(TokenKind::Name)) unexpected("a type");
  return named_type(needs);
}

// '(' type (',' type)+ ')', and a type in parentheses
BuiltType Parser::bracketed_type(Needs& needs) {
  Deeper deeper(*this);
  Token opener = take();
  if (at(")")) unexpected("a type", "there is no empty tuple");
  std::vector<BuiltType> parts;
  do {
    parts.push_back(type(needs));
    if (parts.size() > nesting_limit) too_deep();
  } while (accept(","));
  close(opener, ")", ", or `,`");
  BuiltType result = std::move(parts.back());
  for (auto first = parts.rbegin() + 1; first != parts.rend(); ++first) {
    int height = 1 + std::max(first->height, result.height);
    result = checked({pair(std::move(first->type), std::move(result.type)), height});
  }
  return result;
}

BuiltType Parser::named_type(Needs& needs) {
  if (peek().text == "idx") {
    take();
    Token opener = expect("(", "an index type says its bound: `idx(n)`");
    Size bound = size(needs).size;
    close(opener, ")");
    return {index_type(std::move(bound)), 0};
  }
  std::optional<ScalarType> known = scalar_named(peek().text);
  if (!known) unknown_type();
  take();
  BuiltType result{scalar(*known), 0};
  if (at("<")) return short_vector(std::move(result), needs);
  return result;
}

void Parser::unknown_type() {
  static constexpr Mistake rows[] = {{"int", "write i32 or i64"},  {"Int", "write i64"},
                                     {"uint", "write u32 or u64"}, {"float", "write f32"},
                                     {"Float", "write f32"},       {"double", "write f64"},
                                     {"Double", "write f64"},      {"real", "write f64"},
                                     {"Real", "write f64"},        {"Bool", "write bool"},
                                     {"boolean", "write bool"},    {"char", "write u8"},
                                     {"byte", "write u8"},         {"usize", "write i64, or `nat` for a size argument"},
                                     {"f16", "write f32"}};
  std::string found(peek().text), mend;
  for (const Mistake& row : rows)
    if (row.found == found) mend = row.mend;
  std::vector<std::string> names{"idx"};
  for (const ScalarType t : scalar_types) names.emplace_back(show(t));
  std::string near = nearest_name(found, names);
  if (mend.empty()) mend = near.empty() ? "a type variable is written `'" + found + "`" : "did you mean " + near + "?";
  unexpected("a type: " + names_of_scalars() + ", [n]t, (t, t), idx(n), t<4>, 'a", mend);
}

// scalar '<' number '>'
BuiltType Parser::short_vector(BuiltType element, Needs& needs) {
  take();
  std::uint32_t begin = peek().begin;
  bool plain = dialect_ == Dialect::Primitive || at_kind(TokenKind::Number);
  if (!plain) unexpected("the width of a short vector: 2, 3, 4, 8 or 16");
  Size width = size(needs).size;
  auto n = width.constant();
  bool known = n && (*n == 2 || *n == 3 || *n == 4 || *n == 8 || *n == 16);
  if (dialect_ == Dialect::Program && !known)
    fail(region(begin, previous_.end), "found a short vector of another width", "a width of 2, 3, 4, 8 or 16", "");
  // f32<4>= and f32<4>> are written without a space by some
  if (peek().kind == TokenKind::Symbol && peek().text.size() == 2 && peek().text[0] == '>')
    drop_first_character();
  else
    expect(">");
  return {vector_type(std::move(element.type), std::move(width)), element.height + 1};
}

BuiltSize Parser::size(Needs& needs) {
  BuiltSize left = size_product(needs);
  while (at("+") || at("-")) {
    Token symbol = take();
    left = combine(symbol, left, size_product(needs), needs);
  }
  return left;
}

BuiltSize Parser::size_product(Needs& needs) {
  BuiltSize left = size_atom(needs);
  while (at("*") || at("/") || at("%")) {
    Token symbol = take();
    left = combine(symbol, left, size_atom(needs), needs);
  }
  return left;
}

BuiltSize Parser::size_atom(Needs& needs) {
  if (at_kind(TokenKind::Number)) return size_number();
  if (at("(")) {
    Deeper deeper(*this);
    Token opener = take();
    BuiltSize inside = size(needs);
    close(opener, ")");
    inside.region = region(opener.begin, previous_.end);
    return inside;
  }
  if (!at_kind(TokenKind::Name) || peek().text == "_")
    unexpected("a size: a number, a name, or + - * / % of sizes", at("-") ? "sizes are natural numbers" : "");
  Token t = take();
  return {Size::name(std::string(t.text)), 1, region(t)};
}

BuiltSize Parser::size_number() {
  NumberParts number = number_parts(peek().text);
  if (!number.suffix.empty() || number.fractional)
    unexpected("a size, which is a natural number without a suffix", "write a whole number such as 64");
  std::string_view digits = number.digits;
  if (number.hexadecimal) digits.remove_prefix(2);
  auto value = number_value<std::int64_t>(digits, number.hexadecimal ? 16 : 10);
  if (!value) unexpected("a size below 2^63");
  Token t = take();
  return {Size(*value), 1, region(t)};
}

namespace {

// The names and numbers that the normal form of `a symbol b` may come to, bounded before it is built.
double grown_weight(char symbol, double a, double b) {
  switch (symbol) {
    case '*':
      return a * b;
    case '/':
      return a + b + 1;
    case '%':
      return 2 * a + 2 * b + 1;
    case '+':
    case '-':
      return a + b;
  }
  throw Bug("sizes have no operator " + std::string(1, symbol));
}

// Nothing where a coefficient leaves 64 bits: core says Bug, but here the user wrote it.
}  // namespace

BuiltSize Parser::combine(const Token& symbol, const BuiltSize& left, const BuiltSize& right, Needs& needs) {
  Region all = region(left.region.begin, right.region.end);
  char op = symbol.text[0];
  bool divides = op == '/' || op == '%';
  if (divides && right.size == Size(0)) fail(all, "a size is divided by zero", "a divisor of at least 1", "");
  double weight = grown_weight(op, left.weight, right.weight);
  std::optional<Size> result;
  if (weight <= nesting_limit) result = combined(op, left.size, right.size);
  if (!result)
    fail(all, "this size is too large to reason about",
         "at most 1,000 names and numbers when multiplied out, and coefficients below 2^63",
         "give a part of it a name of its own, as a size argument, and state what is known of it with `where`");
  if (op == '-') needs.push_back({{right.size, SizeRelation::LessEqual, left.size}, all});
  if (divides) needs.push_back({{Size(1), SizeRelation::LessEqual, right.size}, all});
  return {*result, weight, all};
}

// size ('==' | '!=' | '<=' | '<' | '>=' | '>') size
surface::Fact Parser::fact() {
  surface::Fact result{{Size(0), SizeRelation::Equal, Size(0)}, {}, {}};
  BuiltSize left = size(result.needs);
  Token relation = peek();
  if (level_here() != comparison_level)
    unexpected("== != <= < >= or > between two sizes", at("=") ? "facts compare with `==`" : "");
  take();
  BuiltSize right = size(result.needs);
  result.region = region(left.region.begin, right.region.end);
  bool turned = relation.text[0] == '>';
  SizeRelation r = relation.text == "=="       ? SizeRelation::Equal
                   : relation.text == "!="     ? SizeRelation::NotEqual
                   : relation.text.size() == 2 ? SizeRelation::LessEqual
                                               : SizeRelation::Less;
  result.fact = turned ? SizeFact{right.size, r, left.size} : SizeFact{left.size, r, right.size};
  return result;
}

}  // namespace lockstep::parsing
