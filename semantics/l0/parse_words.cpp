// The words of L0, and how its errors are told.
#include "semantics/l0/operators.h"
#include "semantics/l0/parse_grammar.h"

namespace lockstep::l0::parsing {
namespace {

constexpr std::string_view keywords =
    "fun fn op let in with if then else loop for do not pow true false True False int real bool char zip assertZip "
    "unzip "
    "iota size transpose copy replicate split concat flatten map filter reduce scan map2 filter2 reduce2 scan2 redomap "
    "redomap2";
constexpr std::string_view symbols = "|| && == != <= << >= >> => <- ( ) [ ] { } , = < > | ^ & + - * / % ~ : ;";
constexpr Mistake stray[] = {
    {"\\", "a function in the place of one is `fn int (int x) => x + 1`"},
    {"!", "not is written `not`, unequal `!=`, and an element `a[i]`"},
    {"#", "a length is `size(a)`"},
    {"@", "two arrays are joined by `concat(a, b)`"},
    {".", "a component is named by a pattern: `let (x, y) = p in …`"},
    {"“", "write `\"`"},
    {"”", "write `\"`"},
    {"λ", "a function in the place of one is `fn int (int x) => x + 1`"},
};
constexpr Mistake misused[] = {
    {"-", "a negative number is `~5`, and what is negated `~x`: `-` stands between two operands"},
    {"=", "a local definition is `let x = … in …`"},
    {"in", "`in` follows the definition of a `let`, or the body of a `loop`"},
    {"then", "`then` follows a condition: `if … then … else …`"},
    {"else", "`else` follows `then`: `if … then … else …`"},
    {"with", "`with` follows the array of a `let`: `let b = a with [i] <- v in …`"},
    {"[", "an array is written `{1, 2, 3}`; an element is `a[i]`, of an array that has a name"},
    {"fn", "`fn` stands in the place of a function only: `map(fn int (int x) => x + 1, a)`"},
    {"op", "`op` stands in the place of a function only: `reduce(op +, 0, a)`"},
    {"fun", "`fun` starts a function of the file, and stands nowhere else"},
    {":", "an expression carries no type: types stand before the names of parameters and functions"},
    {";", "definitions are separated by `in`: `let a = 1 in let b = 2 in …`"},
    {"<-", "`<-` belongs to `let b = a with [i] <- v in …`"},
    {"=>", "`=>` belongs to `fn int (int x) => …`"},
    {",", "`,` separates arguments and elements; an operand is missing, or one too many commas"},
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
              .comment = "//",
              .exponent_signs = "+-~",
              .quotes = true,
              .hexadecimal = true},
    .operators = operators,
    .stray = stray,
    .misused = misused,
    .no_suffix = "numbers carry no suffix: 12 is an int, 12.0 a real; `toReal(n)` and `trunc(x)` convert",
    .opens = "fun",
    .opened = "function",
    .character = "char",
    .too_deep = too_deep,
    .too_high = too_deep};

}  // namespace

Parser::Parser(SourceRef source) : TreeReader(std::move(source), manner) {}

std::string Parser::mend_here() {
  const Token t = peek();
  if (previous_.text == "-" && t.text == "-" && t.joined) return "a comment begins with `//`";
  if (after_operand() && t.text == "[") return "an array has a name where its elements are taken: `let a = … in a[i]`";
  if (previous_.kind == TokenKind::Name && at_operand())
    return "a function is called with parentheses, as in `f(x, y)`, and operators stand between operands";
  if (after_operand() && t.text == "(") return "only a function by its name is called: `f(x)`";
  return "";
}

}  // namespace lockstep::l0::parsing
