// The dialect of C++, and definitions spelled in a dialect (dialect.h).
#include "codegen/dialects/dialect.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "codegen/dialects/library.h"
#include "semantics/core/ref.h"

namespace lockstep {

using namespace scalars;

// semantics/core/logarithm.cpp, for loops that become vectors: no branches, and an integer becomes a double without the
// instruction that processors before AVX-512 lack.
static constexpr std::string_view natural_log_text = R"(static inline double natural_log(double x) {
  const bool small = x < 0x1p-1022;
  const uint64_t bits = __builtin_bit_cast(uint64_t, small ? x * 0x1p54 : x);
  const int64_t exponent = int64_t(bits - 0x3fe6a09e00000000u) >> 52;
  const double f = __builtin_bit_cast(double, bits - (uint64_t(exponent) << 52)) - 1.0;
  const double k = __builtin_bit_cast(double, exponent - (small ? 54 : 0) + 0x4338000000000000) - 0x1.8p52;
  const double s = f / (2.0 + f), z = s * s, w = z * z;
  const double even = w * (0x1.99999999952d7p-2 + w * (0x1.c71c62e3f11e6p-3 + w * 0x1.39fe51a7c18f9p-3));
  const double odd =
      z * (0x1.5555555555558p-1 + w * (0x1.2492492df281ap-2 + w * (0x1.7462b51cb66b1p-3 + w * 0x1.2b5900de53b32p-3)));
  const double r = odd + even, half = 0.5 * f * f;
  const double y = k * 0x1.62e42fefp-1 - ((half - (s * (half + r) + k * 0x1.473de6af278edp-34)) - f);
  return x == 0 ? -__builtin_inf() : !(x > 0) ? __builtin_nan("") : x == __builtin_inf() ? x : y;
}
)";

const Dialect& cpp_dialect() {
  using enum Operation;
  static const Dialect dialect{
      .types = table<ScalarType>({{ScalarType::Bool, "bool"},
                                  {ScalarType::I8, "int8_t"},
                                  {ScalarType::U8, "uint8_t"},
                                  {ScalarType::I16, "int16_t"},
                                  {ScalarType::U16, "uint16_t"},
                                  {ScalarType::I32, "int32_t"},
                                  {ScalarType::U32, "uint32_t"},
                                  {ScalarType::I64, "int64_t"},
                                  {ScalarType::U64, "uint64_t"},
                                  {ScalarType::F32, "float"},
                                  {ScalarType::F64, "double"}}),
      .operators = table<Operation, Dialect::Operator>({{Add, {"+", 10}},
                                                        {Subtract, {"-", 10}},
                                                        {Multiply, {"*", 11}},
                                                        {Divide, {"/", 11}},
                                                        {Remainder, {"%", 11}},
                                                        {And, {"&", 6}},
                                                        {Or, {"|", 4}},
                                                        {Xor, {"^", 5}},
                                                        {ShiftLeft, {"<<", 9}},
                                                        {ShiftRight, {">>", 9}},
                                                        {Equal, {"==", 7}},
                                                        {NotEqual, {"!=", 7}},
                                                        {Less, {"<", 8}},
                                                        {LessEqual, {"<=", 8}},
                                                        {Greater, {">", 8}},
                                                        {GreaterEqual, {">=", 8}},
                                                        {Both, {"&&", 3}},
                                                        {Either, {"||", 2}},
                                                        {Not, {"!", 12}},
                                                        {Negate, {"-", 12}},
                                                        {PopCount, {"__builtin_popcountll", 13}},
                                                        {LeadingZeros, {"__builtin_clzll", 13}},
                                                        {Bits, {"__builtin_bit_cast", 13}},
                                                        {Convert, {"", 12}}}),
      .float_suffix = "f",
      .library = {{ScalarType::F32, 1, "Sleef_cinz_", "f1_u10purec", ""},
                  {ScalarType::F32, 4, "Sleef_cinz_", "f4_u10sse2", "__SSE2__", "b"},
                  {ScalarType::F32, 8, "Sleef_cinz_", "f8_u10avx", "__AVX__", "cd"},
                  {ScalarType::F32, 16, "Sleef_cinz_", "f16_u10avx512fnofma", "__AVX512F__", "e"},
                  {ScalarType::F64, 1, "Sleef_cinz_", "d1_u10purec", ""},
                  {ScalarType::F64, 2, "Sleef_cinz_", "d2_u10sse2", "__SSE2__", "b"},
                  {ScalarType::F64, 4, "Sleef_cinz_", "d4_u10avx", "__AVX__", "cd"},
                  {ScalarType::F64, 8, "Sleef_cinz_", "d8_u10avx512fnofma", "__AVX512F__", "e"}},
      .written = {{"log", ScalarType::F64, "natural_log", natural_log_text}},
      // 0 - x of both zeros is +0, as of fabs.
      .on_vectors = {{"fabs", [](ScalarType t) {
                        const Definition x = argument(0, t), zero = constant(t, 0);
                        return choose(apply(LessEqual, x, zero), apply(Subtract, zero, x), x);
                      }}}};
  return dialect;
}

const Dialect& hip_dialect() {
  static const Dialect dialect = [] {
    Dialect d = cpp_dialect();
    d.library.clear();
    d.written.clear();
    return d;
  }();
  return dialect;
}

namespace {

bool compares(Operation op) { return op >= Operation::Equal && op <= Operation::GreaterEqual; }
bool on_bits(Operation op) { return op >= Operation::And && op <= Operation::ShiftRight; }
bool may_overflow(Operation op) {
  return op <= Operation::Multiply || op == Operation::ShiftLeft || op == Operation::Negate;
}

class Speller {
 public:
  Speller(const Dialect& dialect, const std::vector<std::string>& arguments, bool whole, NameOnVectors name = {})
      : dialect_(dialect), arguments_(arguments), whole_(whole), name_on_vectors_(std::move(name)) {}

  struct Text {
    std::string text;
    int precedence;
  };
  // `condition`: its truth is asked only, so that 0 and 1 will do for a bool.
  Text text(const Definition& d, bool condition = false) {
    return match(
        d.node,
        [&](const Definition::Argument& a) -> Text {
          return {arguments_.at(a.k), 13};
        },
        [&](const Definition::Constant& c) -> Text {
          if (is_float(d.type)) return number(c.value.ieee(), d.type);
          const std::int64_t n = c.value.integer();
          if (!is_signed(d.type) && n > INT32_MAX)
            return {std::string(dialect_.types[d.type]) + "(" + std::to_string(c.value.bits) + "u)", 13};
          return {std::to_string(n), n < 0 ? 12 : 13};
        },
        [&](const Definition::Apply& a) { return application(d.type, a, condition); },
        [&](const Definition::Choice& c) -> Text {
          const Text when = text(c.operands[0], true);
          return {(when.precedence < 7 ? "(" + when.text + ")" : when.text) + " ? " + at(c.operands[1], 2) + " : " +
                      at(c.operands[2], 1),
                  1};
        },
        [&](const Definition::Library& l) -> Text {
          if (!whole_) calls.push_back(library_function(dialect_, l, d.type));
          const std::string name = whole_ ? name_on_vectors_(l, d.type) : calls.back().name;
          std::string all;
          for (const Definition& x : l.operands) all += (all.empty() ? "" : ", ") + text(x).text;
          return {name + "(" + all + ")", 13};
        });
  }

  std::vector<LibraryFunction> calls;

 private:
  // Small whole numbers as ints, which C converts; others exactly.
  Text number(double x, ScalarType t) const {
    const int precedence = x < 0 ? 12 : 13;
    if (std::abs(x) <= INT32_MAX && std::trunc(x) == x)
      return {std::to_string(static_cast<std::int64_t>(x)), precedence};
    char text[64];
    std::snprintf(text, sizeof text, "%a", x);
    return {text + std::string(t == ScalarType::F32 ? dialect_.float_suffix : ""), precedence};
  }

  std::string at(const Definition& d, int least) {
    const Text t = text(d);
    return t.precedence < least ? "(" + t.text + ")" : t.text;
  }

  Text application(ScalarType t, const Definition::Apply& a, bool condition) {
    const auto [symbol, precedence] = dialect_.operators[a.op];
    if (a.op == Operation::Convert) return {"(" + std::string(dialect_.types[t]) + ")" + at(a.operands[0], 13), 12};
    if (a.op == Operation::Bits)
      return {std::string(symbol) + "(" + std::string(dialect_.types[t]) + ", " + text(a.operands[0]).text + ")", 13};
    if (precedence == 13) {  // of 64 bits
      const std::string call = std::string(symbol) + "(" + text(a.operands[0]).text + ")";
      const int more = a.op == Operation::LeadingZeros ? 64 - bits_of(t) : 0;
      return more > 0 ? Text{call + " - " + std::to_string(more), 10} : Text{call, 13};
    }
    // What C binds in an order that few know by heart is in parentheses.
    const int left = on_bits(a.op) ? 13 : precedence, right = on_bits(a.op) ? 13 : precedence + 1;
    Text out =
        a.operands.size() == 1
            ? Text{std::string(symbol) + at(a.operands[0], 13), 12}
            : Text{at(a.operands[0], left) + " " + std::string(symbol) + " " + at(a.operands[1], right), precedence};
    if (t == ScalarType::Bool && on_bits(a.op) && !condition) return {"(" + out.text + ") != 0", 7};
    if (!whole_ && is_integer(t) && bits_of(t) < dialect_.promoted_below && may_overflow(a.op))
      return is_signed(t) ? Text{"(" + std::string(dialect_.types[t]) + ")(" + out.text + ")", 12}
                          : Text{"(" + out.text + ") & " + std::to_string((std::int64_t(1) << bits_of(t)) - 1), 6};
    return out;
  }

  const Dialect& dialect_;
  const std::vector<std::string>& arguments_;
  bool whole_;
  NameOnVectors name_on_vectors_;
};

// As a condition a comparison of vectors is a mask; | & ^ of masks are, too.
bool is_mask(const Definition& d, const NameOnVectors& name);
bool is_on_vectors(const Definition& d, const NameOnVectors& name) {
  const auto all = [&](const std::vector<Definition>& operands) {
    return std::all_of(operands.begin(), operands.end(), [&](const Definition& x) { return is_on_vectors(x, name); });
  };
  return match(
      d.node, [](const Definition::Argument&) { return true; }, [](const Definition::Constant&) { return true; },
      [&](const Definition::Apply& a) {
        if (d.type == ScalarType::Bool || a.op >= Operation::PopCount) return false;  // nor conversions
        // A machine stops at what one lane divides by.
        if ((a.op == Operation::Divide || a.op == Operation::Remainder) && !is_float(d.type)) return false;
        return all(a.operands);
      },
      [&](const Definition::Choice& c) {
        return is_mask(c.operands[0], name) && is_on_vectors(c.operands[1], name) && is_on_vectors(c.operands[2], name);
      },
      [&](const Definition::Library& l) { return name && !name(l, d.type).empty() && all(l.operands); });
}
bool is_mask(const Definition& d, const NameOnVectors& name) {
  const auto* a = std::get_if<Definition::Apply>(&d.node);
  if (!a || d.type != ScalarType::Bool || !(compares(a->op) || on_bits(a->op))) return false;
  return std::all_of(a->operands.begin(), a->operands.end(),
                     [&](const Definition& x) { return compares(a->op) ? is_on_vectors(x, name) : is_mask(x, name); });
}

}  // namespace

Spelled spell(const Dialect& dialect, const Definition& d, const std::vector<std::string>& arguments) {
  Speller speller(dialect, arguments, false);
  auto [text, precedence] = speller.text(d);
  return {std::move(text), precedence == 13, std::move(speller.calls)};
}

std::string spell_on_vectors(const Dialect& dialect, const Definition& d, const std::vector<std::string>& arguments,
                             const NameOnVectors& name) {
  if (const auto* l = std::get_if<Definition::Library>(&d.node)) {
    const auto it = dialect.on_vectors.find(l->name);
    if (it != dialect.on_vectors.end()) return spell_on_vectors(dialect, it->second(d.type), arguments);
  }
  if (d.type == ScalarType::Bool || !is_on_vectors(d, name)) return "";
  return Speller(dialect, arguments, true, name).text(d).text;
}

}  // namespace lockstep
