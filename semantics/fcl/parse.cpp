// Definitions and whole files of FCL, types and levels; recovery after an error, at the next definition.
#include "semantics/fcl/parse.h"

#include "semantics/fcl/parse_grammar.h"
#include "semantics/text/source_text.h"

namespace lockstep::fcl {
namespace parsing {

constexpr std::string_view types_are = "a type: int, double, bool, a type variable, (t, t), [t], [t]<level> or t -> t";
constexpr std::string_view levels_are = "a level: thread, warp, block, grid, Z, 1 + level, or a level variable";
constexpr Twice two_definitions{"there are two definitions of ", "", "one definition of a name"};

Program Parser::program() {
  Program result{source_, {}};
  if (at_end())
    fail(region(peek()), "the file has no definitions", "at least one",
         "write one, such as `fun twice xs = push <grid> (map (fn x => x + x) xs)`");
  definitions([&] { result.definitions.push_back(definition()); });
  EachOnce names(*this, two_definitions);
  for (const Definition& d : result.definitions) names.add(d.name, d.region);
  return result;
}

Type Parser::whole_type() {
  Type t = type();
  if (!at_end()) unexpected("the end of the type");
  return t;
}

// ('sig' id ':' type)? 'fun' id ('<' id '>' | id)* '=' expr config*
Definition Parser::definition() {
  Definition d{"", std::nullopt, {}, Expr{Literal{make_bool(false)}}, {}};
  if (at("sig")) signature(d);
  if (d.signature && !at("fun"))
    unexpected("`fun " + d.name + " … = …`", "a `sig` stands directly before the definition that it is of");
  if (!at("fun")) no_definition("a definition, `fun name … = …`");
  take();
  const Token id = name("the name of the definition");
  if (id.text == "_") fail(region(id), "found `_` as the name of a definition", "a name", "");
  if (d.signature && id.text != d.name)
    report(region(id),
           "this is the definition of `" + std::string(id.text) + "`, and the `sig` before it is of `" + d.name + "`",
           "the `sig` of the definition that follows it", "");
  d.name = std::string(id.text);
  d.region = region(id);
  if (!at("=") || peek(1).is("=")) d.parameters = parameters("=");
  expect("=", at(":") ? "a type stands in a `sig` before the definition: `sig f : int -> int`"
                      : "the body of a definition follows `=`");
  d.body = expression().tree;
  while (at("config")) d.configurations.push_back(configuration());
  if (!at_end() && !at("fun") && !at("sig")) unexpected("an operator, or the end of the definition");
  return d;
}

void Parser::signature(Definition& d) {
  take();
  const Token id = name("the name of the definition");
  expect(":", "a signature is `sig name : type`");
  d.name = std::string(id.text);
  d.signature_region = region(id);
  d.signature = type();
}

// (id | '<' id '>')+, up to `end`
std::vector<Parameter> Parser::parameters(const char* end) {
  std::vector<Parameter> found;
  EachOnce names(*this, two_parameters);
  while (!at(end)) {
    const bool is_level = accept("<");
    const Token id = name(is_level ? "the name of a level variable" : "a parameter, or `" + std::string(end) + "`",
                          at("(") ? "a parameter is one name: the parts of a pair are `fst p` and `snd p`" : "");
    if (is_level) expect_angle();
    if (id.text != "_") names.add(id.text, region(id));
    found.push_back({std::string(id.text), is_level, region(id)});
    if (found.size() > nesting_limit) too_deep();
  }
  return found;
}

// 'config' ('#BlockSize' | '#WarpSize') '=' number
Configuration Parser::configuration() {
  take();
  if (!at("#BlockSize") && !at("#WarpSize"))
    unexpected("`#BlockSize` or `#WarpSize`", "an option is set by `config #BlockSize = 256`");
  const Token setting = take();
  expect("=", "an option is set by `config #BlockSize = 256`");
  const int value = small_number("a number of threads");
  return {setting.text == "#BlockSize" ? Setting::BlockSize : Setting::WarpSize, value, region(setting)};
}

// '<' id '>' '->' type | type1 ('->' type)?
Type Parser::type() {
  const Deeper deeper(*this);
  if (accept("<")) {
    const Token id = name("the name of a level variable");
    expect_angle();
    expect("->", "what takes a level has the type `<lvl> -> …`");
    return level_arrow(std::string(id.text), type());
  }
  Type from = operand_type();
  return accept("->") ? arrow(std::move(from), type()) : from;
}

Type Parser::operand_type() {
  if (at("(")) return parenthesised_type();
  if (at("[")) return array_type();
  if (!at_kind(TokenKind::Name)) unexpected(std::string(types_are));
  const Token id = take();
  if (id.text == "int") return int_type;
  if (id.text == "double") return double_type;
  if (id.text == "bool") return bool_type;
  return named_type(std::string(id.text));
}

Type Parser::parenthesised_type() {
  const Token opener = take();
  Type first = type();
  if (!accept(",")) {
    close(opener, ")", ", or `,`");
    return first;
  }
  Type second = type();
  if (at(",")) unexpected("`)`", "there are pairs only: `(a, (b, c))`");
  close(opener, ")");
  return pair_of(std::move(first), std::move(second));
}

Type Parser::array_type() {
  const Deeper deeper(*this);
  const Token opener = take();
  Type element = type();
  close(opener, "]");
  if (!at("<")) return pull(std::move(element));
  take();
  Level l = level();
  expect_angle();
  return push(std::move(element), std::move(l));
}

// `>`, also where it is the first sign of `>=`.
void Parser::expect_angle() {
  if (at(">=") || at(">>"))
    drop_first_character();
  else
    expect(">", "a level stands in `< >`");
}

// 'thread' | 'warp' | 'block' | 'grid' | 'Z' | '1' '+' level | id
Level Parser::level() {
  const Token start = peek();
  const auto found = level_if_one();
  if (!found) unexpected(std::string(levels_are));
  if (found->above > most_above)
    fail(region(start.begin, previous_.end), "this level is above grid", "at most 1 + 1 + 1 + Z", "");
  return *found;
}

std::optional<Level> Parser::level_if_one() {
  Level l;
  while (at_kind(TokenKind::Number) && peek().text == "1" && peek(1).is("+")) {
    take(), take();
    ++l.above;
  }
  if (!at_kind(TokenKind::Name)) return std::nullopt;
  const std::string id(take().text);
  for (const Level& named : {thread_level, warp_level, block_level, grid_level})
    if (id == show(named)) return Level{l.above + named.above};
  if (id != "Z") l.variable = id;
  return l;
}

// '<' level '>' after an operand; what else begins so is a comparison.
std::optional<Level> Parser::level_in_angles() {
  const Token before = mark();
  const Token opener = take();
  const auto found = level_if_one();
  if (!found || (!at(">") && !at(">=") && !at(">>"))) {
    back_to(before);
    return std::nullopt;
  }
  expect_angle();
  if (found->above > most_above)
    fail(region(opener.begin, previous_.end), "this level is above grid", "at most 1 + 1 + 1 + Z", "");
  return found;
}

}  // namespace parsing

Checked<Program> parse_program(SourceRef source) {
  if (Diagnostics refused = refuse_non_text(source, "an .fcl program"); !refused.empty())
    return tl::make_unexpected(std::move(refused));
  parsing::Parser parser(source);
  return reading::read_whole(parser, [&] { return parser.program(); });
}
Checked<Type> parse_type(SourceRef source) {
  parsing::Parser parser(std::move(source));
  return reading::read_whole(parser, [&] { return parser.whole_type(); });
}

}  // namespace lockstep::fcl
