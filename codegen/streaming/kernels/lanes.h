// Loops over the 64 elements of a block: Booleans between bytes and bits, compress.
#pragma once
#include "codegen/streaming/kernels/stream.h"

namespace lockstep_engine {
namespace {
KERNEL_OF(Map, .only_in = Kernel::Cluster)  // a loop over blocks, not a kernel (emit_maps)

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

}  // namespace
}  // namespace lockstep_engine
