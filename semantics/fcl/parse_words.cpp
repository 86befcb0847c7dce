// The words of FCL, and how its errors are told.
#include "semantics/fcl/operators.h"
#include "semantics/fcl/parse_grammar.h"

namespace lockstep::fcl::parsing {
namespace {

constexpr std::string_view keywords = "sig fun config fn let in if then else true false div mod";
constexpr std::string_view symbols =
    "#BlockSize #WarpSize |> || && == != <= << >= >> => -> ( ) [ ] , . : = < > ! | ^ & + - * / %";
constexpr Mistake stray[] = {
    {"\\", "a function is written `fn x => …`"},
    {"λ", "a function is written `fn x => …`"},
    {"#", "the settings are `#BlockSize` and `#WarpSize`; a length is `length xs`"},
    {"@", "two arrays are joined by `append xs ys`"},
    {";", "definitions of a `let` stand one after another: `let x = 1  y = 2 in …`"},
    {"{", "there are no braces: group with `( )`"},
    {"}", "there are no braces: group with `( )`"},
    {"~", "a negative number is `-5`, and what is negated `-x`"},
    {"\"", "there are no texts in FCL"},
    {"'", "there are no characters in FCL"},
    {"`", "write a function before its arguments: `f x y`"},
    {"→", "write `->`"},
    {"⇒", "write `=>`"},
};
constexpr Mistake misused[] = {
    {"=", "compare with `==`; a local definition is `let x = … in …`"},
    {"->", "a function is written `fn x => …`; `->` stands in types only"},
    {"=>", "`=>` belongs to `fn x => …`"},
    {"in", "`in` follows the definitions of a `let`: `let x = … in …`"},
    {"then", "`then` follows a condition: `if … then … else …`"},
    {"else", "`else` follows `then`: `if … then … else …`"},
    {":", "an expression carries no type: a `sig` before a definition does"},
    {"fun", "a function in an expression is `fn x => …`; `fun` starts a definition"},
    {"sig", "`sig` stands before a definition, with its type"},
    {"config", "`config` follows the body of a definition: `config #BlockSize = 256`"},
    {"fn", "where a function is an argument it is parenthesised: `(fn x => …)`"},
    {"let", "where a `let` is an argument it is parenthesised: `(let … in …)`"},
    {"if", "where an `if` is an argument it is parenthesised: `(if … then … else …)`"},
    {")", "an operand is missing before it, or it closes nothing"},
    {"]", "an operand is missing before it, or it closes nothing"},
};
constexpr Refusal too_deep = {"this is nested too deeply",
                              "at most 1,000 levels of nesting, and chains of 10,000 operators",
                              "move the inner parts into definitions of their own"};
constexpr Manner manner{.words = {.keywords = keywords, .symbols = symbols, .comment = "--", .hexadecimal = true},
                        .operators = operators,
                        .stray = stray,
                        .misused = misused,
                        .no_suffix =
                            "numbers carry no suffix: 12 is an int, 12.0 a double; `int x` and `double x` "
                            "convert",
                        .opens = "fun",
                        .also_opens = "sig",
                        .opened = "definition",
                        .too_deep = too_deep,
                        .too_high = too_deep};

}  // namespace

Parser::Parser(SourceRef source) : TreeReader(std::move(source), manner) {}

std::string Parser::mend_here() {
  const Token t = peek();
  if (previous_.text == "/" && t.text == "/" && t.joined) return "a comment begins with `--`";
  if (previous_.text == "=" && t.text == "=") return "compare with `==`";
  if (after_operand() && t.text == "!") return "an element is `index xs i`, and unequal `!=`";
  if (t.text == ":" && after_operand()) return "a type stands in a `sig` before its definition: `sig f : int -> int`";
  return "";
}

}  // namespace lockstep::fcl::parsing
