// Running a program: chunks from the machine's caches, and the loop that fires its steps until all are done.
#pragma once
#include <unistd.h>

#include "codegen/streaming/kernels/scans.h"
#include "codegen/streaming/kernels/slices.h"

namespace lockstep_engine {
namespace {

// Elements of a window that lies within an inner loop.
const i64 narrow = 512;

// Nothing can go on although there is room: a bug of the program's translation.
struct Stuck {};

inline i64 cache_size(int name, i64 otherwise) {
  const long n = sysconf(name);
  return n > 0 ? n : otherwise;
}
// A window of Ints in a quarter of the second cache; measured, all of the benchmarks are within a few percent of their
// best from a quarter of this to twice this.
inline i64 chosen_chunk() {
#if defined(_SC_LEVEL2_CACHE_SIZE)
  const i64 cache = cache_size(_SC_LEVEL2_CACHE_SIZE, 1 << 18);
#else
  const i64 cache = 1 << 18;
#endif
  return lesser(greater(cache / 32 & -1024, 4096), 1 << 16);
}

// Loop scheduling (thesis §4.4.3): all steps from the first to the last, again and again. Where none can go on, the
// windows that are full get more room; so no program waits for ever, and one of bounded lags has bounded windows.
template <class Program>
inline void run_to_end(Program& p) {
  u64 before = ~u64(0);
  int stalls = 0;
  while (!p.pass()) {
    const u64 now = p.progress();
    if (now != before) {
      before = now;
      stalls = 0;
      continue;
    }
    if (++stalls > 40) throw Stuck();
    if (!p.grow(true)) p.grow(false);
  }
}

}  // namespace
}  // namespace lockstep_engine
