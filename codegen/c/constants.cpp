// Numbers in C text.
#include "codegen/c/constants.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

namespace lockstep {

using namespace kernel;

namespace {

std::string float_text(const Dialect& dialect, const Const& c) {
  bool single = c.value.type == ScalarType::F32;
  double v = c.value.ieee();
  if (std::isnan(v)) return std::string(single ? dialect.nan_narrow : dialect.nan_wide);
  if (std::isinf(v))
    return std::string(v < 0 ? "-" : "") + std::string(single ? dialect.infinity_narrow : dialect.infinity_wide);
  char text[64];
  std::snprintf(text, sizeof text, single ? "%.9g" : "%.17g", v);
  bool plain = !c.digits.empty() && std::all_of(c.digits.begin(), c.digits.end(), [](unsigned char d) {
    return std::isdigit(d) || d == '.' || d == 'e' || d == 'E' || d == '+' || d == '-';
  });
  std::string r = plain ? c.digits : text;
  if (r.find_first_of(".eE") == std::string::npos) r += ".0";
  return single ? r + std::string(dialect.number_suffix) : r;
}

}  // namespace

std::string constant_text(const Dialect& dialect, const Const& c) {
  const Letters type{{'t', std::string(dialect.types[c.value.type])}};
  std::int64_t n = c.value.integer();
  switch (c.value.type) {
    case ScalarType::Bool:
      return c.value.bits ? "true" : "false";
    case ScalarType::I8:
    case ScalarType::U8:
    case ScalarType::I16:
    case ScalarType::U16:
      return filled(dialect.cast, {std::to_string(n)}, type);
    case ScalarType::U32:
      return std::to_string(c.value.bits) + "u";
    case ScalarType::U64:
      return filled(dialect.large, {std::to_string(c.value.bits)}, type);
    case ScalarType::I32:
      return n == INT32_MIN ? "-2147483647 - 1" : std::to_string(n);
    case ScalarType::I64:
      return n == INT64_MIN ? "-9223372036854775807 - 1" : filled(dialect.cast, {std::to_string(n)}, type);
    case ScalarType::F32:
    case ScalarType::F64:
      return float_text(dialect, c);
  }
  return "?";
}

std::optional<std::string> index_text(const Expr& e) {
  const Const* c = std::get_if<Const>(&e.node);
  if (!c || e.type != KType{}) return std::nullopt;
  std::int64_t n = c->value.integer();
  if (n > INT32_MAX || n <= -INT32_MAX) return std::nullopt;
  return n < 0 ? "(" + std::to_string(n) + ")" : std::to_string(n);
}

bool is_signed_text(const Const& c) {
  if (is_float(c.value.type)) return std::signbit(c.value.ieee()) && !std::isnan(c.value.ieee());
  return is_signed(c.value.type) && c.value.integer() < 0 &&
         (c.value.type == ScalarType::I32 || c.value.integer() == INT64_MIN);
}

}  // namespace lockstep
