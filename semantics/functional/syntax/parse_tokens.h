// The words of .dpia text: what they are, one after another.
#pragma once
#include <string_view>

#include "semantics/core/diagnostic.h"

namespace lockstep::parsing {

enum class TokenKind : unsigned char { End, Name, Keyword, Number, TypeVariable, Symbol, Bad };

struct Token {
  TokenKind kind = TokenKind::End;
  bool first_on_line = false;
  bool joined = false;  // directly after the token before it
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string_view text;
};

// One token after another; End again and again at the end. Never fails: what is no word is a Bad token.
class Lexer {
 public:
  explicit Lexer(SourceRef source);
  Token next();

 private:
  SourceRef source_;
  std::size_t offset_ = 0;
};

// "name `x`", "`=`", "the end of the file".
std::string describe(const Token& token);

// What to write instead of a Bad token, or "" where nothing is known.
std::string mend_for_bad(std::string_view text, bool as_name);  // where a name is wanted

// The parts of a Number token: "1e-3f64" is digits "1e-3" and suffix "f64".
struct NumberParts {
  std::string_view digits;
  std::string_view suffix;
  bool hexadecimal;
  bool fractional;  // has a point or an exponent
};
NumberParts split_number(std::string_view text);

// 9 for * / % down to 1 for ||; 0 for what is no infix operator.
int operator_level(const Token& token);
inline constexpr int comparison_level = 3;

}  // namespace lockstep::parsing
