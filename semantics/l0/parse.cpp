// Functions and whole files of L0, types and patterns; recovery after an error, at the next function.
#include "semantics/l0/parse.h"

#include "semantics/l0/parse_grammar.h"
#include "semantics/text/patterns.h"
#include "semantics/text/source_text.h"

namespace lockstep::l0 {
namespace parsing {

constexpr std::string_view types_are = "a type: int, real, bool, char, [t] or (t1, t2)";

Program Parser::program() {
  Program result{source_, {}};
  if (at_end())
    fail(region(peek()), "the file has no functions", "at least one function",
         "write one, such as `fun int double(int x) = x + x`");
  definitions([&] { result.functions.push_back(function()); });
  EachOnce names(*this, two_functions);
  for (const Function& f : result.functions) names.add(f.name, f.region);
  return result;
}

// 'fun' type id '(' params? ')' '=' expr
Function Parser::function() {
  if (!at("fun")) no_definition("a function, `fun int f(int x) = …`");
  take();
  if (at_kind(TokenKind::Name))
    unexpected("the type of what the function gives", "it stands before the name: `fun int f(int x) = …`");
  Type result = type();
  const Token id = name("the name of the function");
  if (id.text == "_") fail(region(id), "found `_` as the name of a function", "a name", "");
  std::vector<Parameter> formal = parameters();
  expect("=",
         at(":") ? "the type of what a function gives stands before its name" : "the body of a function follows `=`");
  Expr body = expression().tree;
  if (!at("fun")) expect_end("the function");
  return {std::string(id.text), region(id), std::move(result), std::move(formal), std::move(body)};
}

// '(' (type id (',' type id)*)? ')'
std::vector<Parameter> Parser::parameters() {
  std::vector<Parameter> found;
  const Token opener = expect("(", "parameters stand in parentheses: `f(int x, [real] a)`");
  EachOnce names(*this, two_parameters);
  items_or_none(opener, ")", [&] {
    if (at_kind(TokenKind::Name)) unexpected("the type of a parameter", "a type stands before each name: `int x`");
    Type t = type();
    const Token id = name("the name of a parameter");
    if (id.text == "_")
      report(region(id), "found `_` as the name of a parameter", "a name, by which a value is given", "");
    else
      names.add(id.text, region(id));
    found.push_back({std::move(t), std::string(id.text), region(id)});
  });
  return found;
}

void Parser::expect_end(const std::string& after) {
  if (!at_end()) unexpected("an operator, or the end of " + after);
}

// 'int' | 'real' | 'bool' | 'char' | '(' type (',' type)+ ')' | '*'? '[' type ']'
Type Parser::type(bool inside_array) {
  if (at("*") || at("[")) return array_type(inside_array);
  if (at("(")) return tuple_type(inside_array);
  for (const Type& t : {int_type, real_type, bool_type, char_type})
    if (accept(show(t))) return t;
  unexpected(std::string(types_are));
}

Type Parser::array_type(bool inside_array) {
  const Deeper deeper(*this);
  const bool unique = at("*");
  if (unique) {
    const Token star = take();
    if (inside_array)
      report(region(star), "found `*` inside an array type", "`*` before a whole array: `*[[int]]`", "delete it");
    if (!at("[")) unexpected("`[`", "only an array is unique: `*[int]`");
  }
  const Token opener = take();
  Type element = type(true);
  close(opener, "]");
  return array_of(std::move(element), unique && !inside_array);
}

Type Parser::tuple_type(bool inside_array) {
  const Deeper deeper(*this);
  const Token opener = take();
  std::vector<Type> items;
  if (at(")")) unexpected(std::string(types_are), "there is no empty tuple");
  items_or_none(opener, ")", [&] { items.push_back(type(inside_array)); });
  return tuple_of(std::move(items));
}

// id | '_' | '(' pat (',' pat)+ ')'
Pattern Parser::pattern() {
  if (at("(")) return tuple_pattern();
  if (at_kind(TokenKind::Number) || at_kind(TokenKind::Char) || at("true") || at("false"))
    unexpected("a pattern", "a pattern only names parts; compare with `==`");
  const Token t =
      name("a pattern: a name, `_`, or `(a, b)`", at("int") || at("real") || at("bool") || at("char") || at("[")
                                                      ? "a `let` carries no type: it is that of its value"
                                                      : "");
  return {NamePattern{std::string(t.text)}, region(t)};
}

Pattern Parser::tuple_pattern() {
  const Deeper deeper(*this);
  const Token opener = take();
  if (at(")")) unexpected("a pattern", "what is not used is `_`");
  TuplePattern tuple;
  items(opener, ")", [&] { tuple.items.push_back(pattern()); });
  const Region all = region(opener.begin, previous_.end);
  if (tuple.items.size() > 1) return {std::move(tuple), all};
  return {std::move(tuple.items[0].node), all};
}

void Parser::refuse_repeated_names(const Pattern& pattern) {
  EachOnce names(*this, bound_twice);
  each_name(pattern, [&](const std::string& name, const Pattern& at) { names.add(name, at.region); });
}

}  // namespace parsing

Checked<Program> parse_program(SourceRef source) {
  if (Diagnostics refused = refuse_non_text(source, "an .l0 program"); !refused.empty())
    return tl::make_unexpected(std::move(refused));
  parsing::Parser parser(source);
  return reading::read_whole(parser, [&] { return parser.program(); });
}

}  // namespace lockstep::l0
