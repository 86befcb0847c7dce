// Text to words, by a table of what the words of a language are.
#pragma once
#include <string_view>

#include "semantics/core/diagnostic.h"

namespace lockstep::reading {

enum class TokenKind : unsigned char { End, Name, Quoted, Keyword, Number, Variable, Char, Text, Remark, Symbol, Bad };

struct Token {
  TokenKind kind = TokenKind::End;
  bool first_on_line = false;
  bool joined = false;  // directly after the token before it
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string_view text;  // as it is written, quotes included

  // A symbol, keyword or name that is so written.
  bool is(std::string_view s) const {
    return (kind == TokenKind::Symbol || kind == TokenKind::Keyword || kind == TokenKind::Name) && text == s;
  }
};

struct Words {
  std::string_view keywords{};         // these three are lists, blanks between
  std::string_view symbols{};          // of several that fit, the longest is meant
  std::string_view hyphenated{};       // names of two words: scan-plus
  std::string_view comment{};          // what begins one, to the end of its line
  std::string_view remark{};           // the same, kept as a word
  std::string_view name_signs = "_";   // what a name holds beside letters,
  std::string_view later_signs = "'";  // and beside digits after its first
  std::string_view exponent_signs = "+-";
  bool type_variables = false;  // 'a
  bool quotes = false;          // 'c' and "text", on one line
  bool backquotes = false;      // `any name`, a Quoted
  bool hexadecimal = false;     // 0x1f
  bool suffixes = false;        // 1f64 is one Number; without, it is one Bad
  bool components = false;      // directly after a point digits alone are a number: x.1.2
  bool values = false;          // numbers as results print them, their minus and whatever follows included: -1e-3f64
};

bool is_listed(std::string_view word, std::string_view list);

// One token after another; End again and again at the end. Never fails: what is no word is a Bad token.
class Lexer {
 public:
  Lexer(SourceRef source, const Words& words);  // all of the source, but for a byte order mark
  Lexer(SourceRef source, const Words& words, std::size_t begin, std::size_t end);
  Token next();
  void resume_after(const Token& token);
  std::string_view rest_from(std::size_t offset) const;

 private:
  struct Match {
    TokenKind kind;
    std::size_t length;
  };
  bool skip_blank();  // whether a line ended
  Match match(std::string_view text) const;
  Match match_name(std::string_view text) const;
  Match match_number(std::string_view text) const;
  Match match_quoted(std::string_view text) const;
  std::size_t symbol_length(std::string_view text) const;
  std::size_t name_length(std::string_view text) const;
  bool starts_name(char c) const;

  SourceRef source_;
  const Words* words_;
  std::size_t begin_, end_, offset_;
  bool after_point_ = false;
};

}  // namespace lockstep::reading
