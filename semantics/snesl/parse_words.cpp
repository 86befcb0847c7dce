// The words of .snesl, and how its errors are told.
#include "semantics/snesl/advice.h"
#include "semantics/snesl/operators.h"
#include "semantics/snesl/parse_grammar.h"

namespace lockstep::snesl::parsing {
namespace {

constexpr std::string_view keywords = "fun let in if then else true false";
constexpr std::string_view hyphenated =
    "reduce-or reduce-and reduce1-plus reduce1-times reduce1-max reduce1-min reduce1-or reduce1-and "
    "scan-plus scan-times scan-max scan-min scan-or scan-and";
constexpr std::string_view symbols = "|| && == != <= << >= >> ++ ( ) [ ] { } , : ; = ! < > | ^ & + - * / % ? # .";
constexpr Mistake stray[] = {
    {"0x", "write the number in decimal"},
    {"0X", "write the number in decimal"},
    {"\\", "there are no anonymous functions: write a `fun` of its own, or a comprehension `{… : x in s}`"},
    {"$", "a function is called with parentheses: `f(x)`"},
    {"`", "a function is called with parentheses: `f(x, y)`"},
    {"~", "logical not is `!`; all bits of n flip with `n ^ (-1)`"},
    {"@", "an element is `v ! i`"},
    {"→", "a conditional is `if … then … else …` or `c ? a : b`"},
    {"∈", "write `in`"},
    {"“", "write `\"`"},
    {"”", "write `\"`"},
    {"‘", "write `'`"},
    {"’", "write `'`"},
};
constexpr Mistake misused[] = {
    {"=", "compare with `==`; a local definition is `let x = … in …`"},
    {"in", "`in` follows the bindings of a `let`, or a pattern after the `:` of `{… : x in s}`"},
    {"then", "`then` follows a condition: `if … then … else …`"},
    {"else", "`else` follows `then`: `if … then … else …`"},
    {":", "`:` belongs to `c ? a : b` and to `{… : x in s}`; an expression carries no type"},
    {"?", "a choice between scalars is `c ? a : b`"},
    {"|", "`|` is an operator between two operands, or starts the condition inside braces"},
    {";", "`;` separates the bindings of a `let`, and the generators of a comprehension"},
    {",", "`,` separates arguments and elements; an operand is missing, or one too many commas"},
    {".", "a component is `x.1`; a number has digits on both sides of its point, as in 0.5 or 1.0"},
    {"fun", "`fun` starts a function of the file, and stands nowhere else"},
    {")", "an operand is missing before it, or it closes nothing"},
    {"]", "an operand is missing before it, or it closes nothing"},
    {"}", "an operand is missing before it, or it closes nothing"},
};
constexpr Refusal too_deep = {"this is nested too deeply",
                              "at most 1,000 levels of nesting, and chains of 10,000 operators",
                              "move the inner parts into functions of their own"};
constexpr Manner manner{
    .words = {.keywords = keywords,
              .symbols = symbols,
              .hyphenated = hyphenated,
              .comment = "--",
              .quotes = true,
              .components = true},
    .operators = operators,
    .stray = stray,
    .misused = misused,
    .no_suffix = "numbers carry no suffix: 12 is an Int, 12.0 a Real; `real(n)` and `int(x)` convert",
    .opens = "fun",
    .opened = "function",
    .after_name = "(",
    .character = "Char",
    .too_deep = too_deep,
    .too_high = too_deep};

}  // namespace

Parser::Parser(SourceRef source) : TreeReader(std::move(source), manner) {}

const Operator* Parser::infix_here() { return here_.bar_ends && at("|") ? nullptr : Reader::infix_here(); }

std::string Parser::mend_here() {
  const Token t = peek();
  const bool value_before = after_operand() || previous_.kind == TokenKind::Text || previous_.kind == TokenKind::Char ||
                            previous_.text == "true" || previous_.text == "false";
  if (value_before && t.kind == TokenKind::Name)
    if (const std::string_view advice = advice_for(t.text, operator_habits()); !advice.empty())
      return std::string(advice);
  if (value_before && t.text == ":" && (peek(1).is("(") || peek(2).is("in")))
    return "a comprehension stands in braces, `{… : x in s}`, and `tab({… : x in s})` is a vector";
  if (value_before && t.text == "[") return "an element of a vector is `v ! i`, from 0";
  if (previous_.kind == TokenKind::Name && at_operand())
    return "a function is called with parentheses, as in `f(x, y)`, and operators stand between operands";
  if (after_operand() && t.text == "(") return "only a function by its name is called: `f(x)`";
  if (t.text == "|" && here_.bar_ends) return "directly inside braces `|` starts the condition: parenthesise `(a | b)`";
  return "";
}

}  // namespace lockstep::snesl::parsing
