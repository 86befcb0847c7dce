// What an expression of .snesl begins with: brackets, names and calls, literals.
#include <algorithm>

#include "semantics/snesl/parse_grammar.h"

namespace lockstep::snesl::parsing {

BuiltExpr Parser::atom() {
  if (at_kind(TokenKind::Name)) return name_or_call();
  if (at_kind(TokenKind::Number)) return number(std::nullopt);
  if (at_kind(TokenKind::Char) || at_kind(TokenKind::Text)) return quotation();
  if (at("(")) return parenthesised();
  if (at("[")) return vector();
  if (at("{")) return braces();
  if (at("true") || at("false")) return truth();
  unexpected("an expression", at("+") ? "there is no prefix `+`" : "");
}

BuiltExpr Parser::truth() {
  Token t = take();
  return literal(bool_atom(t.text == "true"), t.begin, t.end);
}

BuiltExpr Parser::quotation() {
  Token t = take();
  if (t.kind == TokenKind::Char) return literal(char_atom(character(t)), t.begin, t.end);
  return built(surface::TextLiteral{unquoted(t)}, t.begin, t.end, 0);
}

// id | id '(' (expr (',' expr)*)? ')'
BuiltExpr Parser::name_or_call() {
  if (peek().text == "_") unexpected("an expression", "`_` stands only in patterns, for what is not used");
  Token id = take();
  if (!at("(")) return built(surface::Variable{std::string(id.text)}, id.begin, id.end, 0);
  Inside inside(*this);
  Token opener = take();
  std::vector<BuiltExpr> arguments = parts(opener, ")");
  int height = 1 + highest(arguments);
  return built(surface::CallExpr{std::string(id.text), refs(std::move(arguments))}, id.begin, previous_.end, height);
}

// '(' (expr (',' expr)*)? ')'
BuiltExpr Parser::parenthesised() {
  Inside inside(*this);
  Token opener = take();
  std::vector<BuiltExpr> found = parts(opener, ")");
  if (found.size() == 1) {
    found[0].tree.region = region(opener.begin, previous_.end);
    return std::move(found[0]);
  }
  int height = 1 + highest(found);
  return built(surface::TupleExpr{refs(std::move(found))}, opener.begin, previous_.end, height);
}

BuiltExpr Parser::vector() {
  Inside inside(*this);
  Token opener = take();
  std::vector<BuiltExpr> found = parts(opener, "]");
  int height = 1 + highest(found);
  return built(surface::VectorExpr{refs(std::move(found))}, opener.begin, previous_.end, height);
}

std::vector<BuiltExpr> Parser::parts(const Token& opener, const char* closer) {
  std::vector<BuiltExpr> found;
  if (accept(closer)) return found;
  found.push_back(expression());
  more_parts(found, opener, closer);
  return found;
}

void Parser::more_parts(std::vector<BuiltExpr>& found, const Token& opener, const char* closer) {
  after_commas(found, closer, [&] { return expression(); });
  if (opener.is("[") && at(":") && !peek(2).is("in"))
    unexpected("`,` or `]`", "a range is a sequence: `&n` is 0, 1, ..., n - 1, and from 1 it is `{i + 1 : i in &n}`");
  close(opener, closer, ", or `,`");
}

// What the braces are shows after the first expression.
BuiltExpr Parser::braces() {
  Inside inside(*this, {true, true, std::nullopt});
  Token opener = take();
  if (accept("}")) return built(surface::SequenceExpr{}, opener.begin, previous_.end, 0);
  BuiltExpr first = expression();
  if (at(",") || at("}")) return sequence(opener, std::move(first));
  if (at("|") || at(":")) refuse_direct_select();
  if (at("|")) return guarded(opener, std::move(first));
  if (at(":")) return comprehension(opener, std::move(first));
  if (at("in")) {
    refuse_direct_select();
    unexpected("`:`, `|`, `,` or `}`", "say what each element becomes: `{x : x in s}`, `{x : x in s | condition}`");
  }
  close(opener, "}", ", or `,`, `:` or `|`");
  throw Bug("braces that are closed are a sequence");
}

BuiltExpr Parser::sequence(const Token& opener, BuiltExpr first) {
  here_ = {};
  std::vector<BuiltExpr> found;
  found.push_back(std::move(first));
  more_parts(found, opener, "}");
  int height = 1 + highest(found);
  return built(surface::SequenceExpr{refs(std::move(found))}, opener.begin, previous_.end, height);
}

// '{' expr '|' expr '}'
BuiltExpr Parser::guarded(const Token& opener, BuiltExpr body) {
  BuiltExpr c = condition();
  if (at(":"))
    unexpected(
        "`}`",
        "the condition comes last, `{… : x in s | condition}`; an operator stands in parentheses, `{(a | b) : …}`");
  if (at(",")) unexpected("`}`", "directly inside braces `|` starts a condition: parenthesise `(a | b)`");
  close(opener, "}");
  int height = 1 + std::max(body.height, c.height);
  return built(surface::GuardedExpr{std::move(body.tree), std::move(c.tree)}, opener.begin, previous_.end, height);
}

// '|' expr: the only bar that starts a condition, so that one more is the operator
BuiltExpr Parser::condition() {
  take();
  here_ = {};
  return expression();
}

// '{' expr ':' pat 'in' expr (';' pat 'in' expr)* ('|' expr)? '}'
BuiltExpr Parser::comprehension(const Token& opener, BuiltExpr body) {
  take();
  here_.in_head = false;
  surface::ComprehensionExpr found{std::move(body.tree), {}, std::nullopt};
  int height = body.height;
  do {
    surface::Pattern p = pattern();
    expect("in", "a generator is `x in s`, and several are separated by `;`");
    BuiltExpr from = expression();
    height = std::max(height, from.height);
    found.generators.push_back({std::move(p), std::move(from.tree)});
  } while (accept(";"));
  // several generators are one of a tuple, zipped, so their names are one pattern's
  std::vector<const surface::Pattern*> patterns;
  for (const surface::Binding& b : found.generators) patterns.push_back(&b.pattern);
  refuse_repeated_names(patterns);
  if (at("|")) {
    BuiltExpr c = condition();
    height = std::max(height, c.height);
    found.condition = std::move(c.tree);
  }
  if (at(",")) unexpected("`;`, `|` or `}`", "several generators are separated by `;`: `{x * y : x in a; y in b}`");
  if (at_kind(TokenKind::Name) && peek().text == "using")
    unexpected("`;`, `|` or `}`", "there is no `using` in a program: the compiler lists the variables");
  close(opener, "}", found.condition ? "" : ", or `;` or `|`");
  return built(std::move(found), opener.begin, previous_.end, height + 1);
}

void Parser::refuse_direct_select() {
  if (!here_.question) return;
  fail(region(*here_.question), "found `?` directly inside the braces of a comprehension, where `:` ends the head",
       "`?` in brackets of its own", "parenthesise it: `{(c ? a : b) : x in s}`");
}

BuiltExpr Parser::literal(Atom atom, std::uint32_t begin, std::uint32_t end) {
  return built(surface::Literal{atom}, begin, end, 0);
}

BuiltExpr Parser::number(const std::optional<Token>& minus) {
  Token t = take();
  std::uint32_t begin = minus ? minus->begin : t.begin;
  std::string digits = (minus ? "-" : "") + std::string(t.text);
  if (digits.find_first_of(".eE") != std::string::npos) {
    std::optional<double> value = real_value(digits);
    if (!value)
      report(region(begin, t.end), "this number is too large for a Real", "at most 1.7976931348623157e308", "");
    return literal(real_atom(value.value_or(0)), begin, t.end);
  }
  const auto value = number_value<std::int64_t>(digits);
  if (!value)
    report(region(begin, t.end), "this number is too large for an Int",
           "a number from -9223372036854775808 to 9223372036854775807", "a Real is written with a point: 1.0e19");
  return literal(int_atom(value.value_or(0)), begin, t.end);
}

}  // namespace lockstep::snesl::parsing
