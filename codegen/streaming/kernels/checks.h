// A program's own run-time errors.
#pragma once
#include "codegen/streaming/kernels/abi.h"
#include "codegen/streaming/kernels/segments.h"

namespace lockstep_engine {
namespace {

// The program's own run-time error: which instruction, and the operands that its message shows.
struct Trapped {
  int instruction;
  int error;  // of a file: errno, or one of those below
  i64 values[4];
  char name[4097];
};
const int shrank = -1, read_twice = -2, zero_in_name = -3;
struct WriteFailed {
  int error;
  char name[4097];
};

[[noreturn]] inline void trap(int instruction, i64 a = 0, i64 b = 0, i64 c = 0, i64 d = 0) {
  Trapped t;
  t.instruction = instruction;
  t.error = 0;
  t.values[0] = a, t.values[1] = b, t.values[2] = c, t.values[3] = d;
  t.name[0] = 0;
  throw t;
}
inline i64 bits_of(i64 v) { return v; }
inline i64 bits_of(bool v) { return v; }
inline i64 bits_of(u8 v) { return v; }
inline i64 bits_of(Unit) { return 0; }
inline i64 bits_of(double v) {
  i64 r;
  memcpy(&r, &v, 8);
  return r;
}

KERNEL_OF(Check, .call = "check({out}, {id}{readers})")
template <class... S>
inline void check(Stream<Unit>& out, int instruction, BitReader& b, Reader<S>&... s) {
  i64 n = b.left();
  ((n = lesser(n, s.left())), ...);
  if (n <= 0) {
    out.done = b.over();
    return;
  }
  for (i64 k = 0; k < n; k += 64) {
    const u64 wrong = ~b.s->word(b.pos + k) & low_bits(n - k);
    if (!wrong) continue;
    const i64 at = k + trailing(wrong);
    i64 values[sizeof...(s) + 4] = {bits_of(s.s->get(s.pos + at))...};
    trap(instruction, values[0], values[1], values[2], values[3]);
  }
  out.end += n;
  b.pos += n;
  ((s.pos += n), ...);
  out.done = b.over();
}

}  // namespace
}  // namespace lockstep_engine
