// Expressions of L0, loosest first: let, loop and if, infix operators, prefix.
#include <algorithm>
#include <functional>

#include "semantics/l0/operators.h"
#include "semantics/l0/parse_grammar.h"

namespace lockstep::l0::parsing {

bool Parser::at_open() { return at("let") || at("loop") || at("if"); }

// let, loop and if extend as far right as they can, as the last operand of an operator too.
BuiltExpr Parser::expression() {
  if (at("let") || at("loop")) return block();
  if (at("if")) return choice();
  return infix(operand(), std::bind_front(&Parser::operand, this), std::bind_front(&Parser::binary, this));
}

// 'if' expr 'then' expr 'else' expr
BuiltExpr Parser::choice() {
  return conditional<IfExpr>(std::bind_front(&Parser::expression, this), "every `if` has an `else`");
}

// One definition after another is no nesting: programs have thousands.
BuiltExpr Parser::block() {
  const Deeper deeper(*this);
  const std::uint32_t begin = peek().begin;
  std::vector<Binding> bindings;
  int height = 0;
  while (at("let") || at("loop")) {
    const Token start = peek();
    BuiltBinding next = at("let") ? let() : loop();
    height = std::max(height, next.height);
    if (!at("in"))
      unexpected("`in`, for the `" + std::string(start.text) + "` at " + where(start.begin),
                 at("let") || at(";") || at(",") ? "each definition has its own: `let a = 1 in let b = 2 in …`" : "");
    take();
    bindings.push_back(std::move(next.binding));
  }
  BuiltExpr result = expression();
  height = 1 + std::max(height, result.height);
  const std::uint32_t end = result.tree.region.end;
  Expr all = l0::block(std::move(bindings), std::move(result.tree));
  return built(std::move(all.node), begin, end, height);
}

// 'let' pat '=' expr, or what updates an array
Parser::BuiltBinding Parser::let() {
  const Token start = take();
  if (at_kind(TokenKind::Name) && peek(1).is("[")) return updated_in_place(start);
  Pattern p = pattern();
  refuse_repeated_names(p);
  expect("=", at("(") ? "a function is defined at the top of the file, with `fun`"
                      : "a local definition is `let x = … in …`");
  return let_of(start, std::move(p));
}

// 'let' id '[' exprs ']' '=' expr
Parser::BuiltBinding Parser::updated_in_place(const Token& start) {
  const Token id = take();
  const Token opener = take();
  std::vector<BuiltExpr> indices = arguments(opener, "]");
  expect("=", "an element is replaced by `let a[i] = … in …`");
  BuiltExpr value = expression();
  const int height = 1 + std::max(highest(indices), value.height);
  const Region all = region(start.begin, value.tree.region.end);
  const std::string name(id.text);
  return {{UpdateBinding{name, name, region(id), region(id), refs(std::move(indices)), std::move(value.tree)}, all},
          height};
}

// expr, or id 'with' '[' exprs ']' '<-' expr
Parser::BuiltBinding Parser::let_of(const Token& start, Pattern pattern) {
  BuiltExpr value = expression();
  if (!at("with")) {
    const Region all = region(start.begin, value.tree.region.end);
    const int height = 1 + value.height;
    return {{LetBinding{std::move(pattern), std::move(value.tree)}, all}, height};
  }
  const auto* bound = std::get_if<NamePattern>(&pattern.node);
  const auto* source = as<Variable>(value.tree);
  if (!bound || bound->name == "_")
    unexpected("`in`", "what is made of an array by `with` has one name: `let b = a with [i] <- v in …`");
  if (!source) unexpected("`in`", "`with` follows the name of an array: `let b = a with [i] <- v in …`");
  take();
  const Token opener = expect("[", "the place is written `a with [i] <- v`");
  std::vector<BuiltExpr> indices = arguments(opener, "]");
  expect("<-", "the new value follows `<-`: `a with [i] <- v`");
  BuiltExpr inserted = expression();
  const int height = 1 + std::max(highest(indices), inserted.height);
  const Region all = region(start.begin, inserted.tree.region.end);
  return {{UpdateBinding{bound->name, source->name, pattern.region, value.tree.region, refs(std::move(indices)),
                         std::move(inserted.tree)},
           all},
          height};
}

// 'loop' '(' pat ('=' expr)? ')' '=' 'for' id '<' expr 'do' expr; loop (p) is loop (p = p)
Parser::BuiltBinding Parser::loop() {
  const Token start = take();
  const std::string form = "a loop is `loop (x = start) = for i < n do … in …`";
  const Token opener = expect("(", form);
  Pattern merge = pattern();
  refuse_repeated_names(merge);
  std::optional<BuiltExpr> init;
  if (accept("=")) {
    init = expression();
  } else if (at(")")) {  // the pattern, read again as an expression: its names are what the loop starts with
    back_to(opener);
    init = expression();
  }
  if (!init) unexpected("`=` and what the loop starts with, or `)`", form);
  close(opener, ")", ", or `=` and what it starts with");
  expect("=", form);
  expect("for", form);
  const Token index = name("the name that counts rounds", form);
  expect("<", at("in") || at("=") ? "rounds are counted from 0: `for i < n do …`" : form);
  BuiltExpr bound = expression();
  expect("do", form);
  BuiltExpr step = expression();
  const int height = 1 + std::max({init->height, bound.height, step.height});
  const Region all = region(start.begin, step.tree.region.end);
  return {{LoopBinding{std::move(merge), std::move(init->tree), std::string(index.text), region(index),
                       std::move(bound.tree), std::move(step.tree)},
           all},
          height};
}

BuiltExpr Parser::binary(const Token& symbol, BuiltExpr left, BuiltExpr right) {
  const std::uint32_t begin = left.tree.region.begin, end = right.tree.region.end;
  const int height = 1 + std::max(left.height, right.height);
  return built(InfixExpr{infix_written(symbol.text), std::move(left.tree), std::move(right.tree)}, begin, end, height);
}

BuiltExpr Parser::operand() {
  if (at_open()) return expression();
  return at("~") || at("not") ? signed_operand() : atom();
}

// '~' expr | 'not' expr; `~` before a number is its sign, so that the least int is one.
BuiltExpr Parser::signed_operand() {
  std::vector<Token> signs = Reader::signs({"~", "not"});
  const Deeper deeper(*this, static_cast<int>(signs.size()));
  std::optional<Token> minus;
  if (signs.back().text == "~" && at_kind(TokenKind::Number)) {
    minus = signs.back();
    signs.pop_back();
  }
  BuiltExpr inside = minus ? number(minus) : at_open() ? expression() : atom();
  for (auto sign = signs.rbegin(); sign != signs.rend(); ++sign) {
    const std::uint32_t end = inside.tree.region.end;
    const int height = 1 + inside.height;
    inside = built(PrefixExpr{sign->text == "~" ? Prefix::Negate : Prefix::Not, std::move(inside.tree)}, sign->begin,
                   end, height);
  }
  return inside;
}

}  // namespace lockstep::l0::parsing
