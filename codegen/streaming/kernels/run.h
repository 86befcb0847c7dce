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

// Which steps wait for which where none can go on: for elements that another is to make, or for room where another is
// to read. The arrays are as long as the program's text says.
struct Waiting {
  struct Edge {
    int from, to;
  };
  Edge* const edges;
  bool* const seen;
  const int steps;  // and, last, what gives the next piece
  int count = 0;
  void add(int from, int to) { edges[count].from = from, edges[count].to = to, ++count; }
  // Some kernels keep an element until they see the next, and some put two at a time.
  template <class S>
  void for_element(int step, int maker, const Reader<S>& r) {
    if (r.pos != never && !r.s->done && r.left() <= 1) add(step, maker);
  }
  // Of a base: an element that is not there, where the step has all that says which.
  template <class S>
  void for_place(int step, int maker, const Reader<S>& r, bool asks) {
    if (r.pos != never && !r.s->done && asks) add(step, maker);
  }
  template <class S>
  void for_room(int step, int reader, const Reader<S>& r) {
    if (holds(r)) add(step, reader);
  }
  template <class S>
  void for_piece(int step, const Reader<S>& given, bool finished) {
    if (finished) return;
    given.s&& given.left() > 0 ? add(steps - 1, step) : add(step, steps - 1);
  }
  template <class S>
  static bool holds(const Reader<S>& r) {
    return r.s->room() <= 1 && r.pos <= r.s->low;
  }
  // Whether `from` waits for `to`, directly or not.
  bool reaches(int from, int to) {
    for (int k = 0; k < steps; ++k) seen[k] = false;
    return visit(from, to);
  }
  bool visit(int from, int to) {
    if (from == to) return true;
    if (seen[from]) return false;
    seen[from] = true;
    for (int k = 0; k < count; ++k)
      if (edges[k].from == from && visit(edges[k].to, to)) return true;
    return false;
  }
};
// Of the windows that a group may fill, the smallest whose step waits for one that waits for it.
struct Growing {
  Waiting& waiting;
  i64 least = never;
  int which = -1;
  template <class S>
  void consider(int window, int step, int reader, const Reader<S>& r) {
    if (r.s->limit < least && Waiting::holds(r) && waiting.reaches(reader, step)) least = r.s->limit, which = window;
  }
  template <class S>
  void keep(int window, const S& s) {  // all of it
    if (s.limit < least && s.room() <= 1) least = s.limit, which = window;
  }
};

// Loop scheduling (thesis §4.4.3): all steps from the first to the last, again and again. Where none can go on, one
// waits for a group that its window does not hold: that window gets more room, and no other ever does.
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
    if (++stalls > 40 || !p.grow()) throw Stuck();
  }
}

}  // namespace
}  // namespace lockstep_engine
