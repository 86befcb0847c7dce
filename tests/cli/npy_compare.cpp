// npy_compare A.npy B.npy BOUND: whether two NumPy files have the same shape and each element a of A is within
// BOUND * max(1, |b|) of b in B. Element types may differ; two whole numbers are compared as such, exactly where BOUND
// is 0. NaN meets NaN, and an infinity itself. Exit status: 0 they agree; 1 they differ, the first difference is
// printed; 2 the arguments or the files are wrong. Stands alone: it shares no code with what it judges.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace {

struct Number {
  double value = 0;
  bool whole = false;  // then it is magnitude, or minus that
  bool negative = false;
  std::uint64_t magnitude = 0;
};

struct Array {
  std::string shape;  // as in the header, without spaces
  std::vector<Number> elements;
};

[[noreturn]] void wrong(const std::string& path, const std::string& what) {
  throw std::runtime_error(path + ": " + what);
}

// The text of header entry `key` up to its end: a string without quotes, a tuple without spaces, True or False.
std::string entry(const std::string& header, const std::string& key, const std::string& path) {
  const std::size_t at = header.find(key);
  if (at == std::string::npos) wrong(path, "no " + key + " in the header");
  std::string text;
  bool inside = false;
  for (std::size_t i = header.find(':', at) + 1; i < header.size(); ++i) {
    const char c = header[i];
    if (c == '(') inside = true;
    if ((c == ',' && !inside) || c == '}') break;
    if (!std::isspace(static_cast<unsigned char>(c)) && c != '\'' && c != '"') text += c;
    if (c == ')') break;
  }
  return text;
}

template <class T>
Number number(const char* bytes) {
  T x;
  std::memcpy(&x, bytes, sizeof x);
  if constexpr (std::is_floating_point_v<T>) {
    return {static_cast<double>(x), false, false, 0};
  } else {
    const bool negative = x < T{0};
    const auto bits = static_cast<std::uint64_t>(x);
    return {static_cast<double>(x), true, negative, negative ? 0 - bits : bits};
  }
}

struct Format {
  const char* descr;
  std::size_t size;
  Number (*read)(const char*);
};
const Format formats[] = {
    {"|b1", 1, number<std::uint8_t>},  {"|u1", 1, number<std::uint8_t>},  {"|i1", 1, number<std::int8_t>},
    {"<i4", 4, number<std::int32_t>},  {"<u4", 4, number<std::uint32_t>}, {"<i8", 8, number<std::int64_t>},
    {"<u8", 8, number<std::uint64_t>}, {"<f4", 4, number<float>},         {"<f8", 8, number<double>},
};

std::size_t product(const std::string& shape) {
  std::size_t n = 1;
  for (std::size_t i = 0; i < shape.size();) {
    if (!std::isdigit(static_cast<unsigned char>(shape[i]))) {
      ++i;
      continue;
    }
    std::size_t used = 0;
    n *= std::stoull(shape.substr(i), &used);
    i += used;
  }
  return n;
}

Array read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) wrong(path, "cannot be read");
  const std::string raw((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (raw.size() < 12 || raw.compare(0, 6, "\x93NUMPY") != 0) wrong(path, "is no NumPy file");
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(raw[i])); };
  const std::size_t start = raw[6] == 1 ? 10 : 12;
  const std::size_t length = byte(8) + 256 * byte(9) + (start == 10 ? 0 : 65536 * byte(10) + 16777216 * byte(11));
  if (raw.size() < start + length) wrong(path, "ends inside its header");
  const std::string header = raw.substr(start, length);
  Array array;
  array.shape = entry(header, "shape", path);
  // (3,4,) is (3,4), but (3,) stays.
  if (std::count(array.shape.begin(), array.shape.end(), ',') > 1 && array.shape.ends_with(",)"))
    array.shape.erase(array.shape.size() - 2, 1);
  const std::size_t n = product(array.shape);
  if (entry(header, "fortran_order", path) != "False" && n > 1) wrong(path, "is in Fortran's order");
  const std::string descr = entry(header, "descr", path);
  for (const Format& format : formats) {
    if (descr != format.descr) continue;
    if (raw.size() != start + length + n * format.size) wrong(path, "is not as long as its shape says");
    for (std::size_t i = 0; i < n; ++i) array.elements.push_back(format.read(&raw[start + length + i * format.size]));
    return array;
  }
  wrong(path, "has elements of the unknown type " + descr);
}

bool close(const Number& a, const Number& b, double bound) {
  if (a.whole && b.whole && bound == 0) return a.magnitude == b.magnitude && a.negative == b.negative;
  if (std::isnan(a.value) || std::isnan(b.value)) return std::isnan(a.value) && std::isnan(b.value);
  if (a.value == b.value) return true;
  return std::isfinite(b.value) && std::abs(a.value - b.value) <= bound * std::fmax(1.0, std::abs(b.value));
}

std::string show(const Number& x) {
  if (x.whole) return (x.negative ? "-" : "") + std::to_string(x.magnitude);
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x.value);
  return text;
}

int compare(const std::string& path_a, const std::string& path_b, const std::string& bound_text) {
  char* end = nullptr;
  const double bound = std::strtod(bound_text.c_str(), &end);
  if (bound_text.empty() || *end != '\0' || !(bound >= 0)) wrong(bound_text, "is no bound");
  const Array a = read(path_a), b = read(path_b);
  if (a.shape != b.shape) {
    std::cout << path_a << " has shape " << a.shape << ", " << path_b << " has " << b.shape << "\n";
    return 1;
  }
  for (std::size_t i = 0; i < a.elements.size(); ++i) {
    if (close(a.elements[i], b.elements[i], bound)) continue;
    std::cout << path_a << ": element " << i << " (in row-major order, from 0) is " << show(a.elements[i])
              << ", expected " << show(b.elements[i]) << " within " << bound_text << "\n";
    return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: npy_compare A.npy B.npy BOUND\n";
    return 2;
  }
  try {
    return compare(argv[1], argv[2], argv[3]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
