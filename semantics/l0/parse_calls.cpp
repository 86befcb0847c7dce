// What an expression of L0 begins with: names, calls, built-ins, array operations and their functions, literals.
#include <algorithm>

#include "semantics/l0/operators.h"
#include "semantics/l0/parse_grammar.h"
#include "semantics/l0/words.h"

namespace lockstep::l0::parsing {

BuiltExpr Parser::atom() {
  if (at_kind(TokenKind::Name)) return named();
  if (at_kind(TokenKind::Number)) return number(std::nullopt);
  if (at_kind(TokenKind::Char) || at_kind(TokenKind::Text)) return quotation();
  if (at("(")) return parenthesised();
  if (at("{")) return array();
  if (at_kind(TokenKind::Keyword)) {
    const std::string_view word = peek().text;
    if (word == "true" || word == "false" || word == "True" || word == "False") return truth();
    if (word == "flatten") return flatten();
    if (word == "transpose") return transpose();
    if (const auto op = built_in_named(word)) return built_in(*op);
    if (const auto op = soac_named(word)) return soac(*op);
  }
  unexpected("an expression");
}

// id | id '[' exprs ']' | id '(' exprs? ')'
BuiltExpr Parser::named() {
  if (peek().text == "_") unexpected("an expression", "`_` stands only in patterns, for what is not used");
  const Token id = take();
  if (at("(")) return call(id);
  if (at("[")) return indexed(id);
  return built(Variable{std::string(id.text)}, id.begin, id.end, 0);
}

BuiltExpr Parser::indexed(const Token& id) {
  const Deeper deeper(*this);
  const Token opener = take();
  std::vector<BuiltExpr> indices = arguments(opener, "]");
  const int height = 1 + highest(indices);
  BuiltExpr result =
      built(IndexExpr{std::string(id.text), region(id), refs(std::move(indices))}, id.begin, previous_.end, height);
  if (at("["))
    unexpected("an operator, or the end of the expression", "several indices stand in one pair of brackets: `a[i, j]`");
  return result;
}

BuiltExpr Parser::call(const Token& id) {
  const Deeper deeper(*this);
  const Token opener = take();
  std::vector<BuiltExpr> found;
  if (!accept(")")) found = arguments(opener, ")");
  const int height = 1 + highest(found);
  return built(CallExpr{std::string(id.text), refs(std::move(found))}, id.begin, previous_.end, height);
}

// '(' expr ')' | '(' expr ',' exprs ')'
BuiltExpr Parser::parenthesised() {
  const Deeper deeper(*this);
  const Token opener = take();
  if (at(")")) unexpected("an expression", "there is no empty tuple");
  std::vector<BuiltExpr> found = arguments(opener, ")");
  if (found.size() == 1) {
    found[0].tree.region = region(opener.begin, previous_.end);
    return std::move(found[0]);
  }
  const int height = 1 + highest(found);
  return built(TupleExpr{refs(std::move(found))}, opener.begin, previous_.end, height);
}

// '{' exprs '}'
BuiltExpr Parser::array() {
  const Deeper deeper(*this);
  const Token opener = take();
  if (at("}")) unexpected("an expression", "`{}` has no type: an empty array of what v is, is `replicate(0, v)`");
  std::vector<BuiltExpr> found = arguments(opener, "}");
  const int height = 1 + highest(found);
  return built(ArrayExpr{refs(std::move(found))}, opener.begin, previous_.end, height);
}

std::vector<BuiltExpr> Parser::arguments(const Token& opener, const char* closer) {
  std::vector<BuiltExpr> found;
  found.push_back(expression());
  after_commas(found, closer, [&] { return expression(); });
  close(opener, closer, ", or `,`");
  return found;
}

BuiltExpr Parser::built_in(BuiltIn op) {
  const Deeper deeper(*this);
  const BuiltInWord& word = built_in_words[op];
  const Token id = take();
  const Token opener = expect("(", "arguments stand in parentheses");
  std::vector<BuiltExpr> found = arguments(opener, ")");
  if (found.size() < word.least || found.size() > word.most) {
    const std::string n =
        word.least == word.most ? std::to_string(word.least) : "at least " + std::to_string(word.least);
    fail(region(id.begin, previous_.end),
         "`" + std::string(word.name) + "` is given " + std::to_string(found.size()) +
             (found.size() == 1 ? " argument" : " arguments"),
         n, op == BuiltIn::Zip || op == BuiltIn::AssertZip ? "the arrays stand side by side: `zip(a, b)`" : "");
  }
  const int height = 1 + highest(found);
  return built(BuiltInExpr{op, refs(std::move(found))}, id.begin, previous_.end, height);
}

// A number, with a sign where one may stand before it.
std::int64_t Parser::dimension(bool sign_allowed) {
  const bool negative = sign_allowed && accept("~");
  const int n = small_number(sign_allowed ? "by how many places, such as 1 or ~1" : "the number of a dimension");
  return negative ? -n : n;
}

// 'transpose' '(' expr ')' | 'transpose' '(' nat ',' '~'? nat ',' expr ')'
BuiltExpr Parser::transpose() {
  const bool shift = peek(1).is("(") && peek(2).kind == TokenKind::Number && peek(3).is(",");
  if (!shift) return built_in(BuiltIn::Transpose);
  const Deeper deeper(*this);
  const Token id = take(), opener = take();
  const std::int64_t k = dimension(false);
  expect(",");
  const std::int64_t places = dimension(true);
  expect(",", "a dimension moves by so many places: `transpose(k, j, a)`");
  BuiltExpr moved = expression();
  close(opener, ")");
  const int height = 1 + moved.height;
  return built(ShiftExpr{k, places, std::move(moved.tree)}, id.begin, previous_.end, height);
}

// 'flatten' '(' nat ',' expr ')'
BuiltExpr Parser::flatten() {
  const Deeper deeper(*this);
  const Token id = take();
  const Token opener = expect("(", "`flatten(n, a)` joins the first n dimensions of a");
  const std::int64_t n = dimension(false);
  expect(",", "`flatten(n, a)` joins the first n dimensions of a");
  BuiltExpr of = expression();
  close(opener, ")");
  const int height = 1 + of.height;
  return built(FlattenExpr{n, std::move(of.tree)}, id.begin, previous_.end, height);
}

BuiltExpr Parser::soac(Soac op) {
  const Deeper deeper(*this);
  const SoacWord& word = soac_words[op];
  const Token id = take();
  const std::string name(word.name);
  const Token opener = expect("(", "`" + name + "` is given a function and arrays in parentheses");
  SoacExpr result{op, {}, {}};
  int height = 0;
  for (std::size_t k = 0; k < word.functions; ++k) {
    if (k > 0) expect(",", "`" + name + "` has two functions");
    BuiltFn f = function_place();
    height = std::max(height, f.height);
    result.functions.push_back(std::move(f.fn));
  }
  expect(",", "what `" + name + "` goes over follows its function");
  std::vector<BuiltExpr> found = arguments(opener, ")");
  if (found.size() < word.least || found.size() > word.most) {
    const bool starts = op == Soac::Reduce || op == Soac::Scan;
    fail(region(id.begin, previous_.end),
         "`" + name + "` is given " + std::to_string(found.size()) + (found.size() == 1 ? " argument" : " arguments") +
             " after its function",
         word.most == any_number ? "a start and an array at least"
         : starts                ? "a start and an array"
                                 : "an array",
         starts            ? "`" + name + "(op +, 0, a)`"
         : word.least == 1 ? "of several arrays it is `" + name + "(f, zip(a, b))`"
                           : "");
  }
  height = 1 + std::max(height, highest(found));
  result.arguments = refs(std::move(found));
  return built(std::move(result), id.begin, previous_.end, height);
}

// fn ::= 'fn' type '(' params ')' '=>' expr | id ('(' exprs ')')? | 'op' binop ('(' expr ')')? | 'op' ('~' | 'not')
Parser::BuiltFn Parser::function_place() {
  if (at("fn")) return lambda();
  if (at("op")) return operator_place();
  if (at_kind(TokenKind::Name)) return named_place();
  unexpected("a function: `fn t (…) => …`, the name of one, or `op +`",
             infix_here() ? "an operator as a function is `op " + std::string(peek().text) + "`" : "");
}

Parser::BuiltFn Parser::lambda() {
  const Deeper deeper(*this);
  const Token start = take();
  if (at("(") && peek(1).is(")")) unexpected("the type of what the function gives");
  Type result = type();
  if (at_kind(TokenKind::Name)) unexpected("`(` and the parameters", "a function after `fn` has no name");
  std::vector<Parameter> formal = parameters();
  if (formal.empty()) report(region(start.begin, previous_.end), "this function has no parameters", "at least one", "");
  expect("=>", "what the function gives follows `=>`");
  BuiltExpr body = expression();
  const Region all = region(start.begin, body.tree.region.end);
  const int height = 1 + body.height;
  return {{Lambda{std::move(result), std::move(formal), std::move(body.tree)}, all}, height};
}

Parser::BuiltFn Parser::operator_place() {
  const Token start = take();
  if (at("~") || at("not")) {
    const Token sign = take();
    return {{PrefixFunction{sign.text == "~" ? Prefix::Negate : Prefix::Not}, region(start.begin, sign.end)}, 0};
  }
  if (!infix_here()) unexpected("an operator: `op +`, `op ~`");
  const Token symbol = take();
  OperatorFunction f{infix_written(symbol.text), std::nullopt};
  if (!at("(")) return {{std::move(f), region(start.begin, symbol.end)}, 0};
  const Deeper deeper(*this);
  const Token opener = take();
  BuiltExpr first = expression();
  close(opener, ")");
  f.first = std::move(first.tree);
  return {{std::move(f), region(start.begin, previous_.end)}, first.height + 1};
}

Parser::BuiltFn Parser::named_place() {
  const Token id = take();
  NamedFunction f{std::string(id.text), {}};
  if (!at("(")) return {{std::move(f), region(id)}, 0};
  const Deeper deeper(*this);
  const Token opener = take();
  std::vector<BuiltExpr> first = arguments(opener, ")");
  const int height = 1 + highest(first);
  f.arguments = refs(std::move(first));
  return {{std::move(f), region(id.begin, previous_.end)}, height};
}

BuiltExpr Parser::literal(Scalar value, std::uint32_t begin, std::uint32_t end) {
  return built(Literal{std::move(value)}, begin, end, 0);
}

BuiltExpr Parser::truth() {
  const Token t = take();
  return literal(make_bool(t.text == "true" || t.text == "True"), t.begin, t.end);
}

BuiltExpr Parser::quotation() {
  const Token t = take();
  if (t.kind == TokenKind::Char) return literal(make_integer(ScalarType::U8, character(t)), t.begin, t.end);
  return built(TextLiteral{unquoted(t)}, t.begin, t.end, 0);
}

BuiltExpr Parser::number(const std::optional<Token>& minus) {
  const Token t = take();
  const std::uint32_t begin = minus ? minus->begin : t.begin;
  const NumberParts parts = number_parts(t.text);
  if (parts.hexadecimal) {
    const auto magnitude = number_value<std::uint64_t>(t.text.substr(2), 16);
    const auto value = magnitude ? integer_of(ScalarType::I64, *magnitude, minus.has_value()) : std::nullopt;
    if (!value)
      report(region(begin, t.end), "this number is too large for an int",
             "a number from ~9223372036854775808 to 9223372036854775807", "");
    return literal(value.value_or(make_integer(ScalarType::I64, 0)), begin, t.end);
  }
  std::string digits = (minus ? "-" : "") + std::string(t.text);
  std::replace(digits.begin(), digits.end(), '~', '-');
  if (digits.find_first_of(".eE") != std::string::npos) {
    const std::optional<double> value = real_value(digits);
    if (!value)
      report(region(begin, t.end), "this number is too large for a real", "at most 1.7976931348623157e308", "");
    return literal(make_ieee(ScalarType::F64, value.value_or(0)), begin, t.end);
  }
  const auto value = number_value<std::int64_t>(digits);
  if (!value)
    report(region(begin, t.end), "this number is too large for an int",
           "a number from ~9223372036854775808 to 9223372036854775807", "a real is written with a point: 1.0e19");
  return literal(make_integer(ScalarType::I64, static_cast<std::uint64_t>(value.value_or(0))), begin, t.end);
}

}  // namespace lockstep::l0::parsing
