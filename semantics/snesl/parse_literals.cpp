// Numbers, and what stands between quotes: the same in a source and in a value of the command line.
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "semantics/snesl/parse_tokens.h"

namespace lockstep::snesl::parsing {
namespace {

// -1 for what is no hexadecimal digit.
int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// The byte that \c means; nothing for what is no escape of one letter.
std::optional<char> plain_escape(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case '0':
      return '\0';
    case '\\':
    case '\'':
    case '"':
      return c;
    default:
      return std::nullopt;
  }
}

}  // namespace

Quoted unquote(std::string_view inside) {
  Quoted result;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] != '\\') {
      result.bytes += inside[i];
      continue;
    }
    char c = i + 1 < inside.size() ? inside[i + 1] : ' ';
    if (c == 'x') {
      int high = i + 2 < inside.size() ? hex_digit(inside[i + 2]) : -1;
      int low = high >= 0 && i + 3 < inside.size() ? hex_digit(inside[i + 3]) : -1;
      if (low >= 0)
        result.bytes += static_cast<char>(16 * high + low);
      else
        result.bad.push_back({i, i + (high >= 0 ? 3 : 2), "two hexadecimal digits follow `\\x`, as in `\\x0a`"});
      i += low >= 0 ? 3 : high >= 0 ? 2 : 1;
    } else {
      std::size_t end = std::min(i + 2, inside.size());
      while (end < inside.size() && (static_cast<unsigned char>(inside[end]) & 0xc0) == 0x80) ++end;  // one letter
      if (std::optional<char> byte = plain_escape(c))
        result.bytes += *byte;
      else
        result.bad.push_back({i, end, "a backslash itself is written `\\\\`"});
      i = end - 1;
    }
  }
  return result;
}

std::size_t quoted_length(std::string_view text) {
  for (std::size_t i = 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == text[0]) return i + 1;
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] != '\n') ++i;
  }
  return 0;
}

std::size_t number_length(std::string_view text, bool fraction) {
  auto digits_from = [&](std::size_t at) {
    while (at < text.size() && is_digit(text[at])) ++at;
    return at;
  };
  std::size_t n = digits_from(0);
  if (!fraction) return n;
  if (n < text.size() && text[n] == '.') {
    std::size_t m = digits_from(n + 1);
    if (m > n + 1) n = m;
  }
  if (n < text.size() && (text[n] == 'e' || text[n] == 'E')) {
    std::size_t sign = n + 1 < text.size() && (text[n + 1] == '+' || text[n + 1] == '-') ? 1 : 0;
    std::size_t m = digits_from(n + 1 + sign);
    if (m > n + 1 + sign) n = m;
  }
  return n;
}

std::optional<double> real_value(std::string_view digits) {
  double value = 0;
  auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (read.ec == std::errc()) return value;
  // from_chars does not say on which side it is out of range.
  value = std::strtod(std::string(digits).c_str(), nullptr);
  if (std::isinf(value)) return std::nullopt;
  return value;
}

}  // namespace lockstep::snesl::parsing
