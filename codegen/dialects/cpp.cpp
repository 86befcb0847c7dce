// The dialect of C++ with GCC's vectors (dialect.h).
#include "codegen/dialects/dialect.h"

namespace lockstep {

using namespace scalars;

// semantics/core/logarithm.cpp, for loops that become vectors: no branches, and an integer becomes a double without the
// instruction that processors before AVX-512 lack. The first is of 2^k (1 + f) whose bits are given, k less `shift`.
static constexpr std::string_view natural_log_text = R"(static inline double log_of_bits(uint64_t bits, int64_t shift) {
  const int64_t exponent = int64_t(bits - 0x3fe6a09e00000000u) >> 52;
  const double f = __builtin_bit_cast(double, bits - (uint64_t(exponent) << 52)) - 1.0;
  const double k = __builtin_bit_cast(double, exponent - shift + 0x4338000000000000) - 0x1.8p52;
  const double s = f / (2.0 + f), z = s * s, w = z * z;
  const double even = w * (0x1.99999999952d7p-2 + w * (0x1.c71c62e3f11e6p-3 + w * 0x1.39fe51a7c18f9p-3));
  const double odd =
      z * (0x1.5555555555558p-1 + w * (0x1.2492492df281ap-2 + w * (0x1.7462b51cb66b1p-3 + w * 0x1.2b5900de53b32p-3)));
  const double r = odd + even, half = 0.5 * f * f;
  return k * 0x1.62e42fefp-1 - ((half - (s * (half + r) + k * 0x1.473de6af278edp-34)) - f);
}
static inline double natural_log(double x) {
  const bool small = x < 0x1p-1022;
  const double y = log_of_bits(__builtin_bit_cast(uint64_t, small ? x * 0x1p54 : x), small ? 54 : 0);
  return x == 0 ? -__builtin_inf() : !(x > 0) ? __builtin_nan("") : x == __builtin_inf() ? x : y;
}
static inline double natural_log_of_normal(double x) { return log_of_bits(__builtin_bit_cast(uint64_t, x), 0); }
// Negative unless x is from 2^-1022 to the largest: its bits less those of 2^-1022 are then below 0x7fe0....
static inline int64_t natural_log_beyond(double x) {
  const uint64_t above = __builtin_bit_cast(uint64_t, x) - 0x0010000000000000u;
  return int64_t(above | (above + 0x0020000000000000u));
}
)";

static constexpr std::string_view streams_text = R"(
// Stores past the caches; other stores where the processor has none of this width.
template <class V, class T>
#q void stream_aligned(T* p, V v) {
##if defined(__clang__)
  __builtin_nontemporal_store(v, (V*)p);
##else
##if defined(__AVX512F__)
  typedef float v16 __attribute__((vector_size(64)));
  if constexpr (sizeof(V) == 64) return __builtin_ia32_movntps512((float*)p, (v16)v);
##endif
##if defined(__AVX__)
  typedef float v8 __attribute__((vector_size(32)));
  if constexpr (sizeof(V) == 32) return __builtin_ia32_movntps256((float*)p, (v8)v);
##endif
##if defined(__SSE__)
  typedef float v4 __attribute__((vector_size(16)));
  if constexpr (sizeof(V) == 16) return __builtin_ia32_movntps((float*)p, (v4)v);
##endif
  typedef V memory __attribute__((may_alias));
  *(memory*)p = v;
##endif
}
#q void stream_fence() {
##if defined(__SSE__)
  __builtin_ia32_sfence();
##else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
##endif
}
)";

// Overloaded over the types of elements. Three lanes lie as three, and are held in four.
static std::string function_of_vectors(std::string_view called, std::string_view vector, std::string_view element,
                                       int lanes) {
  const std::string v(vector), e(element), name = std::string(called) + std::to_string(lanes);
  std::string each_load, each_store, each_splat;
  for (int l = 0; l < lanes; ++l) {
    const std::string k = std::to_string(l);
    each_load += (l ? ", p[" : "p[") + k + "]";
    each_store += (l ? " p[" : "p[") + k + "] = v[" + k + "];";
    each_splat += l ? ", x" : "x";
  }
  if (called == "load")
    return v + " " + name + "(const " + e + "* p) { return " +
           (lanes == 3 ? v + "{" + each_load + "}" : "*(const " + v + "_memory*)p") + "; }\n";
  if (called == "store")
    return "void " + name + "(" + e + "* p, " + v + " v) { " +
           (lanes == 3 ? each_store : "*(" + v + "_memory*)p = v;") + " }\n";
  if (called == "splat") return v + " " + name + "(" + e + " x) { return " + v + "{" + each_splat + "}; }\n";
  if (called == "stream")
    return "void " + name + "(" + e + "* p, " + v +
           " v) {\n  if ((uintptr_t)p % sizeof(v) == 0) stream_aligned(p, v);\n" + "  else *(" + v +
           "_memory*)p = v;\n}\n";
  return "";
}

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
      .operators =
          table<Operation, Dialect::Operator>({{Add, {"#0 + #1", 10, 10, 11, true}},
                                               {Subtract, {"#0 - #1", 10, 10, 11, true}},
                                               {Multiply, {"#0 * #1", 11, 11, 12, true}},
                                               {Divide, {"#0 / #1", 11, 11, 12, true}},
                                               {Remainder, {"#0 % #1", 11, 11, 12, true}},
                                               // What C binds in an order that few know by heart is in
                                               // parentheses.
                                               {And, {"#0 & #1", 6, 13, 13, true}},
                                               {Or, {"#0 | #1", 4, 13, 13, true}},
                                               {Xor, {"#0 ^ #1", 5, 13, 13, true}},
                                               {ShiftLeft, {"#0 << #1", 9, 13, 13, true}},
                                               {ShiftRight, {"#0 >> #1", 9, 13, 13, true}},
                                               {Equal, {"#0 == #1", 7, 7, 8, true}},
                                               {NotEqual, {"#0 != #1", 7, 7, 8, true}},
                                               {Less, {"#0 < #1", 8, 8, 9, true}},
                                               {LessEqual, {"#0 <= #1", 8, 8, 9, true}},
                                               {Greater, {"#0 > #1", 8, 8, 9, true}},
                                               {GreaterEqual, {"#0 >= #1", 8, 8, 9, true}},
                                               {Both, {"#0 && #1", 3, 3, 4}},
                                               {Either, {"#0 || #1", 2, 2, 3}},
                                               {Not, {"!#0", 12, 13}},
                                               {Negate, {"-#0", 12, 13, 0, true}},
                                               {PopCount, {"(#t)__builtin_popcountll(#0)", 12, 0, 0, false, 64}},
                                               {LeadingZeros, {"(#t)__builtin_clzll(#0)", 12, 0, 0, false, 64}},
                                               {Bits, {"__builtin_bit_cast(#t, #0)", 13}},
                                               {Convert, {"(#t)#0", 12, 13}}}),
      .nan_narrow = "__builtin_nanf(\"\")",
      .nan_wide = "__builtin_nan(\"\")",
      .infinity_narrow = "__builtin_inff()",
      .infinity_wide = "__builtin_inf()",
      .double_bits = "__builtin_bit_cast(int64_t, double(#0))",
      .unroll = "##pragma GCC unroll #0",
      .effect = "asm volatile(\"\");",
      .vectors = {.type = "#kx#n",
                  .declared = "typedef #e #v __attribute__((vector_size(#b)));\n"
                              "typedef #e #v_memory __attribute__((vector_size(#b), aligned(#a), may_alias));\n",
                  .load = "load#n(#0)",
                  .store = "store#n(#0, #1)",
                  .stream = "stream#n(#0, #1)",
                  .splat = "splat#n(#0)",
                  .made = "#v{#0}",
                  .shuffled = "__builtin_shufflevector(#0, #1, #2)",
                  .lane = "#0[#1]",
                  .any_lane = "#0[#1]",
                  .streams = streams_text,
                  .function = function_of_vectors,
                  // g++ 12 at -O3 makes lanes of 255 of comparisons of bytes: a lane of bool is its last bit.
                  .bools = "r & 1"},
      .library = {{ScalarType::F32, 1, "Sleef_cinz_", "f1_u10purec", ""},
                  {ScalarType::F32, 4, "Sleef_cinz_", "f4_u10sse2", "__SSE2__", "b"},
                  {ScalarType::F32, 8, "Sleef_cinz_", "f8_u10avx", "__AVX__", "cd"},
                  {ScalarType::F32, 16, "Sleef_cinz_", "f16_u10avx512fnofma", "__AVX512F__", "e"},
                  {ScalarType::F64, 1, "Sleef_cinz_", "d1_u10purec", ""},
                  {ScalarType::F64, 2, "Sleef_cinz_", "d2_u10sse2", "__SSE2__", "b"},
                  {ScalarType::F64, 4, "Sleef_cinz_", "d4_u10avx", "__AVX__", "cd"},
                  {ScalarType::F64, 8, "Sleef_cinz_", "d8_u10avx512fnofma", "__AVX512F__", "e"}},
      .written = {{"log", ScalarType::F64, "natural_log", natural_log_text, "natural_log_of_normal",
                   "natural_log_beyond"}},
      // 0 - x of both zeros is +0, as of fabs.
      .on_vectors = {{"fabs", [](ScalarType t) {
                        const Definition x = argument(0, t), zero = constant(t, 0);
                        return choose(apply(LessEqual, x, zero), apply(Subtract, zero, x), x);
                      }}}};
  return dialect;
}

}  // namespace lockstep
