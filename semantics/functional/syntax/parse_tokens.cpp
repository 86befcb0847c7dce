// The words of .dpia text, by PEGTL.
#include "semantics/functional/syntax/parse_tokens.h"

#include <algorithm>
#include <array>
#include <optional>
#include <tao/pegtl.hpp>

namespace lockstep::parsing {
namespace {

namespace peg = tao::pegtl;
using Input = peg::memory_input<peg::tracking_mode::lazy, peg::eol::lf_crlf, const char*>;

struct Comment : peg::seq<peg::string<'-', '-'>, peg::star<peg::not_one<'\n'>>> {};
struct Blank : peg::star<peg::sor<peg::one<' ', '\t', '\n', '\r', '\f'>, Comment>> {};

struct NameStart : peg::ranges<'a', 'z', 'A', 'Z', '_'> {};
struct NameRest : peg::sor<NameStart, peg::digit, peg::one<'\''>> {};
struct Word : peg::seq<NameStart, peg::star<NameRest>> {};
struct Variable : peg::seq<peg::one<'\''>, Word> {};

struct HexDigits : peg::seq<peg::one<'0'>, peg::one<'x', 'X'>, peg::plus<peg::xdigit>> {};
struct Fraction : peg::seq<peg::one<'.'>, peg::plus<peg::digit>> {};
struct Exponent : peg::seq<peg::one<'e', 'E'>, peg::opt<peg::one<'+', '-'>>, peg::plus<peg::digit>> {};
struct Digits : peg::seq<peg::plus<peg::digit>, peg::opt<Fraction>, peg::opt<Exponent>> {};
struct NumberDigits : peg::sor<HexDigits, Digits> {};
// Any letters that follow belong to the token, so that a wrong suffix is one error and not two words.
struct Number : peg::seq<NumberDigits, peg::star<NameRest>> {};

struct LongSymbol : peg::sor<peg::string<'-', '>'>, peg::string<'|', '>'>, peg::string<'|', '|'>, peg::string<'&', '&'>,
                             peg::string<'=', '='>, peg::string<'!', '='>, peg::string<'<', '='>, peg::string<'<', '<'>,
                             peg::string<'>', '='>, peg::string<'>', '>'>> {};
struct ShortSymbol
    : peg::one<'\\', '(', ')', '[', ']', ',', ':', '=', '!', '<', '>', '|', '&', '^', '+', '-', '*', '/', '%'> {};
struct Symbol : peg::sor<LongSymbol, ShortSymbol> {};
struct Stray : peg::sor<peg::plus<peg::utf8::range<0x80, 0x10ffff>>, peg::any> {};

// How many bytes `Rule` takes from the front; nothing where it does not match.
template <class Rule>
std::optional<std::size_t> match(std::string_view text) {
  Input input(text.data(), text.data() + text.size(), "");
  if (!peg::parse<Rule>(input)) return std::nullopt;
  return input.current() - text.data();
}

bool is_keyword(std::string_view word) {
  static constexpr std::array<std::string_view, 10> keywords = {"fun",  "where", "let",  "in",    "if",
                                                                "then", "else",  "true", "false", "nat"};
  return std::find(keywords.begin(), keywords.end(), word) != keywords.end();
}

struct Match {
  TokenKind kind;
  std::size_t length;
};
Match match_word(std::string_view text) {
  if (auto n = match<Word>(text)) return {is_keyword(text.substr(0, *n)) ? TokenKind::Keyword : TokenKind::Name, *n};
  if (auto n = match<Number>(text)) return {TokenKind::Number, *n};
  if (auto n = match<Symbol>(text)) return {TokenKind::Symbol, *n};
  if (auto n = match<Variable>(text)) return {TokenKind::TypeVariable, *n};
  return {TokenKind::Bad, match<Stray>(text).value_or(1)};
}

}  // namespace

Lexer::Lexer(SourceRef source) : source_(std::move(source)) {
  if (source_->text.compare(0, 3, "\xef\xbb\xbf") == 0) offset_ = 3;  // a byte order mark
}

Token Lexer::next() {
  std::string_view text = source_->text;
  std::size_t before = offset_;
  std::size_t blank = match<Blank>(text.substr(before)).value_or(0);
  offset_ += blank;
  Token token;
  token.joined = blank == 0;
  bool at_start = before == 0 || text.substr(0, before) == "\xef\xbb\xbf";
  token.first_on_line = at_start || text.substr(before, blank).find('\n') != std::string_view::npos;
  token.begin = token.end = static_cast<std::uint32_t>(offset_);
  if (offset_ == text.size()) return token;
  auto [kind, length] = match_word(text.substr(offset_));
  token.kind = kind;
  token.text = text.substr(offset_, length);
  offset_ += length;
  token.end = static_cast<std::uint32_t>(offset_);
  return token;
}

std::string describe(const Token& token) {
  std::string quoted = "`" + std::string(token.text.substr(0, 60)) + (token.text.size() > 60 ? "…`" : "`");
  switch (token.kind) {
    case TokenKind::End:
      return "the end of the file";
    case TokenKind::Name:
      return "the name " + quoted;
    case TokenKind::Keyword:
      return "the keyword " + quoted;
    case TokenKind::Number:
      return "the number " + quoted;
    case TokenKind::TypeVariable:
      return "the type variable " + quoted;
    case TokenKind::Symbol:
      return quoted;
    case TokenKind::Bad:
      return quoted + ", which is no part of the language";
  }
  throw Bug("a token of no kind");
}

std::string mend_for_bad(std::string_view text, bool as_name) {
  struct Row {
    std::string_view start;
    std::string_view mend;
  };
  static constexpr Row rows[] = {
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
      {"×", "write `*`"},
      {"·", "write `*`"},
      {"−", "write `-`"},
      {"≤", "write `<=`"},
      {"≥", "write `>=`"},
      {"≠", "write `!=`"},
      {"∧", "write `&&`"},
      {"∨", "write `||`"},
      {"¬", "write `!`"},
      {"α", "a type variable is written `'a`"},
      {"β", "a type variable is written `'b`"},
      {"\u00a0", "this is a no-break space: write a plain one"},
      {"\u200b", "this is an invisible space: delete it"},
      {"“", "there are no strings in .dpia"},
  };
  static constexpr std::string_view letters[] = {"λ", "α", "β"};
  const bool letter =
      std::any_of(std::begin(letters), std::end(letters), [&](std::string_view l) { return text.starts_with(l); });
  for (const Row& row : rows)
    if (text.substr(0, row.start.size()) == row.start && !(letter && as_name)) return std::string(row.mend);
  if (!text.empty() && static_cast<unsigned char>(text[0]) >= 0x80)
    return "names are written with the letters a to z, digits, _ and '; other letters only in comments";
  return "";
}

NumberParts split_number(std::string_view text) {
  bool hexadecimal = match<HexDigits>(text).has_value();
  std::string_view digits = text.substr(0, match<NumberDigits>(text).value_or(0));
  bool fractional = !hexadecimal && digits.find_first_of(".eE") != std::string_view::npos;
  return {digits, text.substr(digits.size()), hexadecimal, fractional};
}

int operator_level(const Token& token) {
  if (token.kind != TokenKind::Symbol) return 0;
  struct Row {
    std::string_view symbol;
    int level;
  };
  static constexpr Row rows[] = {{"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<", 3}, {"<=", 3},
                                 {">", 3},  {">=", 3}, {"|", 4},  {"^", 5},  {"&", 6}, {"<<", 7},
                                 {">>", 7}, {"+", 8},  {"-", 8},  {"*", 9},  {"/", 9}, {"%", 9}};
  for (const Row& row : rows)
    if (row.symbol == token.text) return row.level;
  return 0;
}

}  // namespace lockstep::parsing
