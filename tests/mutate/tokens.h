// C++ as tokens and pairs of brackets; remarks and directives are in the gaps between tokens.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::mutate {

struct Token {
  enum Kind { Word, Number, Text, Sign } kind;
  std::size_t begin, end;  // bytes
};

class Source {
 public:
  explicit Source(std::string text);

  const std::string& all() const { return text_; }
  std::size_t size() const { return tokens_.size(); }
  const Token& at(std::size_t k) const { return tokens_[k]; }
  std::string_view text(std::size_t k) const;  // "" past the end
  bool is(std::size_t k, Token::Kind kind) const { return k < size() && tokens_[k].kind == kind; }
  bool is_name(std::size_t k) const;  // a word that is no keyword
  std::string between(std::size_t begin, std::size_t end) const { return text_.substr(begin, end - begin); }
  std::optional<std::size_t> close(std::size_t open) const;
  std::optional<std::size_t> open(std::size_t close) const;
  const std::map<std::size_t, std::size_t>& brackets() const { return close_; }  // open to close
  // A brace after a head of a function, a statement or a lambda, and not one of a value.
  bool opens_block(std::size_t k) const;
  // The tokens that touch the bytes [begin, end): the first, and the one after the last.
  std::pair<std::size_t, std::size_t> tokens_of(std::size_t begin, std::size_t end) const;

 private:
  std::string text_;
  std::vector<Token> tokens_;
  std::map<std::size_t, std::size_t> close_, open_;
};

}  // namespace lockstep::mutate
