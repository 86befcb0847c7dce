// Loops over the 64 elements of a block: Booleans between bytes and bits, compress, vectors of functions of Reals.
#pragma once
#include "codegen/streaming/kernels/stream.h"

namespace lockstep_engine {
namespace {

// Bytes that are 0 or not to bits. Portably, for 0 and 1 or all ones: the product gathers the lowest bits of eight
// bytes in the highest byte.
typedef char Bytes __attribute__((vector_size(64)));
typedef char EightBytes __attribute__((vector_size(8)));
typedef i64 Ints __attribute__((vector_size(64)));
#if defined(__AVX512BW__) && !defined(__clang__)
inline u64 pack_bytes(const u8* m) {
  Bytes v;
  memcpy(&v, m, 64);
  return __builtin_ia32_ptestmb512(v, v, ~u64(0));
}
#else
inline u64 pack_bytes(const u8* m) {
  u64 r = 0;
  for (int k = 0; k < 8; ++k) {
    u64 x;
    memcpy(&x, m + 8 * k, 8);
    r |= ((x & 0x0101010101010101u) * 0x0102040810204080u >> 56) << (8 * k);
  }
  return r;
}
#endif
inline void unpack_bytes(u8* m, u64 w) {
  for (int k = 0; k < 64; ++k) m[k] = u8(w >> k & 1);
}

// n elements; up to 64 bytes past the last may be read and written.
template <class T>
inline void copy_run(T* to, const T* from, i64 n) {
  for (size_t k = 0; k < size_t(n) * sizeof(T); k += 64) memcpy((char*)to + k, (const char*)from + k, 64);
}

// The flagged elements, close together: runs of some length are copied, 64 bytes at a time.
template <class T>
inline void compress(T* to, const T* from, u64 flags) {
  if (count_ones(flags) < 3 * count_ones(flags & ~(flags << 1))) {
    for (; flags; flags &= flags - 1) *to++ = from[trailing(flags)];
    return;
  }
  while (flags) {
    const int skip = trailing(flags);
    from += skip;
    flags >>= skip;
    const int run = trailing(~flags);
    copy_run(to, from, run);
    to += run;
    from += run;
    flags = run < 64 ? flags >> run : 0;
  }
}

inline i64 quotient(i64 a, i64 b) { return b == -1 ? i64(-u64(a)) : a / (b == 0 ? 1 : b); }
inline i64 remainder(i64 a, i64 b) { return b == -1 ? 0 : a % (b == 0 ? 1 : b); }
inline bool is_int(double x) { return x >= -9223372036854775808.0 && x < 9223372036854775808.0; }
inline bool is_char(double x) { return x > -1 && x < 256; }
inline i64 to_int(double x) { return is_int(x) ? i64(x) : 0; }

// The natural logarithm as semantics/core/logarithm.cpp computes it, bit for bit, a vector at a time.
#if defined(__AVX512F__)
typedef double Vector __attribute__((vector_size(64)));
typedef i64 Integers __attribute__((vector_size(64)));
#elif defined(__AVX2__)
typedef double Vector __attribute__((vector_size(32)));
typedef i64 Integers __attribute__((vector_size(32)));
#else
typedef double Vector __attribute__((vector_size(16)));
typedef i64 Integers __attribute__((vector_size(16)));
#endif
// Of 2^k (1 + f), whose bits are given; k less `shift`.
inline Vector log_of_bits(Integers bits, Integers shift) {
  const Integers exponent = (bits - 0x3fe6a09e00000000) >> 52;
  const Vector f = (Vector)(bits - (exponent << 52)) - 1.0;
  // To double: no instruction for it before AVX-512.
  const Vector k = (Vector)(exponent - shift + 0x4338000000000000) - 0x1.8p52;
  const Vector s = f / (2.0 + f);
  const Vector z = s * s;
  const Vector w = z * z;
  const Vector even = w * (0x1.99999999952d7p-2 + w * (0x1.c71c62e3f11e6p-3 + w * 0x1.39fe51a7c18f9p-3));
  const Vector odd =
      z * (0x1.5555555555558p-1 + w * (0x1.2492492df281ap-2 + w * (0x1.7462b51cb66b1p-3 + w * 0x1.2b5900de53b32p-3)));
  const Vector r = odd + even;
  const Vector half = 0.5 * f * f;
  return k * 0x1.62e42fefp-1 - ((half - (s * (half + r) + k * 0x1.473de6af278edp-34)) - f);
}
inline Vector natural_log(Vector x) {
  const Integers small = x < 0x1p-1022;
  const Vector scaled = small ? x * 0x1p54 : x;
  Vector y = log_of_bits((Integers)scaled, small & 54);
  const Vector infinite = Vector{} + __builtin_inf();
  y = x == infinite ? infinite : y;
  y = x > 0.0 ? y : Vector{} + __builtin_nan("");
  return x == 0.0 ? -infinite : y;
}
inline void log_lanes(double* to, const double* x) {
  // Negative where one is not from 2^-1022 to the largest: its bits, less those of 2^-1022, are not below 0x7fe0....
  Integers unusual = {};
  for (int k = 0; k < 64; k += sizeof(Vector) / 8) {
    Vector v;
    memcpy(&v, x + k, sizeof v);
    const Integers above = (Integers)v - 0x0010000000000000;
    unusual |= above | (above + 0x0020000000000000);
    v = log_of_bits((Integers)v, Integers{});
    memcpy(to + k, &v, sizeof v);
  }
  i64 any = 0;
  for (unsigned k = 0; k < sizeof(Vector) / 8; ++k) any |= unusual[k];
  if (any >= 0) return;
  for (int k = 0; k < 64; k += sizeof(Vector) / 8) {
    Vector v;
    memcpy(&v, x + k, sizeof v);
    v = natural_log(v);
    memcpy(to + k, &v, sizeof v);
  }
}

// The C library's functions, as the interpreters call them: by names that the compiler does not compute itself.
extern "C" {
double library_exp(double) __asm__("exp");
double library_sin(double) __asm__("sin");
double library_cos(double) __asm__("cos");
double library_pow(double, double) __asm__("pow");
}
#define LOCKSTEP_LANES(f)                                   \
  inline void f##_lanes(double* to, const double* x) {      \
    for (int k = 0; k < 64; ++k) to[k] = library_##f(x[k]); \
  }
inline void pow_lanes(double* to, const double* x, const double* y) {
  for (int k = 0; k < 64; ++k) to[k] = library_pow(x[k], y[k]);
}
LOCKSTEP_LANES(exp)
LOCKSTEP_LANES(sin)
LOCKSTEP_LANES(cos)

}  // namespace
}  // namespace lockstep_engine
