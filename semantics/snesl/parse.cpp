// Functions and whole sources of .snesl, patterns; recovery after an error, at the next function.
#include "semantics/snesl/parse.h"

#include "semantics/snesl/parse_grammar.h"
#include "semantics/text/patterns.h"
#include "semantics/text/source_text.h"

namespace lockstep::snesl {
namespace parsing {

surface::Program Parser::program() {
  surface::Program result{source_, {}};
  if (at_end())
    fail(region(peek()), "the file has no functions", "at least one function",
         "write one, such as `fun double(x) = x + x`");
  definitions([&] {
    here_ = {};
    result.functions.push_back(function());
  });
  EachOnce names(*this, two_functions);
  for (const surface::Function& f : result.functions) names.add(f.name, f.region);
  return result;
}

// 'fun' id '(' (id (',' id)*)? ')' '=' expr
surface::Function Parser::function() {
  if (!at("fun")) no_definition("a function, `fun name(…) = …`");
  take();
  Token id = name("the name of the function");
  if (id.text == "_") fail(region(id), "found `_` as the name of a function", "a name", "");
  std::vector<surface::Parameter> formal = parameters();
  if (at(":") || at("-")) unexpected("`=`", "a function carries no types: they are inferred");
  expect("=", "the body of a function follows `=`");
  surface::Expr body = expression().tree;
  if (!at("fun")) expect_end("the function");
  return {std::string(id.text), region(id), std::move(formal), std::move(body)};
}

std::vector<surface::Parameter> Parser::parameters() {
  std::vector<surface::Parameter> found;
  if (at("=")) unexpected("`(` and the parameters", "a function without parameters is `fun f() = …`");
  Token opener = expect("(", "parameters stand in parentheses: `fun f(x, y) = …`");
  if (accept(")")) return found;
  EachOnce names(*this, two_parameters);
  do {
    Token id = name("the name of a parameter",
                    at("(") ? "a parameter is one name: take a tuple apart with `let (x, y) = p in …`" : "");
    if (id.text == "_")
      report(region(id), "found `_` as the name of a parameter", "a name, by which a value is given", "");
    else
      names.add(id.text, region(id));
    found.push_back({std::string(id.text), region(id)});
  } while (accept(","));
  if (at(":")) unexpected("`,` or `)`", "a parameter carries no type: it is inferred");
  if (at_kind(TokenKind::Name)) unexpected("`,` or `)`", "parameters are separated by commas");
  close(opener, ")", ", or `,`");
  return found;
}

void Parser::expect_end(const std::string& after) {
  if (!at_end()) unexpected("an operator, or the end of " + after);
}

// id | '_' | '(' pat (',' pat)* ')'
surface::Pattern Parser::pattern() {
  if (at("(")) return tuple_pattern();
  if (at_kind(TokenKind::Number) || at_kind(TokenKind::Char) || at("true") || at("false"))
    unexpected("a pattern", "a pattern only names parts; compare with `==`");
  Token t = name("a pattern: a name, `_`, or `(a, b)`");
  return {surface::NamePattern{std::string(t.text)}, region(t)};
}

surface::Pattern Parser::tuple_pattern() {
  Deeper deeper(*this);
  Token opener = take();
  if (at(")")) unexpected("a pattern", "what is not used is `_`");
  surface::TuplePattern tuple;
  do tuple.items.push_back(pattern());
  while (accept(","));
  close(opener, ")", ", or `,`");
  Region all = region(opener.begin, previous_.end);
  if (tuple.items.size() > 1) return {std::move(tuple), all};
  return {std::move(tuple.items[0].node), all};
}

void Parser::refuse_repeated_names(const std::vector<const surface::Pattern*>& patterns) {
  EachOnce names(*this, bound_twice);
  for (const surface::Pattern* p : patterns)
    each_name(*p, [&](const std::string& name, const surface::Pattern& at) { names.add(name, at.region); });
}

surface::Expr Parser::whole_expression() {
  surface::Expr result = expression().tree;
  expect_end("the expression");
  return result;
}

namespace {

template <class Result>
Checked<Result> parse_whole(const SourceRef& source, Result (Parser::*production)()) {
  if (Diagnostics refused = refuse_non_text(source, "a .snesl program"); !refused.empty())
    return tl::make_unexpected(std::move(refused));
  Parser parser(source);
  return read_whole(parser, [&] { return (parser.*production)(); });
}

}  // namespace
}  // namespace parsing

Checked<surface::Program> parse_program(SourceRef source) {
  return parsing::parse_whole(source, &parsing::Parser::program);
}

Checked<surface::Expr> parse_expression(SourceRef source) {
  return parsing::parse_whole(source, &parsing::Parser::whole_expression);
}

}  // namespace lockstep::snesl
