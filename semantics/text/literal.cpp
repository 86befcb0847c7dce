// Numbers and quoted text, read and written.
#include "semantics/text/literal.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace lockstep::reading {
namespace {

// -1 for what is no hexadecimal digit.
int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// What is written with one letter after the backslash.
struct Escape {
  char letter, byte;
};
constexpr Escape escapes[] = {{'n', '\n'}, {'t', '\t'}, {'r', '\r'}, {'0', '\0'}, {'\\', '\\'}};

std::optional<char> byte_of(char letter) {
  if (letter == '\'' || letter == '"') return letter;
  for (const Escape& e : escapes)
    if (e.letter == letter) return e.byte;
  return std::nullopt;
}

bool continues_letter(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

std::size_t digits_length(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  return n;
}

std::size_t number_length(std::string_view text, bool hexadecimal, std::string_view exponent_signs) {
  if (hexadecimal && text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
      hex_digit(text[2]) >= 0) {
    std::size_t n = 3;
    while (n < text.size() && hex_digit(text[n]) >= 0) ++n;
    return n;
  }
  std::size_t n = digits_length(text);
  if (n < text.size() && text[n] == '.')
    if (const std::size_t fraction = digits_length(text.substr(n + 1))) n += 1 + fraction;
  if (n < text.size() && (text[n] == 'e' || text[n] == 'E')) {
    const std::size_t sign = n + 1 < text.size() && exponent_signs.find(text[n + 1]) != std::string_view::npos ? 1 : 0;
    if (const std::size_t exponent = digits_length(text.substr(n + 1 + sign))) n += 1 + sign + exponent;
  }
  return n;
}

NumberParts number_parts(std::string_view text) {
  const std::string_view digits = text.substr(0, number_length(text, true));
  const bool hexadecimal = digits.size() > 2 && (digits[1] == 'x' || digits[1] == 'X');
  const bool fractional = !hexadecimal && digits.find_first_of(".eE") != std::string_view::npos;
  return {digits, text.substr(digits.size()), hexadecimal, fractional};
}

std::optional<double> real_value(std::string_view digits) {
  double value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (read.ec == std::errc()) return value;
  // from_chars does not say on which side it is out of range.
  value = std::strtod(std::string(digits).c_str(), nullptr);
  if (std::isinf(value)) return std::nullopt;
  return value;
}

Unquoted unquote(std::string_view inside) {
  Unquoted result;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] != '\\') {
      result.bytes += inside[i];
      continue;
    }
    const char c = i + 1 < inside.size() ? inside[i + 1] : ' ';
    if (c == 'x') {
      const int high = i + 2 < inside.size() ? hex_digit(inside[i + 2]) : -1;
      const int low = high >= 0 && i + 3 < inside.size() ? hex_digit(inside[i + 3]) : -1;
      if (low >= 0)
        result.bytes += static_cast<char>(16 * high + low);
      else
        result.bad.push_back({i, i + (high >= 0 ? 3 : 2), "two hexadecimal digits follow `\\x`, as in `\\x0a`"});
      i += low >= 0 ? 3 : high >= 0 ? 2 : 1;
    } else {
      const std::size_t begin = i++;
      if (const std::optional<char> byte = byte_of(c)) {
        result.bytes += *byte;
        continue;
      }
      while (i + 1 < inside.size() && continues_letter(inside[i + 1])) ++i;
      result.bad.push_back({begin, std::min(i + 1, inside.size()), "a backslash itself is written `\\\\`"});
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

std::string escaped(unsigned char c, char quote) {
  for (const Escape& e : escapes)
    if (e.byte == static_cast<char>(c)) return {'\\', e.letter};
  if (c == static_cast<unsigned char>(quote)) return {'\\', quote};
  if (c >= 0x20 && c < 0x7f) return {static_cast<char>(c)};
  constexpr char digits[] = "0123456789abcdef";
  return {'\\', 'x', digits[c / 16], digits[c % 16]};
}

std::string quoted(std::string_view text) {
  std::string r = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80)
      r += c;
    else
      r += escaped(byte, '"');
  }
  return r + "\"";
}

}  // namespace lockstep::reading
