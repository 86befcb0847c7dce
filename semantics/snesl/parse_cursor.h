// Reading the text of a command line's value: what both readers of parse_values.cpp and parse_value_types.cpp do.
#pragma once
#include <limits>

#include "semantics/snesl/parse_grammar.h"

namespace lockstep::snesl::parsing {

inline bool is_value_digit(char c) { return c >= '0' && c <= '9'; }

enum class WordKind : unsigned char { Integer, Fraction, Special, Truth, Other };

// inf and nan are no words of a program, but results can be them.
inline WordKind kind_of(std::string_view word) {
  if (word == "true" || word == "false") return WordKind::Truth;
  std::string_view unsigned_part = word.substr(!word.empty() && word[0] == '-' ? 1 : 0);
  if (unsigned_part == "inf" || unsigned_part == "nan") return WordKind::Special;
  if (unsigned_part.empty() || !is_value_digit(unsigned_part[0])) return WordKind::Other;
  if (number_length(unsigned_part, true) != unsigned_part.size()) return WordKind::Other;
  return unsigned_part.find_first_of(".eE") == std::string_view::npos ? WordKind::Integer : WordKind::Fraction;
}

// A place in the text, and what both readers do there. Reading stops at the first error.
class Cursor {
 public:
  explicit Cursor(SourceRef source) : source_(std::move(source)), text_(source_->text) {}

  // Regions have 32 bits.
  void refuse_too_long() {
    if (text_.size() > std::numeric_limits<std::int32_t>::max())
      fail(0, 0, "the value is too long", "at most 2 GiB of text", "give a .npy file");
  }
  std::size_t here() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
    return at_;
  }
  char next() { return here() < text_.size() ? text_[at_] : '\0'; }
  bool at_end() { return here() == text_.size(); }
  bool accept(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  // A number, with its minus directly before it, or a name; empty where neither stands here.
  std::string_view word() {
    std::size_t n = here();
    if (n < text_.size() && text_[n] == '-') ++n;
    auto in_word = [&](char c) {
      if (c == '-' || c == '+')
        return n > at_ + 1 && (text_[n - 1] == 'e' || text_[n - 1] == 'E') && is_value_digit(text_[n - 2]);
      return is_value_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
    };
    while (n < text_.size() && in_word(text_[n])) ++n;
    std::string_view found = text_.substr(at_, n - at_);
    at_ = n;
    return found;
  }
  // Between quotation marks, the first of which is here.
  std::string quoted() {
    std::size_t begin = here(), length = quoted_length(text_.substr(begin));
    if (length == 0) fail(begin, begin + 1, "this quote is never closed", std::string("a closing ") + text_[begin], "");
    Quoted q = unquote(text_.substr(begin + 1, length - 2));
    if (!q.bad.empty()) {
      const BadEscape& bad = q.bad.front();
      fail(begin + 1 + bad.begin, begin + 1 + bad.end,
           "found `" + std::string(text_.substr(begin + 1 + bad.begin, bad.end - bad.begin)) + "`, which is no escape",
           R"(\n \t \r \0 \\ \' \" or \xHH)", bad.mend);
    }
    at_ = begin + length;
    return std::move(q.bytes);
  }
  std::size_t offset() const { return at_; }

  [[noreturn]] void fail(std::size_t begin, std::size_t end, std::string message, std::string expected,
                         std::string mend) {
    Region region{source_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    diagnostics_.push_back({std::move(region), std::move(message), std::move(expected), std::move(mend)});
    throw Abandoned{};
  }
  [[noreturn]] void unexpected(const std::string& expected, const std::string& mend = "") {
    std::size_t begin = here();
    std::string_view found = at_end() ? std::string_view() : word();
    if (found.empty() && begin < text_.size()) {
      std::size_t end = begin + 1;
      while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xc0) == 0x80) ++end;
      found = text_.substr(begin, end - begin);
    }
    std::string shown(found.substr(0, 60));
    fail(begin, begin + found.size(), found.empty() ? "the value ends here" : "found `" + shown + "`", expected, mend);
  }
  // What stands between brackets, the first of which was taken at `opened`, one item after another.
  template <class Item>
  void items(std::size_t opened, char close, Item item) {
    if (accept(close)) return;
    do item();
    while (accept(','));
    if (!accept(close)) not_closed(opened, close, ", or `,`");
  }
  [[noreturn]] void not_closed(std::size_t opened, char close, const std::string& or_else = "") {
    std::string open = std::string("the `") + text_[opened] + "` at column " + std::to_string(opened + 1);
    unexpected(std::string("`") + close + "`, which closes " + open + or_else);
  }
  void expect_end() {
    if (!at_end()) unexpected("the end of the value");
  }
  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  SourceRef source_;
  std::string_view text_;
  std::size_t at_ = 0;
  Diagnostics diagnostics_;
};

// Runs a reader over a whole value.
template <class Result, class Reader, class... Argument>
Checked<Result> read_whole(SourceRef source, Result (Reader::*read)(const Argument&...), const Argument&... argument) {
  Reader reader(std::move(source));
  try {
    return (reader.*read)(argument...);
  } catch (const Abandoned&) {
    return tl::make_unexpected(std::move(reader.diagnostics()));
  }
}

}  // namespace lockstep::snesl::parsing
