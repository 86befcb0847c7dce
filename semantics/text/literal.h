// Numbers, and what stands between quotes: the same in programs of all languages, in values and in what stages print.
#pragma once
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace lockstep::reading {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::size_t digits_length(std::string_view text);
// Of text that starts with a digit: 12, 1.5, 1e-3, and 0x1f where it may be hexadecimal.
std::size_t number_length(std::string_view text, bool hexadecimal = false, std::string_view exponent_signs = "+-");

// The parts of a number: "1e-3f64" is digits "1e-3" and suffix "f64".
struct NumberParts {
  std::string_view digits;
  std::string_view suffix;
  bool hexadecimal;
  bool fractional;  // has a point or an exponent
};
NumberParts number_parts(std::string_view text);

// All of the text as one number, a minus before it included; nothing where it is none, or too large for an N.
template <class N>
std::optional<N> number_value(std::string_view text, int base = 10) {
  N value{};
  std::from_chars_result read{};
  if constexpr (std::is_integral_v<N>)
    read = std::from_chars(text.data(), text.data() + text.size(), value, base);
  else
    read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}
// The nearest double, nothing where it is too large for one.
std::optional<double> real_value(std::string_view digits);

// The bytes between quotes with escapes resolved, and every escape that is none, by its place between the quotes.
inline constexpr std::string_view known_escapes = R"(\n \t \r \0 \\ \' \" or \xHH)";
struct BadEscape {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string mend;
};
struct Unquoted {
  std::string bytes;
  std::vector<BadEscape> bad;
};
Unquoted unquote(std::string_view inside);
// Of text that starts with a quotation mark: up to and with the mark that closes it; 0 where the line ends before.
std::size_t quoted_length(std::string_view text);

// One byte as it stands between these quotes, what is not printable ASCII escaped.
std::string escaped(unsigned char c, char quote);
// A text in double quotes, its letters beyond ASCII as they are.
std::string quoted(std::string_view text);

}  // namespace lockstep::reading
