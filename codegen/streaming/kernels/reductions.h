// Reductions in the blocked order (eight lanes), and counts of Booleans on bits.
#pragma once
#include "codegen/streaming/kernels/lanes.h"
#include "codegen/streaming/kernels/unary.h"

namespace lockstep_engine {
namespace {

struct Plus {
  static i64 identity(i64) { return 0; }
  static double identity(double) { return 0; }
  static i64 of(i64 a, i64 b) { return i64(u64(a) + u64(b)); }
  static double of(double a, double b) { return a + b; }
};
struct Times {
  static i64 identity(i64) { return 1; }
  static double identity(double) { return 1; }
  static i64 of(i64 a, i64 b) { return i64(u64(a) * u64(b)); }
  static double of(double a, double b) { return a * b; }
};
// Of Reals: NaN where either is, and 0 is greater than -0.
struct Max {
  static i64 identity(i64) { return INT64_MIN; }
  static double identity(double) { return -__builtin_inf(); }
  static i64 of(i64 a, i64 b) { return a > b ? a : b; }
  static double of(double a, double b) {
    if (a != a || b != b) return __builtin_nan("");
    if (a == b) return __builtin_signbit(a) ? b : a;
    return a > b ? a : b;
  }
};
struct Min {
  static i64 identity(i64) { return INT64_MAX; }
  static double identity(double) { return __builtin_inf(); }
  static i64 of(i64 a, i64 b) { return a < b ? a : b; }
  static double of(double a, double b) {
    if (a != a || b != b) return __builtin_nan("");
    if (a == b) return __builtin_signbit(a) ? a : b;
    return a < b ? a : b;
  }
};
struct Or {};
struct And {};

// The element at position p of its segment goes to lane p mod 8.
template <class R, class T>
struct Lanes {
  i64 count = 0;
  T lane[8];
  Lanes() { clear(); }
  void clear() {
    count = 0;
    for (int k = 0; k < 8; ++k) lane[k] = R::identity(T());
  }
  void add(const T* x, i64 n) {
    i64 i = 0;
    for (; i < n && ((count + i) & 7); ++i) put(count + i, x[i]);
    if (n - i >= 8) {
      T l[8];
      memcpy(l, lane, sizeof l);
      for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; ++k) l[k] = R::of(l[k], x[i + k]);
      memcpy(lane, l, sizeof l);
    }
    for (; i < n; ++i) put(count + i, x[i]);
    count += n;
  }
  void put(i64 p, T x) { lane[p & 7] = R::of(lane[p & 7], x); }
  T value() const {
    return R::of(R::of(R::of(lane[0], lane[1]), R::of(lane[2], lane[3])),
                 R::of(R::of(lane[4], lane[5]), R::of(lane[6], lane[7])));
  }
};

// Of Ints any order is the same.
template <class R>
struct Lanes<R, i64> {
  i64 all = R::identity(i64());
  void clear() { all = R::identity(i64()); }
  void add(const i64* x, i64 n) {
    i64 r = all;
    for (i64 k = 0; k < n; ++k) r = R::of(r, x[k]);
    all = r;
  }
  i64 value() const { return all; }
};

KERNEL_OF(Reduce, .call = "reduce({out}, {0}, {state})", .keeps = "Lanes<{monoid}, {cell}> {state}",
          .call_of_bits = "reduce<{monoid}>({out}, {0}, {state})", .keeps_of_bits = "bool {state} = {}",
          .in_place = "reduce_given({out}, {given}, finished, {state})")
template <class R, class T>
inline void reduce(Stream<T>& out, Reader<Stream<T>>& s, Lanes<R, T>& acc) {
  const i64 n = s.left();
  if (n > 0) {
    acc.add(s.s->at(s.pos), n);
    s.pos += n;
  }
  if (s.over() && out.room() > 0) {
    out.push(acc.value());
    out.done = true;
  }
}

KERNEL_OF(Segreduce, .call = "segreduce<{monoid}, {short 1}>({out}, {0}, {1}, {state})",
          .keeps = "Lanes<{monoid}, {cell}> {state}", .keeps_of_bits = "bool {state} = {}")
template <class R, bool Short, class T>
inline void segreduce(Stream<T>& out, Reader<Stream<T>>& s, BitReader& f, Lanes<R, T>& acc) {
  i64 n;
  bool last;
  while (out.room() > 0 && take_run<Short>(f, greater(s.left(), 0), n, last)) {
    if (n) acc.add(s.s->at(s.pos), n);
    s.pos += n;
    if (!last) continue;
    out.push(acc.value());
    acc.clear();
  }
  out.done = f.over();
}

// The next flags of a descriptor, at most 64, whose `values` are there and with `room` for a result of each segment
// that they end; how many, the flags, and how many elements they stand for.
template <bool Short>
inline i64 next_block(const BitsIn& f, i64 values, i64 room, u64& flags, i64& elements) {
  if (room <= 0) return 0;
  i64 n = lesser(64, f.left());
  if (Short) n = lesser(n, values);
  if (n <= 0) return 0;
  flags = f.word() & low_bits(n);
  elements = elements_of<Short>(flags, n);
  if (!Short && elements > values) {
    n = place_of_one(~flags, values);
    flags &= low_bits(n);
    elements = values;
  }
  if (count_ones(flags) > room) {  // up to the last segment that there is room for
    n = place_of_one(flags, room - 1) + 1;
    flags &= low_bits(n);
    elements = elements_of<Short>(flags, n);
  }
  return n;
}

// The bits up to and with the first that is 1; all where none is.
inline u64 up_to_one(u64 v) { return v ^ (v - 1); }
// Sums of Booleans as 0 and 1, by counting bits.
KERNEL_OF(Segcount, .call = "segcount<{short 1}>({out}, {0}, {1}, {state})", .keeps = "i64 {state} = {}")
template <bool Short>
inline void segcount(Stream<i64>& out, BitReader& s, BitReader& f, i64& open) {
  {
    BitsIn values(s), segments(f);
    i64 so_far = open, room = out.room();
    i64* to = out.tail();
    i64* const begin = to;
    for (;;) {
      u64 flags;
      i64 elements;
      const i64 n = next_block<Short>(segments, values.left(), room, flags, elements);
      if (n <= 0) break;
      u64 v = elements ? values.word() & low_bits(elements) : 0;
      if (!Short) v = deposit_bits(v, ~flags);
      segments.pos += n;
      values.pos += elements;
      const i64 ended = count_ones(flags);
      room -= ended;
      if (ended > 2) {
        for (; flags; flags &= flags - 1) {
          const u64 through = up_to_one(flags);
          *to++ = so_far + count_ones(v & through);
          v &= ~through;
          so_far = 0;
        }
        so_far = count_ones(v);
      } else {  // as of lines: without a branch, what is open after the last end beside what ends
        const u64 first = up_to_one(flags), second = up_to_one(flags & (flags - 1));
        const i64 in_first = count_ones(v & first), in_both = count_ones(v & second);
        to[0] = so_far + in_first;
        to[1] = in_both - in_first;
        to[2] = count_ones(v) - in_both;
        so_far = to[ended];
        to += ended;
      }
    }
    open = so_far;
    out.end += to - begin;
  }
  out.done = f.over();
}

// How many of v's bits come before each bit, compared with t: the bits at which it is less than t.
inline u64 count_below(u64 v, i64 t, int ones) {
  if (t <= 0) return 0;
  return t > ones ? ~u64(0) : low_bits(place_of_one(v, t - 1) + 1);
}
struct Less {
  static u64 of(u64 v, i64 t, int ones) { return count_below(v, t, ones); }
};
struct NotGreater {
  static u64 of(u64 v, i64 t, int ones) { return t == INT64_MAX ? ~u64(0) : count_below(v, t + 1, ones); }
};
struct Greater {
  static u64 of(u64 v, i64 t, int ones) { return ~NotGreater::of(v, t, ones); }
};
struct NotLess {
  static u64 of(u64 v, i64 t, int ones) { return ~count_below(v, t, ones); }
};
struct Equal {
  static u64 of(u64 v, i64 t, int ones) { return NotGreater::of(v, t, ones) & ~count_below(v, t, ones); }
};
struct NotEqual {
  static u64 of(u64 v, i64 t, int ones) { return ~Equal::of(v, t, ones); }
};
// Whether the number of true ones before an element in its segment stands in relation R to the segment's number. Of
// Booleans b with short descriptor e; `open`: the true ones so far in the open segment.
KERNEL_OF(CountCompare, .call = "count_compare<{relation}>({out}, {0}, {1}, {2}, {state})", .keeps = "i64 {state} = {}")
template <class R>
inline void count_compare(Stream<Bit>& out, BitReader& b, BitReader& e, Reader<Stream<i64>>& number, i64& open) {
  {
    BitsIn counted(b), segments(e);
    BitsOut to(out);
    const i64 numbers = number.left();
    const i64* t = numbers > 0 ? number.s->at(number.pos) : 0;
    const i64* const last = t + greater(numbers, 0);
    i64 before = open;
    for (;;) {
      const i64 n = lesser(lesser(64, lesser(counted.left(), segments.left())), to.room());
      if (n <= 0) break;
      const u64 v = counted.word();
      u64 ends = segments.word() & low_bits(n), r = 0;
      i64 done = 0;
      while (done < n && t < last) {
        const i64 end = ends ? trailing(ends) + 1 : n;
        const u64 part = v >> done & low_bits(end - done);
        const int ones = count_ones(part);
        // Less the count so far, which is not negative.
        r |= (R::of(part, *t < INT64_MIN + before ? INT64_MIN : *t - before, ones) & low_bits(end - done)) << done;
        before = ends ? 0 : before + ones;
        t += ends != 0;
        ends &= ends - 1;
        done = end;
      }
      if (done == 0) break;
      to.put(r, done);
      counted.pos += done;
      segments.pos += done;
    }
    open = before;
    if (numbers > 0) number.pos += numbers - (last - t);
  }
  out.done = e.over();
}

KERNEL_OF(CountTrue, .call = "count_true({out}, {0}, {state})", .keeps = "i64 {state} = {}")
inline void count_true(Stream<i64>& out, BitReader& s, i64& sum) {
  {
    BitsIn in(s);
    i64 all = sum;
    for (i64 n; (n = lesser(64, in.left())) > 0; in.pos += n) all += count_ones(in.word() & low_bits(n));
    sum = all;
  }
  if (s.over() && out.room() > 0) {
    out.push(sum);
    out.done = true;
  }
}

// v's or over each segment, at its last flag, by the carries of one addition: a bit added anywhere in a run of ones
// carries out at its end. `carry`: whether the open segment has had a true one.
inline u64 segment_or(u64 v, u64 end, i64 n, bool& carry) {
  const u64 inside = ~end & low_bits(n);
  u64 sum, more;
  const bool over1 = __builtin_add_overflow(v & inside, inside, &sum);
  const bool over2 = __builtin_add_overflow(sum, u64(carry), &more);
  carry = n == 64 ? over1 || over2 : more >> n & 1;
  return (more | v) & end;
}

template <class R>
struct Truth;
template <>
struct Truth<Or> {
  static const bool negated = false;
};
template <>
struct Truth<And> {
  static const bool negated = true;  // and is the or of the negations, negated
};

template <class R, bool Short>
inline void segreduce(Stream<Bit>& out, BitReader& s, BitReader& f, bool& carry) {
  const u64 flip = Truth<R>::negated ? ~u64(0) : 0;
  {
    BitsIn values(s), segments(f);
    BitsOut to(out);
    bool over = carry;
    for (;;) {
      u64 flags;
      i64 elements;
      const i64 n = next_block<Short>(segments, values.left(), to.room(), flags, elements);
      if (n <= 0) break;
      u64 v = elements ? (values.word() ^ flip) & low_bits(elements) : 0;
      if (!Short) v = deposit_bits(v, ~flags);
      const u64 r = segment_or(v, flags, n, over);
      const i64 ended = count_ones(flags);
      to.put((extract_bits(r, flags) ^ flip) & low_bits(ended), ended);
      segments.pos += n;
      values.pos += elements;
    }
    carry = over;
  }
  out.done = f.over();
}
template <class R>
inline void reduce(Stream<Bit>& out, BitReader& s, bool& found) {
  const u64 flip = Truth<R>::negated ? ~u64(0) : 0;
  for (i64 n; (n = lesser(64, s.left())) > 0; s.pos += n) found |= ((s.s->word(s.pos) ^ flip) & low_bits(n)) != 0;
  if (s.over() && out.room() > 0) {
    out.push(found != Truth<R>::negated);
    out.done = true;
  }
}

}  // namespace
}  // namespace lockstep_engine
