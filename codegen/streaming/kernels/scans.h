// Exclusive scans, of Reals in the blocked order: blocks of 8 positions of a segment with Kogge-Stone prefixes, the
// carry of the blocks before from the left.
#pragma once
#include "codegen/streaming/kernels/values.h"

namespace lockstep_engine {
namespace {

// Of Ints any order is the same.
template <class R, class T>
struct Prefix;
template <class R>
struct Prefix<R, i64> {
  static const bool in_vectors = false;
  i64 carry = R::identity(i64());
  void clear() { carry = R::identity(i64()); }
  void scan(i64* to, const i64* x, i64 n) {
    i64 c = carry;
    for (i64 i = 0; i < n; ++i) {
      const i64 v = x[i];
      to[i] = c;
      c = R::of(c, v);
    }
    carry = c;
  }
};
template <class R>
struct Prefix<R, double> {
  static const bool in_vectors = false;
  double carry = R::identity(double());
  int filled = 0;
  double open[8];  // the elements of the open block
  void clear() {
    carry = R::identity(double());
    filled = 0;
  }
  static double prefix(const double* x, int i) {  // of x[0] to x[i], as the circuit associates them
    // y_i after the rounds k = 1, 2, 4: halves from the right.
    double level[8];
    for (int k = 0; k <= i; ++k) level[k] = x[k];
    for (int k = 1; k < 8; k *= 2)
      for (int j = i; j >= k; --j) level[j] = R::of(level[j - k], level[j]);
    return level[i];
  }
  double value() const { return filled == 0 ? carry : R::of(carry, prefix(open, filled - 1)); }
  void scan(double* to, const double* x, i64 n) {
    i64 i = 0;
    while (i < n) {
      if (filled == 0 && n - i >= 8) {
        double c = carry;
        for (; i + 8 <= n; i += 8) {
          double last;
          block_of_8(to + i, x + i, c, last);
          c = R::of(c, last);
        }
        carry = c;
        continue;
      }
      to[i] = value();
      open[filled++] = x[i++];
      if (filled == 8) {
        carry = R::of(carry, prefix(open, 7));
        filled = 0;
      }
    }
  }
  // Writes 8 elements, of which those past the block's last mean nothing.
  void whole(double* to, const double* x) {
    double last;
    block_of_8(to, x, carry, last);
    carry = R::of(carry, last);
  }
  static void block_of_8(double* to, const double* x, double before, double& last) {
    double y[8], z[8];
    y[0] = x[0];
    for (int k = 1; k < 8; ++k) y[k] = R::of(x[k - 1], x[k]);
    z[0] = y[0], z[1] = y[1];
    for (int k = 2; k < 8; ++k) z[k] = R::of(y[k - 2], y[k]);
    y[0] = z[0], y[1] = z[1], y[2] = z[2], y[3] = z[3];
    for (int k = 4; k < 8; ++k) y[k] = R::of(z[k - 4], z[k]);
    to[0] = before;
    for (int k = 1; k < 8; ++k) to[k] = R::of(before, y[k - 1]);
    last = y[7];
  }
  // A segment's last elements, fewer than 8 or as many, at the beginning of a block.
  void rest(double* to, const double* x) {
    double last;
    block_of_8(to, x, carry, last);
  }
};

#if !defined(__clang__)
// A block as a vector.
typedef double Eight __attribute__((vector_size(64)));
inline Eight load_8(const double* p) {
  Eight v;
  memcpy(&v, p, sizeof v);
  return v;
}
inline void store_8(double* p, Eight v) { memcpy(p, &v, sizeof v); }
inline Eight of_8(Eight a, Eight b, Plus) { return a + b; }
inline Eight of_8(Eight a, Eight b, Times) { return a * b; }
inline Eight all_of_last(Eight v) { return __builtin_shuffle(v, Ints{7, 7, 7, 7, 7, 7, 7, 7}); }
// -1 in the lanes whose bit is 1.
inline Ints lanes_of_bits(u64 bits) {
  const i64 b = i64(bits);
  return (Ints{b, b, b, b, b, b, b, b} & Ints{1, 2, 4, 8, 16, 32, 64, 128}) != Ints{};
}
// The inclusive prefixes of v; `before`: v one lane up, anything in the lowest. What a round has no partner for is
// kept.
template <class R>
inline Eight prefixes_of_8(Eight v, Eight before, R r) {
  Eight s = of_8(before, v, r);
  v = __builtin_shuffle(v, s, Ints{0, 9, 10, 11, 12, 13, 14, 15});
  s = of_8(__builtin_shuffle(v, Ints{0, 0, 0, 1, 2, 3, 4, 5}), v, r);
  v = __builtin_shuffle(v, s, Ints{0, 1, 10, 11, 12, 13, 14, 15});
  s = of_8(__builtin_shuffle(v, Ints{0, 0, 0, 0, 0, 1, 2, 3}), v, r);
  return Ints{0, 0, 0, 0, -1, -1, -1, -1} ? s : v;
}

// The first round's shift is a load from one element before, the exclusive result a store one element after: one
// element before and eight after what is scanned are read, and written after it.
template <class R>
struct VectorPrefix {
  static const bool in_vectors = true;
  Eight carry;  // in all lanes
  int filled = 0;
  bool inside = false;               // a segment is open
  alignas(64) double open[24] = {};  // from [1] on the elements of the open block
  static Eight identity() {
    const double e = R::identity(double());
    return Eight{e, e, e, e, e, e, e, e};
  }
  VectorPrefix() : carry(identity()) {}
  void clear() {
    carry = identity();
    filled = 0;
  }
  void scan(double* to, const double* x, i64 n) {
    i64 i = 0;
    if (filled) {
      const i64 more = lesser(8 - filled, n);
      memcpy(open + 1 + filled, x, size_t(more) * sizeof(double));
      const Eight y = prefixes_of_8(load_8(open + 1), load_8(open), R());
      double r[9];
      r[0] = carry[0];
      store_8(r + 1, of_8(carry, y, R()));
      memcpy(to, r + filled, size_t(more) * sizeof(double));
      filled += int(more);
      i = more;
      if (filled < 8) return;
      carry = of_8(carry, all_of_last(y), R());
      filled = 0;
    }
    Eight c = carry;
    if (i < n) to[i] = c[0];
    for (; i + 8 <= n; i += 8) {
      const Eight y = prefixes_of_8(load_8(x + i), load_8(x + i - 1), R());
      store_8(to + i + 1, of_8(c, y, R()));
      c = of_8(c, all_of_last(y), R());
    }
    carry = c;
    if (i < n) {
      const Eight v = load_8(x + i);
      store_8(to + i + 1, of_8(c, prefixes_of_8(v, load_8(x + i - 1), R()), R()));
      store_8(open + 1, v);
      filled = int(n - i);
    }
  }
};
template <>
struct Prefix<Plus, double> : VectorPrefix<Plus> {};
template <>
struct Prefix<Times, double> : VectorPrefix<Times> {};

// Segments that begin and end within 8 elements, scanned together: rounds under masks. Within a segment elements meet
// as in a block that begins with it. Into to[1] to to[8]; bit k of m1, m2, m4: the element 1, 2, 4 before the k-th is
// of its segment.
template <class R>
inline void short_segments(double* to, const double* x, u64 ends, u64 m1, u64 m2, u64 m4, R r) {
  Eight v = load_8(x), s = of_8(load_8(x - 1), v, r);
  v = lanes_of_bits(m1) ? s : v;
  s = of_8(__builtin_shuffle(v, Ints{0, 0, 0, 1, 2, 3, 4, 5}), v, r);
  v = lanes_of_bits(m2) ? s : v;
  s = of_8(__builtin_shuffle(v, Ints{0, 0, 0, 0, 0, 1, 2, 3}), v, r);
  v = lanes_of_bits(m4) ? s : v;
  const Eight first = VectorPrefix<R>::identity();
  store_8(to + 1, lanes_of_bits(ends) ? first : of_8(first, v, r));
}
template <class R>
inline void segscan_in_vectors(Stream<double>& out, Reader<Stream<double>>& s, BitReader& e, VectorPrefix<R>& p) {
  {
    BitsIn segments(e);
    const i64 all = greater(lesser(lesser(s.left(), out.room()), segments.left()), 0);
    double* to = out.tail();
    const double* x = s.s->at(s.pos);
    const i64 stop = segments.pos + all;
    const double first = R::identity(double());
    bool inside = p.inside;
    while (segments.pos < stop) {
      const i64 n = lesser(64, stop - segments.pos);
      const u64 flags = segments.word() & low_bits(n);
      i64 done;
      if (!flags) {
        p.scan(to, x, done = n);
        inside = true;
      } else if (inside) {
        p.scan(to, x, done = trailing(flags) + 1);
        p.clear();
        inside = false;
      } else {
        done = 64 - __builtin_clzll(flags);  // whole segments
        const u64 m1 = ~(flags << 1 | 1), m2 = m1 & m1 << 1, m4 = m2 & m2 << 2;
        to[0] = first;
        for (i64 at = 0; at < done;) {
          const u64 rest = flags >> at, near = rest & 255;
          if (near) {
            short_segments(to + at, x + at, near, m1 >> at, m2 >> at, m4 >> at, R());
            at += 64 - __builtin_clzll(near);
          } else {
            const i64 k = trailing(rest) + 1;
            p.scan(to + at, x + at, k);
            p.clear();
            at += k;
            to[at] = first;
          }
        }
      }
      segments.pos += done;
      to += done;
      x += done;
    }
    p.inside = inside;
    out.end += all;
    if (all > 0) s.pos += all;
  }
  out.done = e.over();
}
#endif

KERNEL_OF(Scan, .call = "scan({out}, {0}, {state})", .keeps = "Prefix<{monoid}, {cell}> {state}",
          .call_of_bits = "segscan<{monoid}>({out}, {0}, (BitReader*)0, {state})", .keeps_of_bits = "bool {state} = {}")
template <class R, class T>
inline void scan(Stream<T>& out, Reader<Stream<T>>& s, Prefix<R, T>& p) {
  const i64 n = lesser(s.left(), out.room());
  if (n > 0) {
    p.scan(out.tail(), s.s->at(s.pos), n);
    out.end += n;
    s.pos += n;
  }
  out.done = s.over();
}
template <class R>
inline void scan_segment(Prefix<R, i64>& p, i64* to, const i64* x, i64 n, bool last) {
  p.scan(to, x, n);
  if (last) p.clear();
}
template <class R>
inline void scan_segment(Prefix<R, double>& p, double* to, const double* x, i64 n, bool last) {
  if (!last || p.filled) {
    p.scan(to, x, n);
    if (last) p.clear();
    return;
  }
  i64 k = 0;
  for (; k + 8 < n; k += 8) p.whole(to + k, x + k);
  p.rest(to + k, x + k);
  p.clear();
}
KERNEL_OF(Segscan, .call = "segscan({out}, {0}, {1}, {state})", .keeps = "Prefix<{monoid}, {cell}> {state}",
          .call_of_bits = "segscan<{monoid}>({out}, {0}, &{1}, {state})", .keeps_of_bits = "bool {state} = {}")
template <class R, class T>
inline void segscan(Stream<T>& out, Reader<Stream<T>>& s, BitReader& e, Prefix<R, T>& p) {
  if constexpr (Prefix<R, T>::in_vectors) {
    segscan_in_vectors(out, s, e, p);
  } else {
    i64 n;
    bool last;
    while (take_run<true>(e, lesser(greater(s.left(), 0), out.room()), n, last)) {
      scan_segment(p, out.tail(), s.s->at(s.pos), n, last);
      out.end += n;
      s.pos += n;
    }
    out.done = e.over();
  }
}
// Of Booleans: whether a true (for And a false) one came before in the segment.
template <class R>
inline void segscan(Stream<Bit>& out, BitReader& s, BitReader* e, bool& found) {
  i64 n = lesser(s.left(), out.room());
  if (e) n = lesser(n, e->left());
  for (; n > 0; --n) {
    out.push(found != Truth<R>::negated);
    found |= s.here() != Truth<R>::negated;
    ++s.pos;
    if (e && e->here()) found = false;
    if (e) ++e->pos;
  }
  out.done = e ? e->over() : s.over();
}

}  // namespace
}  // namespace lockstep_engine
