// The words of .snesl text, and the literals that source and command line share.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "semantics/core/diagnostic.h"

namespace lockstep::snesl::parsing {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

enum class TokenKind : unsigned char { End, Name, Keyword, Number, Char, Text, Symbol, Bad };

struct Token {
  TokenKind kind = TokenKind::End;
  bool first_on_line = false;
  bool joined = false;  // directly after the token before it
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string_view text;  // quotes included
};

// One token after another; End again and again at the end. Never fails: what is no word is a Bad token.
class Lexer {
 public:
  explicit Lexer(SourceRef source);
  Token next();

 private:
  bool skip_blank();  // whether a line ended
  SourceRef source_;
  std::size_t offset_ = 0;
  bool after_point_ = false;  // digits are a component's number there: x.1.2
};

// "the name `x`", "`=`", "the end of the file".
std::string describe(const Token& token);

// What is wrong with a Bad token, and what to write instead; either may be empty.
struct BadWord {
  std::string message;
  std::string mend;
};
BadWord explain_bad(std::string_view text);

// 1 for ++, 2 for || up to 10 for * / %; 0 for what is no infix operator of these.
int operator_level(const Token& token);
inline constexpr int comparison_level = 4;

// The bytes between quotes with escapes resolved, and every escape that is none, by its place between the quotes.
struct BadEscape {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string mend;
};
struct Quoted {
  std::string bytes;
  std::vector<BadEscape> bad;
};
Quoted unquote(std::string_view inside);
// Of text that starts with a quotation mark: up to and with the mark that closes it; 0 where the line ends before.
std::size_t quoted_length(std::string_view text);
// Of text that starts with a digit: 12, 1.5 or 1e-3; only its digits where it may have no fraction.
std::size_t number_length(std::string_view text, bool fraction);
// The nearest Real, nothing where it is too large for one.
std::optional<double> real_value(std::string_view digits);

}  // namespace lockstep::snesl::parsing
