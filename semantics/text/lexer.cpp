// Words, by hand: a number depends on the word before it (x.1.2), a hyphen on the words around it, and what a language
// has is a table that several share, where PEGTL compiles a grammar of its own for each.
#include "semantics/text/lexer.h"

#include <algorithm>

#include "semantics/text/literal.h"

namespace lockstep::reading {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::size_t line_length(std::string_view text) { return std::min(text.find('\n'), text.size()); }

// A run of bytes beyond ASCII is one stray word.
std::size_t stray_length(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && static_cast<unsigned char>(text[n]) >= 0x80) ++n;
  return std::max<std::size_t>(n, 1);
}

// -1.5e-3f64, 1_000: a minus, then letters, digits, points and the sign of an exponent.
std::size_t value_length(std::string_view text) {
  const std::size_t sign = text[0] == '-' ? 1 : 0;
  std::size_t n = sign;
  const auto inside = [&](char c) {
    if (c == '-' || c == '+')
      return n > sign + 1 && (text[n - 1] == 'e' || text[n - 1] == 'E') && is_digit(text[n - 2]);
    return is_digit(c) || is_letter(c) || c == '_' || c == '.';
  };
  while (n < text.size() && inside(text[n])) ++n;
  return n;
}

}  // namespace

bool is_listed(std::string_view word, std::string_view list) {
  for (std::size_t k = list.find(word); k != std::string_view::npos; k = list.find(word, k + 1)) {
    const std::size_t end = k + word.size();
    if ((k == 0 || list[k - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

Lexer::Lexer(SourceRef source, const Words& words)
    : source_(std::move(source)), words_(&words), begin_(0), end_(source_->text.size()), offset_(0) {
  if (source_->text.starts_with(byte_order_mark)) begin_ = offset_ = byte_order_mark.size();
}

Lexer::Lexer(SourceRef source, const Words& words, std::size_t begin, std::size_t end)
    : source_(std::move(source)), words_(&words), begin_(begin), end_(end), offset_(begin) {}

std::string_view Lexer::rest_from(std::size_t offset) const {
  return std::string_view(source_->text).substr(offset, end_ - offset);
}

void Lexer::resume_after(const Token& token) {
  offset_ = std::max<std::size_t>(begin_, token.end);
  after_point_ = token.text == ".";
}

bool Lexer::skip_blank() {
  bool line_ended = false;
  for (; offset_ < end_; ++offset_) {
    const char c = source_->text[offset_];
    if (!words_->comment.empty() && c == words_->comment[0] && rest_from(offset_).starts_with(words_->comment)) {
      offset_ += line_length(rest_from(offset_));
      if (offset_ == end_) return line_ended;
      line_ended = true;
    } else if (c == '\n') {
      line_ended = true;
    } else if (c != ' ' && c != '\t' && c != '\r' && c != '\f') {
      return line_ended;
    }
  }
  return line_ended;
}

Token Lexer::next() {
  const std::size_t before = offset_;
  const bool line_ended = skip_blank();
  Token token;
  token.joined = offset_ == before && before != begin_;
  token.first_on_line = line_ended || before == begin_;
  token.begin = token.end = static_cast<std::uint32_t>(offset_);
  const std::string_view rest = rest_from(offset_);
  if (rest.empty()) return token;
  after_point_ = after_point_ && token.joined;
  const auto [kind, length] = match(rest);
  token.kind = kind;
  token.text = rest.substr(0, length);
  offset_ += length;
  token.end = static_cast<std::uint32_t>(offset_);
  after_point_ = token.text == ".";
  return token;
}

Lexer::Match Lexer::match(std::string_view text) const {
  const char c = text[0];
  if (starts_name(c)) return match_name(text);
  if (words_->values && (is_digit(c) || c == '-' || c == '.')) return {TokenKind::Number, value_length(text)};
  if (is_digit(c)) return match_number(text);
  if (words_->quotes && (c == '"' || c == '\'')) return match_quoted(text);
  if (words_->type_variables && c == '\'' && text.size() > 1 && starts_name(text[1]))
    return {TokenKind::Variable, 1 + name_length(text.substr(1))};
  if (words_->backquotes && c == '`')
    if (const std::size_t close = text.find('`', 1); close != std::string_view::npos)
      return {TokenKind::Quoted, close + 1};
  if (!words_->remark.empty() && text.starts_with(words_->remark)) return {TokenKind::Remark, line_length(text)};
  if (const std::size_t n = symbol_length(text)) return {TokenKind::Symbol, n};
  return {TokenKind::Bad, stray_length(text)};
}

bool Lexer::starts_name(char c) const { return is_letter(c) || words_->name_signs.find(c) != std::string_view::npos; }

std::size_t Lexer::name_length(std::string_view text) const {
  const auto inside = [&](char c) {
    return starts_name(c) || is_digit(c) || words_->later_signs.find(c) != std::string_view::npos;
  };
  std::size_t n = 0;
  while (n < text.size() && inside(text[n])) ++n;
  return n;
}

Lexer::Match Lexer::match_name(std::string_view text) const {
  const std::size_t n = name_length(text);
  if (!words_->hyphenated.empty() && n < text.size() && text[n] == '-') {
    const std::size_t both = n + 1 + name_length(text.substr(n + 1));
    if (is_listed(text.substr(0, both), words_->hyphenated)) return {TokenKind::Name, both};
  }
  return {is_listed(text.substr(0, n), words_->keywords) ? TokenKind::Keyword : TokenKind::Name, n};
}

// Letters that follow belong to the word, so that a wrong suffix is one error and not two words.
Lexer::Match Lexer::match_number(std::string_view text) const {
  const std::size_t digits = words_->components && after_point_
                                 ? digits_length(text)
                                 : number_length(text, words_->hexadecimal, words_->exponent_signs);
  const std::size_t suffix = name_length(text.substr(digits));
  return {suffix == 0 || words_->suffixes ? TokenKind::Number : TokenKind::Bad, digits + suffix};
}

Lexer::Match Lexer::match_quoted(std::string_view text) const {
  const std::size_t n = quoted_length(text);
  if (text[0] == '"') return n ? Match{TokenKind::Text, n} : Match{TokenKind::Bad, line_length(text)};
  if (text.starts_with("'''")) return {TokenKind::Bad, 3};
  return n ? Match{TokenKind::Char, n} : Match{TokenKind::Bad, 1};
}

std::size_t Lexer::symbol_length(std::string_view text) const {
  const std::string_view list = words_->symbols;
  std::size_t longest = 0;
  for (std::size_t k = list.find(text[0]); k != std::string_view::npos; k = list.find(text[0], k + 1)) {
    if (k > 0 && list[k - 1] != ' ') continue;
    const std::string_view symbol = list.substr(k, list.find(' ', k) - k);
    if (symbol.size() > longest && text.starts_with(symbol)) longest = symbol.size();
  }
  return longest;
}

}  // namespace lockstep::reading
