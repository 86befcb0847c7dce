// Expressions of .snesl, loosest first: let and if, ? :, ++ and the infix operators, prefix, infix !, .k
#include <algorithm>
#include <functional>

#include "semantics/snesl/operators.h"
#include "semantics/snesl/parse_grammar.h"

namespace lockstep::snesl::parsing {

using surface::Expr;

// let and if extend as far right as they can, as the last operand of an operator too.
BuiltExpr Parser::expression() { return at("let") ? let() : at("if") ? choice() : select(); }

// 'if' expr 'then' expr 'else' expr
BuiltExpr Parser::choice() {
  return conditional<surface::IfExpr>(std::bind_front(&Parser::expression, this),
                                      "every `if` has an `else`; zero or one element is `{… | condition}`");
}

// 'let' pat '=' expr (';' pat '=' expr)* 'in' expr
BuiltExpr Parser::let() {
  Deeper deeper(*this);
  Token start = take();
  surface::LetExpr found{{}, Expr{}};
  int height = 0;
  do {
    surface::Pattern p = pattern();
    refuse_repeated_names({&p});
    if (at("(") || at_kind(TokenKind::Name))
      unexpected("`=`", "a `let` takes one pattern; a function is defined at the top of the file, with `fun`");
    expect("=", at(":") ? "a `let` carries no type: it is inferred" : "a local definition is `let x = … in …`");
    BuiltExpr value = expression();
    height = std::max(height, value.height);
    found.bindings.push_back({std::move(p), std::move(value.tree)});
    if (found.bindings.size() > nesting_limit) too_deep();
  } while (accept(";"));
  if (!at("in")) {
    bool separator = at(",") || at("let");
    unexpected("`in` or `;`, for the `let` at " + where(start.begin),
               separator ? "bindings are separated by `;`: `let a = 1; b = 2 in …`" : "");
  }
  take();
  BuiltExpr body = expression();
  // each binding sees those before it, so it stands inside them
  height = std::max(height, body.height) + static_cast<int>(found.bindings.size());
  std::uint32_t end = body.tree.region.end;
  found.body = std::move(body.tree);
  return built(std::move(found), start.begin, end, height);
}

// Each level begins with what is mostly all of it and continues in a function of its own: 1,000 levels of brackets
// pass through all of them, with every frame on the stack.
BuiltExpr Parser::select() {
  BuiltExpr first = operation();
  if (!at("?")) return first;
  return arms(std::move(first));
}

// c ? a : d ? b : e  is  c ? a : (d ? b : e): a list of arms, not a recursion.
BuiltExpr Parser::arms(BuiltExpr last) {
  struct Arm {
    BuiltExpr condition, yes;
  };
  std::vector<Arm> arms;
  while (at("?")) {
    Token question = take();
    if (here_.in_head && !here_.question) here_.question = question;
    Deeper deeper(*this);
    BuiltExpr yes = expression();
    if (!at(":")) {
      refuse_direct_select();
      unexpected("`:`, for the `?` at " + where(question.begin));
    }
    take();
    arms.push_back({std::move(last), std::move(yes)});
    if (arms.size() > nesting_limit) too_deep();
    last = operation();
  }
  for (auto arm = arms.rbegin(); arm != arms.rend(); ++arm) {
    std::uint32_t begin = arm->condition.tree.region.begin, end = last.tree.region.end;
    last = over<surface::SelectExpr>(begin, end, std::move(arm->condition), std::move(arm->yes), std::move(last));
  }
  return last;
}

BuiltExpr Parser::operation() {
  return infix(operand(), std::bind_front(&Parser::operand, this), std::bind_front(&Parser::binary, this));
}

BuiltExpr Parser::binary(const Token& symbol, BuiltExpr left, BuiltExpr right) {
  if (symbol.text == "++") return over<surface::AppendExpr>(std::move(left), std::move(right));
  std::uint32_t begin = left.tree.region.begin, end = right.tree.region.end;
  int height = 1 + std::max(left.height, right.height);
  return built(surface::InfixExpr{infix_written(symbol.text), std::move(left.tree), std::move(right.tree)}, begin, end,
               height);
}

bool Parser::at_sign() { return at("-") || at("!") || at("#") || at("&"); }

BuiltExpr Parser::operand() {
  if (at("let") || at("if")) return expression();
  return at_sign() ? signed_operand() : indexing();
}

// '&' expr | '#' expr | '-' expr | '!' expr; a minus before a number is its sign, so that the least Int is one.
BuiltExpr Parser::signed_operand() {
  std::vector<Token> signs = Reader::signs({"-", "!", "#", "&"});
  Deeper deeper(*this, static_cast<int>(signs.size()));
  bool alone = peek(1).text != "!" && peek(1).text != ".";
  bool negative = signs.back().text == "-" && at_kind(TokenKind::Number) && alone;
  std::optional<Token> minus;
  if (negative) {
    minus = signs.back();
    signs.pop_back();
  }
  BuiltExpr inside = minus ? number(minus) : at("let") || at("if") ? expression() : indexing();
  for (auto sign = signs.rbegin(); sign != signs.rend(); ++sign) {
    using surface::Prefix;
    Prefix op = sign->text == "&"   ? Prefix::Iota
                : sign->text == "#" ? Prefix::Length
                : sign->text == "-" ? Prefix::Negate
                                    : Prefix::Not;
    std::uint32_t end = inside.tree.region.end;
    int height = 1 + inside.height;
    inside = built(surface::PrefixExpr{op, std::move(inside.tree)}, sign->begin, end, height);
  }
  return inside;
}

BuiltExpr Parser::indexing() {
  BuiltExpr vector = projection();
  if (!at("!")) return vector;
  return indexed(std::move(vector));
}

// v ! i ! j  is  (v ! i) ! j; a sign after `!` can only belong to the index: v ! -1
BuiltExpr Parser::indexed(BuiltExpr vector) {
  while (accept("!")) {
    BuiltExpr index = at_sign() || at("let") || at("if") ? operand() : projection();
    vector = over<surface::IndexExpr>(std::move(vector), std::move(index));
  }
  return vector;
}

BuiltExpr Parser::projection() {
  BuiltExpr tuple = atom();
  if (!at(".")) return tuple;
  return projected(std::move(tuple));
}

// expr '.' digits
BuiltExpr Parser::projected(BuiltExpr tuple) {
  while (at(".")) {
    take();
    std::string expected = "the number of a component, from 1 on";
    if (!at_kind(TokenKind::Number))
      unexpected(expected, at_end() || at_kind(TokenKind::Name) ? "a component is chosen by its number: `x.1`" : "");
    Token t = take();
    const auto index = number_value<int>(t.text);
    if (!index || *index == 0)
      fail(region(t), "found the component number `" + std::string(t.text.substr(0, 60)) + "`", expected,
           index ? "the first component is `.1`" : "");
    std::uint32_t begin = tuple.tree.region.begin;
    int height = 1 + tuple.height;
    tuple = built(surface::ProjectExpr{std::move(tuple.tree), *index}, begin, t.end, height);
  }
  return tuple;
}

}  // namespace lockstep::snesl::parsing
