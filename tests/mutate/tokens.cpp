// In: C++; out: its tokens.
#include "tests/mutate/tokens.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace lockstep::mutate {
namespace {

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class Lexer {
 public:
  explicit Lexer(const std::string& s) : s_(s) {}

  std::vector<Token> all() && {
    while (at_ < s_.size()) step();
    return std::move(tokens_);
  }

 private:
  bool starts(std::string_view what) const { return s_.compare(at_, what.size(), what) == 0; }
  void skip_past(std::string_view what) {
    const std::size_t found = s_.find(what, at_);
    at_ = found == std::string::npos ? s_.size() : found + what.size();
  }
  void token(Token::Kind kind, std::size_t begin) { tokens_.push_back({kind, begin, at_}); }

  void step() {
    const char c = s_[at_];
    const std::size_t begin = at_;
    if (std::isspace(static_cast<unsigned char>(c)))
      ++at_;
    else if (starts("//"))
      skip_past("\n");
    else if (starts("/*"))
      skip_past("*/");
    else if (c == '#' && is_first_of_line())
      directive();
    else if (starts("R\""))
      raw(begin);
    else if (c == '"' || c == '\'')
      quoted(c, begin);
    else if (in_word(c))
      word(begin);
    else
      sign(begin);
  }
  bool is_first_of_line() const {
    std::size_t k = at_;
    while (k > 0 && (s_[k - 1] == ' ' || s_[k - 1] == '\t')) --k;
    return k == 0 || s_[k - 1] == '\n';
  }
  // What stands behind #ifdef is of another build; no such text is within another.
  void directive() {
    const bool of_another_build = starts("#ifdef");
    do skip_past("\n");
    while (at_ < s_.size() && at_ >= 2 && s_[at_ - 2] == '\\');
    while (of_another_build && at_ < s_.size() && !starts("#else") && !starts("#endif")) skip_past("\n");
  }
  void raw(std::size_t begin) {
    const std::size_t open = s_.find('(', at_);
    skip_past(")" + s_.substr(at_ + 2, open - at_ - 2) + "\"");
    token(Token::Text, begin);
  }
  void quoted(char quote, std::size_t begin) {
    for (++at_; at_ < s_.size() && s_[at_] != quote; ++at_) at_ += s_[at_] == '\\';
    ++at_;
    token(Token::Text, begin);
  }
  void word(std::size_t begin) {
    const bool number = std::isdigit(static_cast<unsigned char>(s_[at_]));
    // 1'000, 1.5
    while (at_ < s_.size() && (in_word(s_[at_]) || (number && (s_[at_] == '\'' || s_[at_] == '.')))) ++at_;
    token(number ? Token::Number : Token::Word, begin);
  }
  void sign(std::size_t begin) {
    static constexpr std::string_view longer[] = {"<=>", "<<=", ">>=", "...", "->*", "::", "->", "++",
                                                  "--",  "<<",  "<=",  ">=",  "==",  "!=", "&&", "||",
                                                  "+=",  "-=",  "*=",  "/=",  "%=",  "&=", "|=", "^="};
    const auto found = std::find_if(std::begin(longer), std::end(longer), [&](auto l) { return starts(l); });
    at_ += found == std::end(longer) ? 1 : found->size();
    token(Token::Sign, begin);
  }

  const std::string& s_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

const std::set<std::string_view> keywords{
    "if",     "while", "for",       "switch",    "return",  "else",     "do",     "case",     "using",
    "const",  "auto",  "static",    "constexpr", "throw",   "new",      "delete", "typedef",  "struct",
    "class",  "enum",  "break",     "continue",  "default", "try",      "catch",  "template", "typename",
    "sizeof", "goto",  "namespace", "public",    "private", "co_return"};

}  // namespace

Source::Source(std::string text) : text_(std::move(text)), tokens_(Lexer(text_).all()) {
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < size(); ++k) {
    const std::string_view t = this->text(k);
    if (!is(k, Token::Sign)) continue;
    if (t == "(" || t == "[" || t == "{") open.push_back(k);
    if ((t == ")" || t == "]" || t == "}") && !open.empty()) {
      close_[open.back()] = k;
      open_[k] = open.back();
      open.pop_back();
    }
  }
}

std::string_view Source::text(std::size_t k) const {
  return k < size() ? std::string_view(text_).substr(tokens_[k].begin, tokens_[k].end - tokens_[k].begin)
                    : std::string_view();
}

bool Source::is_name(std::size_t k) const { return is(k, Token::Word) && !keywords.contains(text(k)); }

std::optional<std::size_t> Source::close(std::size_t open) const {
  const auto found = close_.find(open);
  return found == close_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> Source::open(std::size_t close) const {
  const auto found = open_.find(close);
  return found == open_.end() ? std::nullopt : std::optional(found->second);
}

bool Source::opens_block(std::size_t k) const {
  static const std::set<std::string_view> before{")", "const", "noexcept", "override", "else", "do", "try", "mutable"};
  return text(k) == "{" && k > 0 && before.contains(text(k - 1));
}

std::pair<std::size_t, std::size_t> Source::tokens_of(std::size_t begin, std::size_t end) const {
  const auto ends_before = [](const Token& t, std::size_t at) { return t.end <= at; };
  const auto first = std::lower_bound(tokens_.begin(), tokens_.end(), begin, ends_before);
  auto last = first;
  while (last != tokens_.end() && last->begin < end) ++last;
  return {static_cast<std::size_t>(first - tokens_.begin()), static_cast<std::size_t>(last - tokens_.begin())};
}

}  // namespace lockstep::mutate
