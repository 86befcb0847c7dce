// Expressions of FCL, loosest first: fn, let and if, |>, infix operators, prefix, composition, application, atoms.
#include <algorithm>
#include <functional>

#include "semantics/fcl/operators.h"
#include "semantics/fcl/parse_grammar.h"

namespace lockstep::fcl::parsing {

// fn, let and if extend as far right as they can, as the last operand of an operator too.
BuiltExpr Parser::expression() {
  if (at("fn")) return function();
  if (at("let")) return let();
  if (at("if"))
    return conditional<IfExpr>(std::bind_front(&Parser::expression, this),
                               "every `if` has an `else`: both have a value");
  return pipe();
}

// 'fn' (id | '<' id '>')+ '=>' expr
BuiltExpr Parser::function() {
  const Deeper deeper(*this);
  const Token start = take();
  if (at("=>")) unexpected("a parameter", "a function has at least one: `fn x => …`");
  std::vector<Parameter> formal = parameters("=>");
  expect("=>");
  BuiltExpr body = expression();
  const std::uint32_t end = body.tree.region.end;
  const int height = 1 + body.height;
  return built(FnExpr{std::move(formal), std::move(body.tree)}, start.begin, end, height);
}

// 'let' (id '=' expr)+ 'in' expr
BuiltExpr Parser::let() {
  const Deeper deeper(*this);
  const Token start = take();
  std::vector<Binding> bindings;
  int height = 0;
  do {
    const Token id = name("the name of a local definition",
                          at("(") ? "a definition binds one name: the parts of a pair are `fst p` and `snd p`" : "");
    if (at_kind(TokenKind::Name) || at("<")) unexpected("`=`", "a local function is `let f = fn x => … in …`");
    expect("=", at(":") ? "a local definition carries no type" : "a local definition is `let x = … in …`");
    BuiltExpr value = expression();
    height = std::max(height, value.height);
    bindings.push_back({std::string(id.text), std::move(value.tree), region(id)});
  } while (!at("in") && at_kind(TokenKind::Name));
  if (!at("in"))
    unexpected("`in`, for the `let` at " + where(start.begin), "write `in` after the last definition of the `let`");
  take();
  BuiltExpr body = expression();
  height = 1 + std::max(height, body.height);
  const std::uint32_t end = body.tree.region.end;
  Expr all = fcl::let(std::move(bindings), std::move(body.tree));
  return built(std::move(all.node), start.begin, end, height);
}

// x |> f |> g  is  (x |> f) |> g
BuiltExpr Parser::pipe() {
  BuiltExpr value = operation();
  while (accept("|>")) value = over<PipeExpr>(std::move(value), at_open() ? expression() : operation());
  return value;
}

BuiltExpr Parser::operation() {
  return infix(operand(), std::bind_front(&Parser::operand, this), std::bind_front(&Parser::binary, this));
}

BuiltExpr Parser::binary(const Token& symbol, BuiltExpr left, BuiltExpr right) {
  const std::uint32_t begin = left.tree.region.begin, end = right.tree.region.end;
  const int height = 1 + std::max(left.height, right.height);
  return built(InfixExpr{infix_written(symbol.text), std::move(left.tree), std::move(right.tree), region(symbol)},
               begin, end, height);
}

BuiltExpr Parser::operand() {
  if (at_open()) return expression();
  return at("-") || at("!") ? signed_operand() : composition();
}

// '-' expr | '!' expr; `-` before a number is its sign, so that the least int is one.
BuiltExpr Parser::signed_operand() {
  std::vector<Token> signs = Reader::signs({"-", "!"});
  const Deeper deeper(*this, static_cast<int>(signs.size()));
  std::optional<Token> minus;
  if (signs.back().text == "-" && at_kind(TokenKind::Number)) {
    minus = signs.back();
    signs.pop_back();
  }
  BuiltExpr inside = minus ? number(minus) : at_open() ? expression() : composition();
  for (auto sign = signs.rbegin(); sign != signs.rend(); ++sign) {
    const std::uint32_t end = inside.tree.region.end;
    const int height = 1 + inside.height;
    inside = built(PrefixExpr{sign->text == "-" ? Prefix::Negate : Prefix::Not, std::move(inside.tree)}, sign->begin,
                   end, height);
  }
  return inside;
}

// f . g . h  is  f . (g . h)
BuiltExpr Parser::composition() {
  std::vector<BuiltExpr> parts;
  parts.push_back(application());
  while (accept(".")) parts.push_back(application());
  BuiltExpr all = std::move(parts.back());
  for (auto f = std::next(parts.rbegin()); f != parts.rend(); ++f)
    all = over<ComposeExpr>(std::move(*f), std::move(all));
  return all;
}

// A name before `=` is the next definition of a let.
bool Parser::at_argument() {
  if (at_kind(TokenKind::Name)) return !peek(1).is("=");
  return at_kind(TokenKind::Number) || at("(") || at("[") || at("true") || at("false") || at("#BlockSize") ||
         at("#WarpSize");
}

// expr expr | expr '<' level '>'
BuiltExpr Parser::application() {
  BuiltExpr function = atom();
  for (;;) {
    if (at("<")) {
      const std::uint32_t opens = peek().begin;
      const std::optional<Level> l = level_in_angles();
      if (!l) return function;
      const std::uint32_t begin = function.tree.region.begin, end = previous_.end;
      const int height = 1 + function.height;
      function = built(LevelApplyExpr{std::move(function.tree), *l, region(opens, end)}, begin, end, height);
    } else if (at_argument()) {
      function = over<ApplyExpr>(std::move(function), atom());
    } else {
      if (at("fn") || at("let") || at("if")) unexpected("an operator, or the end of the expression");
      return function;
    }
  }
}

BuiltExpr Parser::atom() {
  if (at("(")) return parenthesised();
  if (at("[")) return array();
  if (at_kind(TokenKind::Number)) return number(std::nullopt);
  if (at("true") || at("false")) {
    const Token t = take();
    return built(Literal{make_bool(t.text == "true")}, t.begin, t.end, 0);
  }
  if (at("#BlockSize") || at("#WarpSize")) {
    const Token t = take();
    return built(SettingExpr{t.text == "#BlockSize" ? Setting::BlockSize : Setting::WarpSize}, t.begin, t.end, 0);
  }
  if (!at_kind(TokenKind::Name)) unexpected("an expression");
  const Token t = take();
  if (t.text == "_") fail(region(t), "found `_` as an expression", "an expression", "`_` names what is not used");
  return built(Variable{std::string(t.text)}, t.begin, t.end, 0);
}

// '(' expr ')' | '(' expr ',' expr ')' | '(' op ')'
BuiltExpr Parser::parenthesised() {
  const Deeper deeper(*this);
  const Token opener = take();
  const bool is_operator = infix_here() && peek(1).is(")");
  if (is_operator) {
    const Token symbol = take();
    const std::uint32_t end = take().end;
    return built(OperatorExpr{infix_written(symbol.text)}, opener.begin, end, 0);
  }
  if (at("|>") || at(".") || (at("!") && peek(1).is(")")))
    unexpected("an expression", "`" + std::string(peek().text) + "` is no function: write `(fn x => …)`");
  if (infix_here() && !at("-"))
    unexpected("an expression", "part of an operation is written `(fn x => x " + std::string(peek().text) + " …)`");
  if (at(")")) unexpected("an expression", "there is no empty tuple");
  BuiltExpr first = expression();
  if (accept(",")) {
    BuiltExpr second = expression();
    if (at(",")) unexpected("`)`", "there are pairs only: `(a, (b, c))`");
    close(opener, ")");
    const std::uint32_t end = previous_.end;
    return over<PairExpr>(opener.begin, end, std::move(first), std::move(second));
  }
  close(opener, ")", ", or `,`");
  first.tree.region = region(opener.begin, previous_.end);
  return first;
}

// '[' (expr (',' expr)*)? ']'
BuiltExpr Parser::array() {
  const Deeper deeper(*this);
  const Token opener = take();
  std::vector<BuiltExpr> found;
  items_or_none(opener, "]", [&] { found.push_back(expression()); });
  const int height = 1 + highest(found);
  return built(ArrayExpr{refs(std::move(found))}, opener.begin, previous_.end, height);
}

BuiltExpr Parser::number(const std::optional<Token>& minus) {
  const Token t = take();
  const std::uint32_t begin = minus ? minus->begin : t.begin;
  const NumberParts parts = number_parts(t.text);
  const std::string digits = (minus ? "-" : "") + std::string(t.text);
  if (parts.fractional) {
    const std::optional<double> value = real_value(digits);
    if (!value)
      report(region(begin, t.end), "this number is too large for a double", "at most 1.7976931348623157e308", "");
    return built(Literal{make_ieee(ScalarType::F64, value.value_or(0))}, begin, t.end, 0);
  }
  const auto magnitude =
      number_value<std::uint64_t>(parts.hexadecimal ? t.text.substr(2) : t.text, parts.hexadecimal ? 16 : 10);
  const auto value = magnitude ? integer_of(ScalarType::I32, *magnitude, minus.has_value()) : std::nullopt;
  if (!value)
    report(region(begin, t.end), "this number is too large for an int", "a number from -2147483648 to 2147483647",
           "a double is written with a point: 1.0e19");
  return built(Literal{value.value_or(make_integer(ScalarType::I32, 0))}, begin, t.end, 0);
}

}  // namespace lockstep::fcl::parsing
