// Definitions and whole sources of .dpia; recovery after an error, at the next definition.
#include "semantics/functional/syntax/parse.h"

#include "semantics/functional/syntax/parse_grammar.h"
#include "semantics/text/source_text.h"

namespace lockstep {
namespace parsing {

surface::Program Parser::program() {
  surface::Program result;
  if (at_end()) {
    diagnostics_.push_back({region(peek()), "the file has no definitions", "at least one definition",
                            "write one, such as `fun double (x : f32) : f32 = x + x`"});
    return result;
  }
  definitions([&] { result.definitions.push_back(definition()); });
  return result;
}

// 'fun' id binders? param* ':' type where? launch? '=' expr
surface::Definition Parser::definition() {
  if (!at("fun")) no_definition("a definition, `fun name … : type = …`");
  surface::Definition result = header();
  result.body = expression().tree;
  if (!at("fun")) expect_end("the expression");
  return result;
}

surface::Definition Parser::header() {
  take();
  Token id = name("the name of the definition");
  if (id.text == "_") fail(region(id), "found `_` as the name of a definition", "a name", "");
  surface::SourceType nothing{scalar(ScalarType::Bool), {}, {}};
  surface::Definition result{std::string(id.text), region(id), {}, {}, nothing, {}, {surface::Name{""}, {}}};
  if (at("[")) binders(result);
  while (at("(")) {
    parameter_group(result.parameters);
    if (result.parameters.size() > nesting_limit) too_deep();
  }
  if (!at(":")) missing_result_type();
  take();
  result.result = source_type();
  if (accept("where")) facts(result);
  if (at("block") || at("warp") || at("grid") || at("index")) launch(result);
  expect("=", at("->") ? "" : "the body of a definition follows `=`");
  return result;
}

void Parser::missing_result_type() {
  std::string expected = "`:` and the result type, or a parameter `(x : type)`";
  if (at_kind(TokenKind::Name))
    unexpected(expected, "a parameter is written with its type: `(" + std::string(peek().text) + " : f32)`");
  if (at("[")) unexpected(expected, "sizes stand once, directly after the name: `fun f [m n] (x : [m][n]f32)`");
  if (at("->")) unexpected(expected, "the result type follows `:`, as in `fun f (x : f32) : f32 = x`");
  if (at("=")) unexpected(expected, "say the result type before the `=`: `: f32 =`");
  unexpected(expected);
}

// '[' id+ ']'
void Parser::binders(surface::Definition& into) {
  Token opener = take();
  do {
    if (at_kind(TokenKind::Variable)) unexpected("the name of a size", "type variables need no binder: use `'a`");
    if (at_kind(TokenKind::Number)) unexpected("the name of a size", "a known size is written in the types alone");
    Token id = name("the name of a size");
    if (id.text == "_") fail(region(id), "found `_` as the name of a size", "a name", "");
    into.sizes.emplace_back(std::string(id.text), region(id));
    if (at(",")) unexpected("another size, or `]`", "sizes are separated by spaces: `[m n]`");
    if (at(":")) unexpected("another size, or `]`", "names in [ ] are sizes, and need no kind");
  } while (!at("]") && !at_end() && !at("fun"));
  close(opener, "]");
}

// '(' id+ ':' type ')' | '(' id ':' 'nat' ')'
void Parser::parameter_group(std::vector<surface::Parameter>& into) {
  Token opener = take();
  std::vector<surface::Parameter> group;
  do {
    Token id = name("the name of a parameter");
    group.push_back({std::string(id.text), region(id), std::nullopt});
  } while (at_kind(TokenKind::Name));
  if (at(",")) unexpected("`:` and a type", "names of one type are separated by spaces: `(x y : f32)`");
  expect(":", "a parameter is written with its type: `(x : f32)`");
  if (at("nat")) {
    size_argument(group);
  } else {
    surface::SourceType t = source_type();
    for (surface::Parameter& p : group) p.type = t;
  }
  if (at(",")) unexpected("`)`", "each parameter has its own parentheses: `(x : f32) (y : f32)`");
  close(opener, ")");
  for (surface::Parameter& p : group) into.push_back(std::move(p));
}

void Parser::size_argument(std::vector<surface::Parameter>& group) {
  if (group.size() > 1) {
    std::string mend;
    for (const surface::Parameter& p : group) mend += (mend.empty() ? "(" : " (") + p.name + " : nat)";
    unexpected("a type; each size argument stands alone", "write `" + mend + "`");
  }
  take();
}

// 'where' fact (',' fact)*
void Parser::facts(surface::Definition& into) {
  do into.facts.push_back(fact());
  while (accept(","));
  if (at("&&")) unexpected("`,` or `=`", "facts are separated by commas");
}

// ('block' number)? ('warp' number)? ('grid' number)? ('index' number)?, not nothing
void Parser::launch(surface::Definition& into) {
  const std::uint32_t begin = peek().begin;
  const auto number = [&](const std::string& of, int most) {
    if (!at_kind(TokenKind::Number)) unexpected("a number of " + of);
    const BuiltSize n = size_number();
    if (*n.size.constant() > std::max(most, reading::most_small))
      fail(n.region, "found " + lockstep::show(n.size) + " " + of, "at most " + std::to_string(most));
    return static_cast<int>(*n.size.constant());
  };
  if (accept("block")) into.launch.block = number("threads", most_block);
  if (accept("warp")) into.launch.warp = number("threads", most_warp);
  if (accept("grid")) into.launch.grid = number("blocks", most_grid);
  if (accept("index")) into.launch.index = number("bits", most_index);
  into.launch_region = region(begin, previous_.end);
}

void Parser::expect_end(const std::string& after) {
  if (at_end()) return;
  unexpected("an operator, an argument, or the end of " + after);
}

surface::Expr Parser::whole_expression() {
  surface::Expr result = expression().tree;
  expect_end("the expression");
  return result;
}

Type Parser::whole_type() {
  Needs needs;
  Type result = type(needs).type;
  if (!at_end()) unexpected("`->`, or the end of the type");
  return result;
}

TypeScheme Parser::scheme() {
  std::vector<std::string> nats;
  while (at("(") && peek(1).kind == TokenKind::Name && peek(2).text == ":") {
    Token opener = take();
    nats.emplace_back(take().text);
    take();
    expect("nat");
    close(opener, ")");
    expect("->");
  }
  return {std::move(nats), whole_type()};
}

namespace {

template <class Result>
Checked<Result> parse_whole(const SourceRef& source, Dialect dialect, Result (Parser::*production)()) {
  if (Diagnostics refused = refuse_non_text(source, "a .dpia program"); !refused.empty())
    return tl::make_unexpected(std::move(refused));
  Parser parser(source, dialect);
  return read_whole(parser, [&] { return (parser.*production)(); });
}

}  // namespace
}  // namespace parsing

Checked<surface::Program> parse_program(SourceRef source) {
  return parsing::parse_whole(source, parsing::Dialect::Program, &parsing::Parser::program);
}

Checked<surface::Expr> parse_expression(SourceRef source) {
  return parsing::parse_whole(source, parsing::Dialect::Program, &parsing::Parser::whole_expression);
}

Checked<Type> parse_type(SourceRef source) {
  return parsing::parse_whole(source, parsing::Dialect::Program, &parsing::Parser::whole_type);
}

Checked<TypeScheme> parse_scheme(std::string_view text) {
  auto source = std::make_shared<const Source>(Source{"the type of a primitive", std::string(text)});
  return parsing::parse_whole(SourceRef(source), parsing::Dialect::Primitive, &parsing::Parser::scheme);
}

}  // namespace lockstep
