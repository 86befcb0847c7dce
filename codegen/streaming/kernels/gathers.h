// Vectors: groups in memory, what of them is let go of, and gathers from them.
#pragma once
#include "codegen/streaming/kernels/checks.h"
#include "codegen/streaming/kernels/lanes.h"

namespace lockstep_engine {
namespace {

// Where the groups of a stream begin.
struct Groups {
  i64* starts = 0;
  i64 count = 0, capacity = 0;
  Groups() { begin_at(0); }
  void restart() {
    count = 0;
    begin_at(0);
  }
  ~Groups() { free(starts); }
  void begin_at(i64 position) {
    if (count == capacity) {
      capacity = capacity ? 2 * capacity : 64;
      i64* const larger = (i64*)realloc(starts, size_t(capacity) * sizeof(i64));
      if (!larger) throw OutOfMemory{capacity * 8};
      starts = larger;
    }
    starts[count++] = position;
  }
  // The beginning of the group that holds a slice which begins at `start`; earlier groups are forgotten.
  i64 group_of(i64 start) {
    if (count < 2 || starts[1] > start) return count && starts[0] <= start ? starts[0] : 0;
    i64 k = 0;
    while (k + 1 < count && starts[k + 1] <= start) ++k;
    if (k > 0) {
      memmove(starts, starts + k, size_t(count - k) * sizeof(i64));
      count -= k;
    }
    return count && starts[0] <= start ? starts[0] : 0;
  }
};
// Groups that are small are taken together: no more is kept for it than these elements.
const i64 least_group = 1024;

// One list for each reader of the groups, for each forgets them at its own pace.
KERNEL_OF(Segtab, .call = "{grouped}segtab<{short 0}>({state}, {0}, done{id}, {all groups})",
          .keeps = "i64 {state} = {}")
template <bool Short>
inline void segtab(i64& elements, BitReader& f, bool& done, Groups* const* g, int readers) {
  for (i64 n; (n = lesser(64, f.left())) > 0; f.pos += n) {
    const u64 flags = f.s->word(f.pos) & low_bits(n);
    if (flags) {
      const i64 through = 64 - __builtin_clzll(flags);  // the flags up to and with the last end
      const i64 begin = elements + elements_of<Short>(flags, through);
      for (int k = 0; k < readers; ++k)
        if (begin - g[k]->starts[g[k]->count - 1] >= least_group) g[k]->begin_at(begin);
    }
    elements += elements_of<Short>(flags, n);
  }
  done = f.over();
}

// Of the starts still to come, the least that is known: the next there is to read, or what is said of those after it.
template <class S>
inline i64 ahead(const Reader<S>& r, i64 after) {
  return r.left() > 0 ? r.here() : after;
}
// What is before is asked for no more.
template <class S>
inline void let_go(Reader<S>& base, i64 before) {
  if (base.pos != never) base.pos = greater(base.pos, lesser(before, base.s->end));
}

struct NoSuchElement {};  // a bug of the program's translation: an element that has been released

template <class T>
inline void reversed(T* to, const T* from, i64 n) {
  for (i64 k = 0; k < n; ++k) to[k] = from[n - 1 - k];
}
#if !defined(__clang__)
inline void reversed(u8* to, const u8* from, i64 n) {
  const Bytes mirror = {63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42,
                        41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20,
                        19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  0};
  Bytes v;
  for (i64 k = 0; k < n; k += 64) {
    memcpy(&v, from + n - 64 - k, 64);
    v = __builtin_shuffle(v, mirror);
    memcpy(to + k, &v, 64);
  }
}
#endif
template <class T>
inline void copied(T* to, const T* from, i64 n) {
  memcpy(to, from, size_t(n) * sizeof(T));
}
inline void copied(u8* to, const u8* from, i64 n) {
  for (i64 k = 0; k < n; k += 64) memcpy(to + k, from + k, 64);
}

// Elements at[0] to at[n-1], n at most 64.
template <class T>
inline void gather_runs(T* to, const T* from, const i64* a, const i64* b, const i64* at, i64 n) {
  alignas(64) u8 ups[64], downs[64];
  for (int k = 0; k < 64; k += 8) {  // what lies past the end of a window may be read
    Ints x, y, z;
    memcpy(&x, a + k + 1, sizeof x);
    memcpy(&y, b + k + 1, sizeof y);
    memcpy(&z, at + k, sizeof z);
    z = x + y - z;
    const EightBytes up = __builtin_convertvector(z == 1, EightBytes),
                     down = __builtin_convertvector(z == -1, EightBytes);
    memcpy(ups + k, &up, 8);
    memcpy(downs + k, &down, 8);
  }
  // Bit k: element k+1 does not follow element k so.
  const u64 no_up = ~pack_bytes(ups) | u64(1) << (n - 1), no_down = ~pack_bytes(downs) | u64(1) << (n - 1);
  if (count_ones(no_up & no_down & low_bits(n)) >= 12) {  // runs that are too short to be worth a copy
    for (i64 k = 0; k < n; ++k) to[k] = from[at[k]];
    return;
  }
  for (i64 k = 0; k < n;) {
    if (no_up & no_down & u64(1) << k) {
      to[k] = from[at[k]];
      ++k;
    } else if (no_up >> k & 1) {
      const i64 run = trailing(no_down >> k) + 1;
      reversed(to + k, from + at[k + run - 1], run);
      k += run;
    } else {
      const i64 run = trailing(no_up >> k) + 1;
      copied(to + k, from + at[k], run);
      k += run;
    }
  }
}

// The elements of `s` at starts + i. Runs that lie side by side, forwards or backwards, are copied. An index outside of
// the whole stream gives anything, for a check traps.
KERNEL_OF(Gather, .call = "gather({out}, {0}, {1}, {2}, {groups})")
template <class T>
inline void gather(Stream<T>& out, Reader<Stream<i64>>& starts, Reader<Stream<i64>>& i, Reader<Stream<T>>& s,
                   Groups* g) {
  i64 n = lesser(lesser(starts.left(), i.left()), out.room());
  const Stream<T>& from = *s.s;
  i64 start = -1;
  while (n > 0) {
    const i64 now = lesser(n, 64);
    const i64* const a = starts.s->at(starts.pos);
    const i64* const b = i.s->at(i.pos);
    alignas(64) i64 at[64];
    i64 least = never, most = -1;
    if (now == 64) {
      Ints low = {never, never, never, never, never, never, never, never}, high = {-1, -1, -1, -1, -1, -1, -1, -1};
      for (i64 k = 0; k < 64; k += 8) {
        Ints x, y;
        memcpy(&x, a + k, sizeof x);
        memcpy(&y, b + k, sizeof y);
        x += y;  // wraps, as the flags of the compiler say
        memcpy(at + k, &x, sizeof x);
        low = x < low ? x : low;
        high = x > high ? x : high;
      }
      for (int k = 0; k < 8; ++k) least = lesser(least, low[k]), most = greater(most, high[k]);
    } else {
      for (i64 k = 0; k < now; ++k) {
        at[k] = i64(u64(a[k]) + u64(b[k]));
        least = lesser(least, at[k]);
        most = greater(most, at[k]);
      }
    }
    i64 known = now;
    T* const to = out.tail();
    if (most >= from.end || least < from.base) {
      for (known = 0; known < now; ++known) {
        const i64 k = at[known];
        if (k >= from.end && !from.done) break;
        if (k >= 0 && k < from.base) throw NoSuchElement();
        to[known] = k >= 0 && k < from.end ? from.get(k) : T();
      }
      if (known == 0) break;
    } else {
      gather_runs(to, from.data - from.base, a, b, at, now);
    }
    start = a[known - 1];
    out.end += known;
    starts.pos += known;
    i.pos += known;
    n -= known;
  }
  if (starts.over() || i.over()) out.done = true;
  if (g && start >= 0 && s.pos != never) s.pos = greater(s.pos, lesser(g->group_of(start), from.end));
}
inline void gather(Stream<Bit>& out, Reader<Stream<i64>>& starts, Reader<Stream<i64>>& i, BitReader& s, Groups* g) {
  i64 n = lesser(lesser(starts.left(), i.left()), out.room()), start = -1;
  for (; n > 0; --n) {
    const i64 at = i64(u64(starts.here()) + u64(i.here()));
    if (at >= s.s->end && !s.s->done) break;
    if (at >= 0 && at < s.s->base) throw NoSuchElement();
    start = starts.here();
    out.push(at >= 0 && at < s.s->end && s.s->get(at));
    ++starts.pos, ++i.pos;
  }
  if (starts.over() || i.over()) out.done = true;
  if (g && start >= 0 && s.pos != never) s.pos = greater(s.pos, lesser(g->group_of(start), s.s->end));
}
inline void gather(Stream<Unit>& out, Reader<Stream<i64>>& starts, Reader<Stream<i64>>& i, Reader<Stream<Unit>>& s,
                   Groups*) {
  const i64 n = greater(lesser(starts.left(), i.left()), 0);
  out.end += n, starts.pos += n, i.pos += n;
  if (starts.over() || i.over()) out.done = true;
  (void)s;
}

}  // namespace
}  // namespace lockstep_engine
