// The words of values, and how their errors are told.
#include "semantics/text/value_reader.h"

#include <cstdint>
#include <limits>

namespace lockstep::reading {
namespace {

constexpr std::string_view symbols = "( ) [ ] { } < > ,";
constexpr Manner manner{.words = {.symbols = symbols, .later_signs = "", .quotes = true, .values = true},
                        .whole = "value",
                        .one_line = true,
                        .character = "Char",
                        .too_deep = {"this value is nested too deeply", "at most 1,000 levels of brackets", ""}};

std::string_view without_minus(std::string_view word) { return word.substr(word.starts_with('-') ? 1 : 0); }

}  // namespace

ValueReader::ValueReader(SourceRef source, const ScalarWords& words)
    : Reader(std::move(source), manner), words_(words) {}

void ValueReader::refuse_too_long() {
  if (source_->text.size() > std::numeric_limits<std::int32_t>::max())
    fail(region(0, 0), "the value is too long", "at most 2 GiB of text", "give a .npy file");
}

WordKind ValueReader::word_kind() {
  if (!at_word()) return WordKind::Other;
  const std::string_view word = peek().text, bare = without_minus(word);
  if (word == "true" || word == "false") return WordKind::Truth;
  if (bare == "inf" || bare == "nan") return WordKind::Special;
  if (bare.empty() || !is_digit(bare[0]) || number_length(bare) != bare.size()) return WordKind::Other;
  return bare.find_first_of(".eE") == std::string_view::npos ? WordKind::Integer : WordKind::Fraction;
}

// Of a text, which may be long, its quotation mark.
Reader::Found ValueReader::found(const Token& token) {
  const bool quotes = !token.text.empty() && (token.text[0] == '"' || token.text[0] == '\'');
  if (token.kind == TokenKind::End) return Reader::found(token);
  if (token.kind == TokenKind::Bad && quotes) return {"this quote is never closed", token.begin + 1};
  if (quotes) return {"found " + shown(token.text.substr(0, 1)), token.begin + 1};
  return {"found " + shown(token.text), token.end};
}

bool ValueReader::truth() {
  if (word_kind() != WordKind::Truth) unexpected("a " + std::string(words_.truth) + ", true or false");
  return take().text == "true";
}

std::int64_t ValueReader::integer() {
  const WordKind kind = word_kind();
  const std::string an_integer = "an " + std::string(words_.integer);
  if (kind == WordKind::Fraction) unexpected(an_integer + ", a whole number without point or exponent");
  if (kind != WordKind::Integer) unexpected(an_integer + ", such as 12 or -3");
  const Token word = take();
  const auto n = number_value<std::int64_t>(word.text);
  if (!n)
    fail(region(word), "this number is too large for " + an_integer,
         "a number from -9223372036854775808 to 9223372036854775807");
  return *n;
}

double ValueReader::real() {
  const WordKind kind = word_kind();
  if (kind == WordKind::Special) return special_value(take().text);
  const std::string a_real = "a " + std::string(words_.real);
  if (kind != WordKind::Integer && kind != WordKind::Fraction) unexpected(a_real + ", such as 1.5, -2 or 1e-3");
  const Token word = take();
  const auto r = real_value(word.text);
  if (!r)
    fail(region(word), "this number is too large for " + a_real, "at most 1.7976931348623157e308",
         "infinity is written inf");
  return *r;
}

unsigned char ValueReader::single_character() {
  const std::string a_character = "a " + std::string(words_.character);
  if (at_kind(TokenKind::Text))
    unexpected(a_character + ", such as 'c'", a_character + " stands between single quotes");
  if (!at_kind(TokenKind::Char)) unexpected(a_character + ", such as 'c' or '\\n'");
  return character(take());
}

double special_value(std::string_view word) {
  const double r =
      word.ends_with('f') ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  return word[0] == '-' ? -r : r;
}

}  // namespace lockstep::reading
