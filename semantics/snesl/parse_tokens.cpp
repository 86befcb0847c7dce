// .snesl text to words. Hand-written: a number depends on the word before it (x.1.2), a hyphen on the words around it.
#include "semantics/snesl/parse_tokens.h"

#include <algorithm>
#include <array>

namespace lockstep::snesl::parsing {
namespace {

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return starts_name(c) || is_digit(c) || c == '\''; }

template <std::size_t N>
bool one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_keyword(std::string_view word) {
  static constexpr std::array<std::string_view, 8> words = {"fun", "let", "in", "if", "then", "else", "true", "false"};
  return one_of(word, words);
}

std::size_t name_length(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && continues_name(text[n])) ++n;
  static constexpr std::array<std::string_view, 14> hyphenated = {
      "reduce-or",   "reduce-and", "reduce1-plus", "reduce1-times", "reduce1-max", "reduce1-min", "reduce1-or",
      "reduce1-and", "scan-plus",  "scan-times",   "scan-max",      "scan-min",    "scan-or",     "scan-and"};
  if (n < text.size() && text[n] == '-') {
    std::size_t m = n + 1;
    while (m < text.size() && continues_name(text[m])) ++m;
    if (one_of(text.substr(0, m), hyphenated)) return m;
  }
  return n;
}

std::size_t symbol_length(std::string_view text) {
  static constexpr std::array<std::string_view, 9> two = {"||", "&&", "==", "!=", "<=", "<<", ">=", ">>", "++"};
  if (one_of(text.substr(0, 2), two)) return 2;
  return std::string_view("()[]{},:;=!<>|^&+-*/%?#.").find(text[0]) != std::string_view::npos ? 1 : 0;
}

// A run of bytes beyond ASCII is one stray word.
std::size_t stray_length(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && static_cast<unsigned char>(text[n]) >= 0x80) ++n;
  return std::max<std::size_t>(n, 1);
}

struct Match {
  TokenKind kind;
  std::size_t length;
};

Match match_quoted(std::string_view text) {
  std::size_t n = quoted_length(text);
  if (text[0] == '"' && n == 0) return {TokenKind::Bad, std::min(text.find('\n'), text.size())};
  if (text[0] == '"') return {TokenKind::Text, n};
  if (text.substr(0, 3) == "'''") return {TokenKind::Bad, 3};
  return n ? Match{TokenKind::Char, n} : Match{TokenKind::Bad, 1};
}

Match match_number(std::string_view text, bool fraction) {
  std::size_t digits = number_length(text, fraction), n = digits;
  // Letters that follow belong to the word, so that a suffix is one error and not two words.
  while (n < text.size() && continues_name(text[n])) ++n;
  return {n == digits ? TokenKind::Number : TokenKind::Bad, n};
}

Match match_word(std::string_view text, bool after_point) {
  if (starts_name(text[0])) {
    std::size_t n = name_length(text);
    return {is_keyword(text.substr(0, n)) ? TokenKind::Keyword : TokenKind::Name, n};
  }
  if (is_digit(text[0])) return match_number(text, !after_point);
  if (text[0] == '"' || text[0] == '\'') return match_quoted(text);
  if (std::size_t n = symbol_length(text)) return {TokenKind::Symbol, n};
  return {TokenKind::Bad, stray_length(text)};
}

}  // namespace

Lexer::Lexer(SourceRef source) : source_(std::move(source)) {
  if (source_->text.compare(0, 3, "\xef\xbb\xbf") == 0) offset_ = 3;  // a byte order mark
}

bool Lexer::skip_blank() {
  const std::string& text = source_->text;
  bool line_ended = false;
  for (; offset_ < text.size(); ++offset_) {
    if (text.compare(offset_, 2, "--") == 0) {
      offset_ = std::min(text.find('\n', offset_), text.size());
      if (offset_ == text.size()) return line_ended;
    }
    char c = text[offset_];
    if (c == '\n') line_ended = true;
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f') return line_ended;
  }
  return line_ended;
}

Token Lexer::next() {
  std::size_t before = offset_;
  bool at_start = before == 0 || (before == 3 && static_cast<unsigned char>(source_->text[0]) == 0xef);
  bool line_ended = skip_blank();
  Token token;
  token.joined = offset_ == before && !at_start;
  token.first_on_line = line_ended || at_start;
  token.begin = token.end = static_cast<std::uint32_t>(offset_);
  std::string_view rest = std::string_view(source_->text).substr(offset_);
  if (rest.empty()) return token;
  auto [kind, length] = match_word(rest, after_point_);
  token.kind = kind;
  token.text = rest.substr(0, length);
  offset_ += length;
  token.end = static_cast<std::uint32_t>(offset_);
  after_point_ = token.text == ".";
  return token;
}

std::string describe(const Token& token) {
  std::size_t shown = std::min<std::size_t>(token.text.size(), 60);
  while (shown < token.text.size() && (static_cast<unsigned char>(token.text[shown]) & 0xc0) == 0x80) ++shown;
  std::string quoted = "`" + std::string(token.text.substr(0, shown)) + (token.text.size() > shown ? "…`" : "`");
  switch (token.kind) {
    case TokenKind::End:
      return "the end of the file";
    case TokenKind::Name:
      return "the name " + quoted;
    case TokenKind::Keyword:
      return "the keyword " + quoted;
    case TokenKind::Number:
      return "the number " + quoted;
    case TokenKind::Char:
      return "the Char " + quoted;
    case TokenKind::Text:
      return "the text " + quoted;
    case TokenKind::Symbol:
      return quoted;
    case TokenKind::Bad:
      return quoted + ", which is no part of the language";
  }
  throw Bug("a token of no kind");
}

BadWord explain_bad(std::string_view text) {
  if (text[0] == '"')
    return {"this text is not closed on its line", "close it with `\"`; a line's end in a text is written `\\n`"};
  if (text == "'''") return {"", "the Char of a single quote is written `'\\''`"};
  if (text[0] == '\'') return {"this Char is not closed on its line", "a Char is written `'c'`, a text `\"text\"`"};
  if (text.size() > 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    return {"found `" + std::string(text) + "`, which is no number of this language", "write the number in decimal"};
  if (is_digit(text[0]))
    return {"found `" + std::string(text) + "`, which is no number of this language",
            "numbers carry no suffix: 12 is an Int, 12.0 a Real; `real(n)` and `int(x)` convert"};
  struct Row {
    std::string_view start;
    std::string_view mend;
  };
  static constexpr Row rows[] = {
      {"\\", "there are no anonymous functions: write a `fun` of its own, or a comprehension `{… : x in s}`"},
      {"$", "a function is called with parentheses: `f(x)`"},
      {"`", "a function is called with parentheses: `f(x, y)`"},
      {"~", "logical not is `!`; all bits of n flip with `n ^ (-1)`"},
      {"@", "an element is `v ! i`"},
      {"→", "a conditional is `if … then … else …` or `c ? a : b`"},
      {"∈", "write `in`"},
      {"×", "write `*`"},
      {"·", "write `*`"},
      {"−", "write `-`"},
      {"≤", "write `<=`"},
      {"≥", "write `>=`"},
      {"≠", "write `!=`"},
      {"∧", "write `&&`"},
      {"∨", "write `||`"},
      {"¬", "write `!`"},
      {"“", "write `\"`"},
      {"”", "write `\"`"},
      {"‘", "write `'`"},
      {"’", "write `'`"},
      {"\u00a0", "this is a no-break space: write a plain one"},
      {"\u200b", "this is an invisible space: delete it"},
  };
  for (const Row& row : rows)
    if (text.substr(0, row.start.size()) == row.start) return {"", std::string(row.mend)};
  if (static_cast<unsigned char>(text[0]) >= 0x80)
    return {"", "names are written with the letters a to z, digits, _ and '; other letters only in texts and comments"};
  return {};
}

int operator_level(const Token& token) {
  if (token.kind != TokenKind::Symbol) return 0;
  struct Row {
    std::string_view symbol;
    int level;
  };
  static constexpr Row rows[] = {{"++", 1}, {"||", 2}, {"&&", 3}, {"==", 4}, {"!=", 4}, {"<", 4},  {"<=", 4},
                                 {">", 4},  {">=", 4}, {"|", 5},  {"^", 6},  {"&", 7},  {"<<", 8}, {">>", 8},
                                 {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
  for (const Row& row : rows)
    if (row.symbol == token.text) return row.level;
  return 0;
}

}  // namespace lockstep::snesl::parsing
