// Loops over the 64 elements of a block: Booleans between bytes and bits, compress, vectors of functions of Reals.
#pragma once
#include "codegen/streaming/kernels/stream.h"

namespace lockstep_engine {

// Bytes that are 0 or not to bits. Portably, for 0 and 1 or all ones: the product gathers the lowest bits of eight bytes in the highest byte.
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

// The flagged elements, close together.
template <class T>
inline void compress(T* to, const T* from, u64 flags) {
  for (; flags; flags &= flags - 1) *to++ = from[trailing(flags)];
}

inline i64 quotient(i64 a, i64 b) { return b == -1 ? i64(-u64(a)) : a / (b == 0 ? 1 : b); }
inline i64 remainder(i64 a, i64 b) { return b == -1 ? 0 : a % (b == 0 ? 1 : b); }
inline bool is_int(double x) { return x >= -9223372036854775808.0 && x < 9223372036854775808.0; }
inline i64 to_int(double x) { return is_int(x) ? i64(x) : 0; }

// Functions of Reals over a block, always by the vector version where there is one, so that an element's value does not
// depend on where it stands. glibc states at most 4 ulp for these.
#if defined(__x86_64__) && defined(__GLIBC__)
#define LOCKSTEP_VECTOR_MATH 1
#if defined(__AVX512F__)
typedef double Vector __attribute__((vector_size(64)));
#define LOCKSTEP_LIBMVEC(f) _ZGVeN8v_##f
#define LOCKSTEP_LIBMVEC2(f) _ZGVeN8vv_##f
#elif defined(__AVX2__)
typedef double Vector __attribute__((vector_size(32)));
#define LOCKSTEP_LIBMVEC(f) _ZGVdN4v_##f
#define LOCKSTEP_LIBMVEC2(f) _ZGVdN4vv_##f
#else
typedef double Vector __attribute__((vector_size(16)));
#define LOCKSTEP_LIBMVEC(f) _ZGVbN2v_##f
#define LOCKSTEP_LIBMVEC2(f) _ZGVbN2vv_##f
#endif
extern "C" {
Vector LOCKSTEP_LIBMVEC(log)(Vector);
Vector LOCKSTEP_LIBMVEC(exp)(Vector);
Vector LOCKSTEP_LIBMVEC(sin)(Vector);
Vector LOCKSTEP_LIBMVEC(cos)(Vector);
Vector LOCKSTEP_LIBMVEC2(pow)(Vector, Vector);
}
#define LOCKSTEP_LANES(f)                                  \
  inline void f##_lanes(double* to, const double* x) {     \
    for (int k = 0; k < 64; k += sizeof(Vector) / 8) {     \
      Vector v;                                            \
      memcpy(&v, x + k, sizeof v);                         \
      v = LOCKSTEP_LIBMVEC(f)(v);                          \
      memcpy(to + k, &v, sizeof v);                        \
    }                                                      \
  }
inline void pow_lanes(double* to, const double* x, const double* y) {
  for (int k = 0; k < 64; k += sizeof(Vector) / 8) {
    Vector v, w;
    memcpy(&v, x + k, sizeof v);
    memcpy(&w, y + k, sizeof w);
    v = LOCKSTEP_LIBMVEC2(pow)(v, w);
    memcpy(to + k, &v, sizeof v);
  }
}
#else
#define LOCKSTEP_LANES(f)                                                  \
  inline void f##_lanes(double* to, const double* x) {                     \
    for (int k = 0; k < 64; ++k) to[k] = __builtin_##f(x[k]);              \
  }
inline void pow_lanes(double* to, const double* x, const double* y) {
  for (int k = 0; k < 64; ++k) to[k] = __builtin_pow(x[k], y[k]);
}
#endif
LOCKSTEP_LANES(log)
LOCKSTEP_LANES(exp)
LOCKSTEP_LANES(sin)
LOCKSTEP_LANES(cos)

}  // namespace lockstep_engine
