// Expressions and patterns of .dpia, tightest last: \ let if, |>, infix, prefix, indexing, application, atoms.
#include <algorithm>
#include <functional>

#include "semantics/functional/syntax/parse_grammar.h"

namespace lockstep::parsing {

using surface::Expr;
using surface::Pattern;

BuiltExpr Parser::binary(const Token& symbol, BuiltExpr left, BuiltExpr right) {
  std::uint32_t begin = left.tree.region.begin;
  BuiltExpr head = built(surface::Operator{std::string(symbol.text)}, symbol.begin, symbol.end, 0);
  return over<surface::Apply>(over<surface::Apply>(begin, symbol.end, std::move(head), std::move(left)),
                              std::move(right));
}

BuiltExpr Parser::expression() {
  if (at("\\")) return lambda();
  if (at("let")) return let();
  if (at("if"))
    return conditional<surface::If>([&] { return expression(); }, "every `if` has an `else`: both have a value");
  return pipe();
}

// '\' pattern+ '->' expr
BuiltExpr Parser::lambda() {
  Deeper deeper(*this);
  std::uint32_t begin = take().begin;
  std::vector<Pattern> patterns;
  int inside = 0;
  do {
    BuiltPattern p = pattern();
    inside = std::max(inside, p.height);
    patterns.push_back(std::move(p.pattern));
    if (patterns.size() > nesting_limit) too_deep();
  } while (!at("->") && !at("=") && !at("."));
  expect("->", "a function is written `\\x -> …`");
  BuiltExpr body = expression();
  int height = std::max(inside, body.height) + static_cast<int>(patterns.size());
  std::uint32_t end = body.tree.region.end;
  return built(surface::Lambda{std::move(patterns), std::move(body.tree)}, begin, end, height);
}

// 'let' pattern '=' expr 'in' expr
BuiltExpr Parser::let() {
  Deeper deeper(*this);
  Token start = take();
  BuiltPattern p = pattern();
  if (at_kind(TokenKind::Name) || at("_") || at("("))
    unexpected("`=`", "`let` takes one pattern; a local function is `let f = \\x -> … in …`");
  expect("=", at(":") ? "a `let` has no type: the compiler finds it" : "a local definition is `let x = … in …`");
  BuiltExpr value = expression();
  if (!at("in")) {
    std::string opener = "the `let` at " + where(start.begin);
    unexpected("`in`, which " + opener + " needs", at("=") ? "" : "write `in` after the value of " + opener);
  }
  take();
  BuiltExpr body = expression();
  int height = 1 + std::max({p.height, value.height, body.height});
  std::uint32_t end = body.tree.region.end;
  return built(surface::Let{std::move(p.pattern), std::move(value.tree), std::move(body.tree)}, start.begin, end,
               height);
}

// x |> f |> g  is  g (f x)
BuiltExpr Parser::pipe() {
  BuiltExpr value = operation();
  while (accept("|>")) {
    BuiltExpr function = operation();
    std::uint32_t begin = value.tree.region.begin, end = function.tree.region.end;
    value = over<surface::Apply>(begin, end, std::move(function), std::move(value));
  }
  return value;
}

BuiltExpr Parser::operation() {
  return infix(prefix(), std::bind_front(&Parser::prefix, this), std::bind_front(&Parser::binary, this));
}

// '-' expr | '!' expr | '~' expr
BuiltExpr Parser::prefix() {
  if (!at("-") && !at("!") && !at("~")) return indexing();
  const std::vector<Token> written = Reader::signs({"-", "!", "~"});
  Deeper deeper(*this, static_cast<int>(written.size()));
  BuiltExpr operand = indexing();
  for (auto sign = written.rbegin(); sign != written.rend(); ++sign) {
    std::uint32_t end = operand.tree.region.end;
    const auto* row = std::find_if(std::begin(surface::signs), std::end(surface::signs),
                                   [&](const surface::Sign& s) { return s.written == sign->text; });
    BuiltExpr head = built(surface::Operator{std::string(row->name)}, sign->begin, sign->end, 0);
    operand = over<surface::Apply>(sign->begin, end, std::move(head), std::move(operand));
  }
  return operand;
}

// a ! i ! j  is  (a ! i) ! j
BuiltExpr Parser::indexing() {
  BuiltExpr array = application();
  while (accept("!")) {
    if (at("-") || at("!") || at("~"))
      unexpected("an index", "after an operand `!` is indexing, and its index is parenthesised: `xs ! (-1)`");
    array = over<surface::Index>(std::move(array), application());
  }
  return array;
}

BuiltExpr Parser::application() {
  refuse_open_ended();
  BuiltExpr function = atom();
  for (;;) {
    bool argument =
        at_kind(TokenKind::Name) || at_kind(TokenKind::Number) || at("(") || at("[") || at("true") || at("false");
    if (at("\\")) refuse_open_ended();
    if (!argument) return function;
    function = over<surface::Apply>(std::move(function), atom());
  }
}

// \ let and if have no end of their own, so as operands and arguments they need parentheses.
void Parser::refuse_open_ended() {
  if (at("\\")) unexpected("parentheses around a function that is an operand or argument");
  if (at("let")) unexpected("parentheses around a `let` that is an operand");
  if (at("if")) unexpected("parentheses around an `if` that is an operand");
}

BuiltExpr Parser::atom() {
  if (at("(")) return parenthesised();
  if (at("[")) return array_literal();
  if (at_kind(TokenKind::Number)) return literal();
  if (at("true") || at("false")) {
    Token t = take();
    return built(surface::Literal{std::string(t.text), std::nullopt}, t.begin, t.end, 0);
  }
  if (!at_kind(TokenKind::Name)) unexpected("an expression");
  if (peek().text == "_") unexpected("an expression", "`_` stands only in patterns, for what is not used");
  Token t = take();
  return built(surface::Name{std::string(t.text)}, t.begin, t.end, 0);
}

// '(' expr ')' | '(' expr (',' expr)+ ')' | '(' op ')'
BuiltExpr Parser::parenthesised() {
  Deeper deeper(*this);
  Token opener = take();
  bool prefix_sign = (at("-") || at("!") || at("~")) && peek(1).text != ")";
  if (!prefix_sign && (level_here() != 0 || at("!") || at("~") || at("|>"))) return operator_function(opener);
  if (at(")")) unexpected("an expression", "there is no empty tuple");
  std::vector<BuiltExpr> found;
  items(opener, ")", [&] { found.push_back(expression()); });
  std::uint32_t begin = opener.begin, end = previous_.end;
  if (found.size() == 1) {
    found[0].tree.region = region(begin, end);
    return std::move(found[0]);
  }
  surface::Tuple tuple;
  int height = 0, n = static_cast<int>(std::min<std::size_t>(found.size(), tree_limit + 2));
  for (std::size_t i = 0; i < found.size(); ++i) {
    // (a, b, c) means (a, (b, c)), so the last two are the deepest
    height = std::max(height, found[i].height + std::min(static_cast<int>(i) + 1, n - 1));
    tuple.parts.push_back(std::move(found[i].tree));
  }
  return built(std::move(tuple), begin, end, height);
}

BuiltExpr Parser::operator_function(const Token& opener) {
  if (at("!")) unexpected("an operator", "`!` is no function: write `(\\x -> !x)` or `(\\xs i -> xs ! i)`");
  if (at("~")) unexpected("an operator", "`~` is no function: write `(\\x -> ~x)`");
  if (at("|>")) unexpected("an operator", "`|>` is no function: write `(\\x f -> f x)`");
  Token symbol = take();
  if (!at(")"))
    unexpected("`)`, after an operator that stands as a function",
               "an operation with one operand left out is written `(\\x -> x " + std::string(symbol.text) + " …)`");
  std::uint32_t end = take().end;
  return built(surface::Operator{std::string(symbol.text)}, opener.begin, end, 0);
}

BuiltExpr Parser::array_literal() {
  Deeper deeper(*this);
  Token opener = take();
  if (at("]")) unexpected("an expression", "an array of no elements is `replicate 0 x`, which says their type");
  surface::ArrayLiteral array;
  int height = 0;
  items(opener, "]", [&] {
    BuiltExpr part = expression();
    height = std::max(height, part.height);
    array.parts.push_back(std::move(part.tree));
  });
  return built(std::move(array), opener.begin, previous_.end, height + 1);
}

BuiltExpr Parser::literal() {
  NumberParts number = number_parts(peek().text);
  std::optional<ScalarType> suffix;
  if (!number.suffix.empty()) {
    suffix = scalar_named(number.suffix);
    if (!suffix || *suffix == ScalarType::Bool)
      unexpected("a number, alone or with a suffix" + names_of_scalars().substr(std::string_view("bool").size()),
                 "write a space where a name follows a number, `*` where a product is meant");
    if (number.fractional && !is_float(*suffix))
      unexpected("a floating suffix, f32 or f64, after a number with a point or an exponent",
                 "write " + std::string(number.digits) + "f32, or " + std::string(number.suffix) + " (" +
                     std::string(number.digits) + ") to convert it");
  }
  Token t = take();
  return built(surface::Literal{std::string(number.digits), suffix}, t.begin, t.end, 0);
}

// id | '_' | '(' pattern (',' pattern)+ ')'
BuiltPattern Parser::pattern() {
  if (at("(")) return tuple_pattern();
  if (at_kind(TokenKind::Name)) {
    Token t = take();
    if (t.text == "_") return {{surface::WildPattern{}, region(t)}, 0};
    return {{surface::NamePattern{std::string(t.text)}, region(t)}, 0};
  }
  if (at_kind(TokenKind::Number) || at("true") || at("false"))
    unexpected("a pattern", "a pattern only names parts; compare with `if x == …`");
  name("a pattern: a name, `_`, or `(a, b)`");
  throw Bug("a pattern that is a name was not taken");
}

BuiltPattern Parser::tuple_pattern() {
  Deeper deeper(*this);
  Token opener = take();
  surface::TuplePattern tuple;
  int height = 0;
  do {
    BuiltPattern part = pattern();
    if (tuple.parts.size() > nesting_limit) too_deep();
    height = std::max(height, part.height + static_cast<int>(tuple.parts.size()) + 1);
    tuple.parts.push_back(std::move(part.pattern));
  } while (accept(","));
  if (at(":")) unexpected("`)`", "a pattern carries no type: the compiler finds it");
  close(opener, ")", ", or `,`");
  if (height > tree_limit) too_high();
  if (tuple.parts.size() == 1) return {std::move(tuple.parts[0]), height};
  return {{std::move(tuple), region(opener.begin, previous_.end)}, height};
}

}  // namespace lockstep::parsing
