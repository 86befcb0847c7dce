// The words of .dpia, and how its errors are told.
#include "semantics/functional/syntax/parse_grammar.h"

namespace lockstep::parsing {
namespace {

constexpr std::string_view keywords = "fun where let in if then else true false nat";
constexpr std::string_view symbols = "-> |> || && == != <= << >= >> \\ ( ) [ ] , : = ! < > | & ^ + - * / % ~";
constexpr Mistake stray[] = {
    {".", "a number has digits on both sides of its point, as in 0.5 or 1.0; functions compose with `|>`"},
    {";", "there is no `;`: write one `let … in` after another"},
    {"{", "there are no braces: group with `( )`, and write `let … in …`"},
    {"}", "there are no braces: group with `( )`, and write `let … in …`"},
    {"$", "`f $ x` is written `f (x)` or `x |> f`"},
    {"\"", "there are no strings in .dpia"},
    {"'", "a type variable is written `'a`; there are no characters in .dpia"},
    {"`", "write a function before its arguments: `f x y`"},
    {"?", "a conditional is `if … then … else …`, or `select` where both sides may be evaluated"},
    {"~", "`!` is logical not; all bits of x flip with `x ^ (-1)`"},
    {"#", "a comment starts with `--`"},
    {"@", "an element is `xs ! i`"},
    {"λ", "write `\\`"},
    {"→", "write `->`"},
    {"α", "a type variable is written `'a`"},
    {"β", "a type variable is written `'b`"},
    {"“", "there are no strings in .dpia"},
};
constexpr Mistake misused[] = {
    {"=", "compare with `==`; a local definition is `let x = … in …`"},
    {"->", "an anonymous function is `\\x -> …`, in parentheses where it is an argument; there is no `case`"},
    {"where", "`where` gives facts about sizes, before the `=` of a definition; local definitions are `let … in …`"},
    {"in", "`in` follows the value of a `let`: `let x = … in …`"},
    {"then", "`then` follows a condition: `if … then … else …`"},
    {"else", "`else` follows `then`: `if … then … else …`"},
    {":", "an expression carries no type: give it a definition of its own, or a literal a suffix such as 1f64"},
    {"fun", "an anonymous function is `\\x -> …`; `fun` starts a definition"},
    {"let", "where a `let` is an operand or argument it is parenthesised: `(let … in …)`"},
    {"if", "where an `if` is an operand or argument it is parenthesised: `(if … then … else …)`"},
    {"\\", "where a function is an operand or argument it is parenthesised: `(\\x -> …)`"},
    {"nat", "`nat` is for explicit size arguments, `(k : nat)`"},
    {")", "an operand is missing before it, or it closes nothing; part of an operation is written `(\\x -> x + 1)`"},
    {"]", "an operand is missing before it, or it closes nothing"},
};
constexpr Manner manner{
    .words = {.keywords = keywords,
              .symbols = symbols,
              .comment = "--",
              .type_variables = true,
              .hexadecimal = true,
              .suffixes = true},
    .operators = shared_operators,
    .stray = stray,
    .misused = misused,
    .opens = "fun",
    .opened = "definition",
    .too_deep = {"this is nested too deeply", "at most 1,000 levels of nesting",
                 "move the inner parts into definitions of their own"},
    .tree_limit = tree_limit,
    .too_high = {"too many operators, arguments or parts stand in a row here", "at most 4,000 in a row",
                 "many values are an array, [a, b, c], which reduce (+) 0 sums; or give parts names: let x = … in …"}};

}  // namespace

Parser::Parser(SourceRef source, Dialect dialect) : TreeReader(std::move(source), manner), dialect_(dialect) {}

std::string Parser::mend_here() {
  const bool arrow = peek().text == "=" && peek(1).text == ">" && peek(1).joined;
  return arrow ? "an arrow is written `->`" : "";
}

}  // namespace lockstep::parsing
