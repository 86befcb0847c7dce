// Reads and prints the dictionary of a .npy header. It is Python text and Python would evaluate it; here it is the
// three known keys and their literals, and anything else is refused.
#include "codegen/runtime/npy_header.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <set>

namespace lockstep {
namespace {

struct Code {
  std::string_view text;  // NumPy's kind and size in bytes
  ScalarType type;
};
constexpr std::array<Code, 8> codes{{{"b1", ScalarType::Bool},
                                     {"u1", ScalarType::U8},
                                     {"i4", ScalarType::I32},
                                     {"i8", ScalarType::I64},
                                     {"u4", ScalarType::U32},
                                     {"u8", ScalarType::U64},
                                     {"f4", ScalarType::F32},
                                     {"f8", ScalarType::F64}}};
constexpr std::size_t most_dimensions = 64;  // NumPy's own limit

std::string_view code_of(ScalarType type) {
  return std::find_if(codes.begin(), codes.end(), [&](const Code& c) { return c.type == type; })->text;
}

// What NumPy calls a type that there is none of here, and how to get to one that there is.
struct Refused {
  std::string_view code;  // its beginning
  std::string_view name;
  std::string_view mend;
};
constexpr std::array<Refused, 13> refused{{{"f2", "half-precision floats", "convert it with a.astype('<f4')"},
                                           {"f12", "extended floats", "convert it with a.astype('<f8')"},
                                           {"f16", "extended floats", "convert it with a.astype('<f8')"},
                                           {"c", "complex numbers", "save a.real and a.imag as two files"},
                                           {"i1", "8-bit signed integers", "convert it with a.astype('<i4')"},
                                           {"i2", "16-bit integers", "convert it with a.astype('<i4')"},
                                           {"u2", "16-bit integers", "convert it with a.astype('<u4')"},
                                           {"O", "Python objects", "convert it to an array of numbers"},
                                           {"U", "strings", "convert it to an array of numbers"},
                                           {"S", "byte strings", "view it with a.view('u1')"},
                                           {"M", "dates", "view it with a.view('<i8')"},
                                           {"m", "durations", "view it with a.view('<i8')"},
                                           {"V", "raw bytes", "view it with a.view('u1')"}}};
constexpr std::string_view known_codes = "b1 u1 i4 i8 u4 u8 f4 f8";

// Thrown within this file only.
struct Fault {
  std::string message;
};

class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool done() {
    skip_space();
    return at_ == text_.size();
  }
  bool next_is(char c) {
    skip_space();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool take(char c) {
    if (!next_is(c)) return false;
    ++at_;
    return true;
  }
  void need(char c, const std::string& where) {
    if (!take(c)) fail(std::string{'\'', c, '\'', ' '} + where);
  }

  // 'text' or "text", with the u that Python 2 wrote.
  std::string string(const std::string& what) {
    skip_space();
    if (at_ + 1 < text_.size() && (text_[at_] == 'u' || text_[at_] == 'U')) ++at_;
    if (at_ == text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) fail(what + " in quotes");
    const char quote = text_[at_++];
    const auto end = text_.find(quote, at_);
    if (end == std::string_view::npos) fail("the end of the string");
    const std::string value(text_.substr(at_, end - at_));
    if (value.find_first_of("\\\n\r") != std::string::npos) fail(what + " without escapes");
    at_ = end + 1;
    return value;
  }

  bool boolean() {
    const std::string_view word = this->word();
    if (word == "True" || word == "False") return word == "True";
    at_ -= word.size();
    fail("True or False");
  }

  // (), (3,), (3, 4) or (3, 4,); (3) is a number to Python and no shape.
  std::vector<std::int64_t> shape() {
    std::vector<std::int64_t> lengths;
    need('(', "to begin the shape");
    while (!take(')')) {
      lengths.push_back(length());
      if (take(',')) continue;
      if (lengths.size() == 1) fail("',' after the only length of a shape");
      if (!next_is(')')) fail("',' or ')' in the shape");
    }
    return lengths;
  }

  [[noreturn]] void fail(const std::string& expected) {
    skip_space();
    std::string found = "the end";
    if (at_ < text_.size()) {
      std::string_view rest = text_.substr(at_, 16);
      found = "'" + std::string(rest.substr(0, rest.find('\n'))) + "'";
    }
    throw Fault{"the header is malformed at its byte " + std::to_string(at_) + ": found " + found + ", expected " +
                expected};
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && text_[at_] != '\0' && std::strchr(" \t\n\r\f", text_[at_])) ++at_;
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_word(char c) { return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  std::string_view word() {
    skip_space();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  // Decimal; 1_000 is Python's, the L of 3L Python 2's.
  std::int64_t length() {
    if (next_is('-')) throw Fault{"the shape has a negative length; lengths are 0 or more"};
    take('+');
    std::string_view digits = word();
    const std::size_t begin = at_ - digits.size();
    if (digits.ends_with('L')) digits.remove_suffix(1);
    std::int64_t value = 0;
    for (std::size_t i = 0; i < digits.size(); ++i) {
      if (digits[i] == '_' && i > 0 && i + 1 < digits.size() && digits[i - 1] != '_') continue;
      if (!is_digit(digits[i]))
        digits = {};
      else if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digits[i] - '0', &value))
        throw Fault{"the shape has a length that is no 63-bit number"};
    }
    if (digits.empty()) {
      at_ = begin;
      fail("a length");
    }
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

[[noreturn]] void refuse_type(const std::string& written, std::string_view code) {
  std::string name;
  std::string mend = "convert it to one of these";
  for (const auto& type : refused)
    if (code.starts_with(type.code)) {
      name = " (" + std::string(type.name) + ")";
      mend = type.mend;
      break;
    }
  throw Fault{"its elements are '" + written + "'" + name + "; expected one of " + std::string(known_codes) + "; " +
              mend + " and save it again"};
}

void read_type(Cursor& in, NpyHeader& header) {
  if (in.next_is('[') || in.next_is('('))
    throw Fault{"its elements are structured; expected one of " + std::string(known_codes) +
                "; save each field as a file of its own"};
  const std::string written = in.string("the type of the elements");
  std::string_view code = written;
  const bool has_order = !code.empty() && std::strchr("<>=|", code.front());
  const bool big = has_order && code.front() == '>';
  if (has_order) code.remove_prefix(1);
  if (code == "?") code = "b1";
  const auto* found = std::find_if(codes.begin(), codes.end(), [&](const Code& c) { return c.text == code; });
  if (found == codes.end()) refuse_type(written, code);
  header.type = found->type;
  header.big_endian = big && npy_element_bytes(found->type) > 1;
}

void read_entry(Cursor& in, std::set<std::string>& seen, NpyHeader& header) {
  const std::string key = in.string("a key");
  if (!seen.insert(key).second) throw Fault{"the header gives '" + key + "' twice"};
  in.need(':', "after the key");
  if (key == "descr")
    read_type(in, header);
  else if (key == "fortran_order")
    header.fortran_order = in.boolean();
  else if (key == "shape")
    header.shape = in.shape();
  else
    throw Fault{"the header has a key '" + key + "'; expected descr, fortran_order and shape only"};
}

NpyHeader read_dictionary(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (static_cast<unsigned char>(text[i]) >= 0x80)
      throw Fault{"the header's byte " + std::to_string(i) +
                  " is not ASCII; expected a header as numpy.save writes it"};
  NpyHeader header;
  Cursor in(text);
  std::set<std::string> seen;
  in.need('{', "to begin the header's dictionary");
  while (!in.take('}')) {
    read_entry(in, seen, header);
    if (!in.take(',') && !in.next_is('}')) in.fail("',' or '}'");
  }
  if (!in.done()) in.fail("nothing after the dictionary");
  for (const char* key : {"descr", "fortran_order", "shape"})
    if (!seen.contains(key)) throw Fault{"the header has no '" + std::string(key) + "'"};
  return header;
}

}  // namespace

int npy_element_bytes(ScalarType type) { return code_of(type)[1] - '0'; }

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
  try {
    NpyHeader header = read_dictionary(text);
    if (auto count = npy_element_count(header.type, header.shape); !count) return tl::unexpected(count.error());
    return header;
  } catch (const Fault& fault) {
    return tl::unexpected(fault.message);
  }
}

std::string print_npy_header(const NpyHeader& header) {
  std::string lengths;
  for (const std::int64_t length : header.shape) lengths += std::to_string(length) + ", ";
  if (header.shape.size() > 1) lengths.resize(lengths.size() - 2);
  if (header.shape.size() == 1) lengths.pop_back();
  const char order = npy_element_bytes(header.type) == 1 ? '|' : header.big_endian ? '>' : '<';
  std::string text = "{'descr': '" + std::string(1, order) + std::string(code_of(header.type)) +
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
