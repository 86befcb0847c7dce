// Reads and prints the dictionary of a .npy header. It is Python text and Python would evaluate it; here it is the
// three known keys and their literals, and anything else is refused.
#include "codegen/runtime/npy_header.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <set>

#include "semantics/core/table.h"
#include "semantics/text/reader.h"

namespace lockstep {
namespace {

// NumPy's kind and size in bytes.
constexpr auto codes = table<ScalarType>({{ScalarType::Bool, "b1"},
                                          {ScalarType::I8, "i1"},
                                          {ScalarType::U8, "u1"},
                                          {ScalarType::I16, "i2"},
                                          {ScalarType::U16, "u2"},
                                          {ScalarType::I32, "i4"},
                                          {ScalarType::U32, "u4"},
                                          {ScalarType::I64, "i8"},
                                          {ScalarType::U64, "u8"},
                                          {ScalarType::F32, "f4"},
                                          {ScalarType::F64, "f8"}});
constexpr std::size_t most_dimensions = 64;  // NumPy's own limit

// What NumPy calls a type that there is none of here, and how to get to one that there is.
struct Refused {
  std::string_view code;  // its beginning
  std::string_view name;
  std::string_view mend;
};
constexpr std::array<Refused, 10> refused{{{"f2", "half-precision floats", "convert it with a.astype('<f4')"},
                                           {"f12", "extended floats", "convert it with a.astype('<f8')"},
                                           {"f16", "extended floats", "convert it with a.astype('<f8')"},
                                           {"c", "complex numbers", "save a.real and a.imag as two files"},
                                           {"O", "Python objects", "convert it to an array of numbers"},
                                           {"U", "strings", "convert it to an array of numbers"},
                                           {"S", "byte strings", "view it with a.view('u1')"},
                                           {"M", "dates", "view it with a.view('<i8')"},
                                           {"m", "durations", "view it with a.view('<i8')"},
                                           {"V", "raw bytes", "view it with a.view('u1')"}}};
std::string known_codes() {
  std::string out;
  for (const ScalarType t : scalar_types) out += (out.empty() ? "" : " ") + std::string(codes[t]);
  return out;
}

using reading::Token, reading::TokenKind;

constexpr std::string_view symbols = "{ } [ ] ( ) : , + -";
constexpr reading::Manner manner{.words = {.symbols = symbols, .later_signs = "", .quotes = true, .suffixes = true}};

// Of a diagnostic's fields a refusal of what is well formed has the message only.
class HeaderReader : public reading::Reader {
 public:
  explicit HeaderReader(std::string_view text)
      : Reader(std::make_shared<const Source>(Source{"header", std::string(text)}), manner) {}

  NpyHeader dictionary() {
    need("{", "to begin the header's dictionary");
    while (!accept("}")) {
      entry();
      if (!accept(",") && !at("}")) unexpected("',' or '}'");
    }
    if (!at_end()) unexpected("nothing after the dictionary");
    for (const char* key : {"descr", "fortran_order", "shape"})
      if (!seen_.contains(key)) refuse("the header has no '" + std::string(key) + "'");
    return header_;
  }

 private:
  [[noreturn]] void refuse(std::string message) { fail(region(0, 0), std::move(message)); }
  Found found(const Token& token) override {
    const std::string_view text = rest().substr(0, 16);
    return {text.empty() ? "the end" : "'" + std::string(text.substr(0, text.find('\n'))) + "'", token.end};
  }
  void need(std::string_view symbol, const std::string& where) {
    if (!accept(symbol)) unexpected("'" + std::string(symbol) + "' " + where);
  }

  // 'text' or "text", with the u that Python 2 wrote.
  std::string string(const std::string& what) {
    const auto quoted = [](const Token& t) { return t.kind == TokenKind::Char || t.kind == TokenKind::Text; };
    if ((at("u") || at("U")) && quoted(peek(1)) && peek(1).joined) take();
    if (at_kind(TokenKind::Bad) && peek().text.find_first_of("'\"") == 0) unexpected("the end of the string");
    if (!quoted(peek())) unexpected(what + " in quotes");
    if (peek().text.find_first_of("\\\r") != std::string_view::npos) unexpected(what + " without escapes");
    const std::string_view text = take().text;
    return std::string(text.substr(1, text.size() - 2));
  }

  bool boolean() {
    if (!at("True") && !at("False")) unexpected("True or False");
    return take().text == "True";
  }

  // (), (3,), (3, 4) or (3, 4,); (3) is a number to Python and no shape.
  std::vector<std::int64_t> shape() {
    std::vector<std::int64_t> lengths;
    need("(", "to begin the shape");
    while (!accept(")")) {
      lengths.push_back(length());
      if (accept(",")) continue;
      if (lengths.size() == 1) unexpected("',' after the only length of a shape");
      if (!at(")")) unexpected("',' or ')' in the shape");
    }
    return lengths;
  }

  // Decimal; 1_000 is Python's, the L of 3L Python 2's.
  std::int64_t length() {
    if (at("-")) refuse("the shape has a negative length; lengths are 0 or more");
    accept("+");
    const std::string_view text = rest(), word = text.substr(0, text.find_first_of(".,:()[]{} \t\n\r\f+-'\""));
    std::string digits;
    for (std::size_t i = 0; i < word.size(); ++i) {
      const bool between = i > 0 && i + 1 < word.size() && word[i - 1] != '_';
      if (!(word[i] == '_' && between) && !(word[i] == 'L' && i > 0 && i + 1 == word.size())) digits += word[i];
    }
    if (digits.empty() || reading::digits_length(digits) != digits.size()) unexpected("a length");
    const auto value = reading::number_value<std::int64_t>(digits);
    if (!value) refuse("the shape has a length that is no 63-bit number");
    take_raw(word.size());
    return *value;
  }

  [[noreturn]] void refuse_type(const std::string& written, std::string_view code) {
    std::string name;
    std::string mend = "convert it to one of these";
    for (const auto& type : refused)
      if (code.starts_with(type.code)) {
        name = " (" + std::string(type.name) + ")";
        mend = type.mend;
        break;
      }
    refuse("its elements are '" + written + "'" + name + "; expected one of " + known_codes() + "; " + mend +
           " and save it again");
  }

  void type() {
    if (at("[") || at("("))
      refuse("its elements are structured; expected one of " + known_codes() +
             "; save each field as a file of its own");
    const std::string written = string("the type of the elements");
    std::string_view code = written;
    const bool has_order = !code.empty() && std::strchr("<>=|", code.front());
    const bool big = has_order && code.front() == '>';
    if (has_order) code.remove_prefix(1);
    if (code == "?") code = "b1";
    const auto* found =
        std::find_if(scalar_types.begin(), scalar_types.end(), [&](ScalarType t) { return codes[t] == code; });
    if (found == scalar_types.end()) refuse_type(written, code);
    header_.type = *found;
    header_.big_endian = big && npy_element_bytes(*found) > 1;
  }

  void entry() {
    const std::string key = string("a key");
    if (!seen_.insert(key).second) refuse("the header gives '" + key + "' twice");
    need(":", "after the key");
    if (key == "descr")
      type();
    else if (key == "fortran_order")
      header_.fortran_order = boolean();
    else if (key == "shape")
      header_.shape = shape();
    else
      refuse("the header has a key '" + key + "'; expected descr, fortran_order and shape only");
  }

  NpyHeader header_;
  std::set<std::string> seen_;
};

}  // namespace

int npy_element_bytes(ScalarType type) { return codes[type][1] - '0'; }

tl::expected<std::int64_t, std::string> npy_element_count(ScalarType type, const std::vector<std::int64_t>& shape) {
  if (shape.size() > most_dimensions)
    return tl::unexpected("the shape has " + std::to_string(shape.size()) + " dimensions; 64 are the most");
  std::int64_t bytes = npy_element_bytes(type);
  bool none = false;
  for (const std::int64_t length : shape) {
    if (length < 0) return tl::unexpected(std::string("the shape has a negative length; lengths are 0 or more"));
    none |= length == 0;
    if (length != 0 && __builtin_mul_overflow(bytes, length, &bytes))
      return tl::unexpected(std::string("the shape has more elements than any memory holds"));
  }
  return none ? 0 : bytes / npy_element_bytes(type);
}

tl::expected<NpyHeader, std::string> parse_npy_header(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (static_cast<unsigned char>(text[i]) >= 0x80)
      return tl::unexpected("the header's byte " + std::to_string(i) +
                            " is not ASCII; expected a header as numpy.save writes it");
  HeaderReader reader(text);
  auto header = reading::read_whole(reader, [&] { return reader.dictionary(); });
  if (!header) {
    const Diagnostic& d = header.error().front();
    if (d.expected.empty()) return tl::unexpected(d.message);
    return tl::unexpected("the header is malformed at its byte " + std::to_string(d.region.begin) + ": found " +
                          d.message + ", expected " + d.expected);
  }
  if (auto count = npy_element_count(header->type, header->shape); !count) return tl::unexpected(count.error());
  return std::move(*header);
}

std::string print_npy_header(const NpyHeader& header) {
  std::string lengths;
  for (const std::int64_t length : header.shape) lengths += std::to_string(length) + ", ";
  if (header.shape.size() > 1) lengths.resize(lengths.size() - 2);
  if (header.shape.size() == 1) lengths.pop_back();
  const char order = npy_element_bytes(header.type) == 1 ? '|' : header.big_endian ? '>' : '<';
  std::string text = "{'descr': '" + std::string(1, order) + std::string(codes[header.type]) +
                     "', 'fortran_order': " + (header.fortran_order ? "True" : "False") + ", 'shape': (" + lengths +
                     "), }";
  constexpr std::size_t before = 10;  // magic, version, length
  while ((before + text.size() + 1) % 64 != 0) text += ' ';
  text += '\n';
  const auto low = static_cast<char>(text.size() & 0xff);
  const auto high = static_cast<char>(text.size() >> 8);  // 64 dimensions stay far below 64 KiB
  return std::string("\x93NUMPY\x01\x00", 8) + low + high + text;
}

}  // namespace lockstep
