// Gathers at indices that are straight lines on pieces of a segment.
#pragma once
#include "codegen/streaming/kernels/results.h"

namespace lockstep_engine {
namespace {

// An Int at a position of a segment, and by how much it grows to the next. It wraps, as Ints do.
struct Line {
  i64 at, slope;
};
inline Line sum(Line a, Line b) { return {i64(u64(a.at) + u64(b.at)), i64(u64(a.slope) + u64(b.slope))}; }
inline Line difference(Line a, Line b) { return {i64(u64(a.at) - u64(b.at)), i64(u64(a.slope) - u64(b.slope))}; }
inline Line product(Line a, Line b) {  // of which one is level
  return {i64(u64(a.at) * u64(b.at)), i64(u64(a.at) * u64(b.slope) + u64(a.slope) * u64(b.at))};
}
inline i64 value_at(Line a) { return a.at; }
inline i64 value_at(bool b) { return b; }

// Whether the line leaves the Ints within n steps.
inline bool wraps(Line a, i64 n) {
  i64 r;
  return __builtin_mul_overflow(a.slope, n, &r) || __builtin_add_overflow(a.at, r, &r);
}
// a - b, where the three are straight up to n steps on; false where that is not so.
inline bool straight_difference(Line a, Line b, i64 n, Line& d) {
  return !__builtin_sub_overflow(a.at, b.at, &d.at) && !__builtin_sub_overflow(a.slope, b.slope, &d.slope) &&
         !wraps(a, n) && !wraps(b, n) && !wraps(d, n);
}

inline u64 magnitude(i64 a) { return a < 0 ? 0 - u64(a) : u64(a); }
// After how many steps of d's slope, which goes towards 0, it has at most the rest of the division left.
inline u64 steps_to_zero(Line d) {
  const u64 by = magnitude(d.slope);
  return by == 1 ? magnitude(d.at) : magnitude(d.at) / by;
}

// At position x; `end` comes down to where that changes.
inline bool less(Line a, Line b, i64 x, i64& end) {
  Line d;
  if ((a.slope | b.slope) == 0) return a.at < b.at;
  if (!straight_difference(a, b, end - x, d)) {
    end = x + 1;
    return a.at < b.at;
  }
  // Below 0 for as long as (-d.at - 1) / d.slope steps, at or above it for d.at / -d.slope.
  const bool below = d.at < 0;
  if (d.slope != 0 && below == (d.slope > 0)) {
    const u64 steps = steps_to_zero({below ? ~d.at : d.at, d.slope});
    if (steps < u64(end - x)) end = x + i64(steps) + 1;
  }
  return below;
}
inline bool equal(Line a, Line b, i64 x, i64& end) {
  Line d;
  if ((a.slope | b.slope) == 0) return a.at == b.at;
  if (!straight_difference(a, b, end - x, d)) {
    end = x + 1;
    return a.at == b.at;
  }
  if (d.slope == 0) return d.at == 0;
  if (d.at == 0) end = x + 1;
  if (d.at != 0 && (d.at < 0) == (d.slope > 0)) {
    const u64 steps = steps_to_zero(d);  // where the difference is 0, or the last before it changes its sign
    if (steps < u64(end - x)) end = x + greater(i64(steps), 1);
  }
  return d.at == 0;
}

// How many of the first n elements are there, or never will be.
template <class T>
inline i64 slice_there(const Stream<T>& from, Line p, i64 n) {
  if (from.done || n <= 0) return n;
  if (wraps(p, n) || p.at < 0) return i64(p.at < from.end);
  if (p.at >= from.end) return 0;
  return p.slope <= 0 ? n : lesser(n, p.slope == 1 ? from.end - p.at : (from.end - 1 - p.at) / p.slope + 1);
}

// n elements from p on. As for `gather`, an index outside of the whole stream gives anything.
template <class T>
inline void take_slice(Stream<T>& out, Reader<Stream<T>>& s, Line p, i64 n, i64 start, Groups* g) {
  if (n <= 0) return;
  const Stream<T>& from = *s.s;
  T* const to = out.tail();
  const i64 other = i64(u64(p.at) + u64(p.slope) * u64(n - 1));
  if (wraps(p, n) || lesser(p.at, other) < from.base || greater(p.at, other) >= from.end) {
    for (i64 k = 0; k < n; ++k) {
      const i64 at = i64(u64(p.at) + u64(p.slope) * u64(k));
      if (at >= 0 && at < from.base) throw NoSuchElement();
      to[k] = at >= 0 && at < from.end ? from.get(at) : T();
    }
  } else {
    const T* const first = from.data + (p.at - from.base);
    if (p.slope == 1)
      copied(to, first, n);
    else if (p.slope == -1)
      reversed(to, first - (n - 1), n);
    else
      for (i64 k = 0; k < n; ++k) to[k] = first[p.slope * k];
  }
  out.end += n;
  if (g && s.pos != never) s.pos = greater(s.pos, lesser(g->group_of(start), from.end));
}

}  // namespace
}  // namespace lockstep_engine
