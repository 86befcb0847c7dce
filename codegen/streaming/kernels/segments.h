// Descriptors: general ones (F for each element, T at the end of each segment) and short ones (a flag for each element,
// T at the last of its segment, no empty segments). Each kernel takes from its readers what is there and puts into its
// stream what there is room for; it sets `done` when no more will come.
//
// Short is how the kernel's descriptor is kept: a descriptor that is made by `ends` is only kept as its short form.
#pragma once
#include "codegen/streaming/kernels/stream.h"

namespace lockstep_engine {
namespace {

typedef Reader<Stream<Bit>> BitReader;

// Bits that are 1 at or after i, before `end`: the first, or `end`.
inline i64 next_one(const Stream<Bit>& s, i64 i, i64 end) {
  for (; i < end; i += 64)
    if (const u64 w = s.word(i)) return lesser(i + trailing(w), end);
  return end;
}

// The elements up to the end of a segment, at most `limit`, taken from the descriptor; `last`: its end is taken too.
// False where nothing could be taken.
template <bool Short>
inline bool take_run(BitReader& f, i64 limit, i64& n, bool& last) {
  const i64 left = f.left();
  n = 0;
  last = false;
  if (left <= 0) return false;
  if (Short) {
    if (limit <= 0) return false;
    const i64 most = lesser(limit, left);
    const i64 at = next_one(*f.s, f.pos, f.pos + most);
    last = at < f.pos + most;
    n = at - f.pos + last;
    f.pos += n;
    return true;
  }
  const i64 most = limit < left ? limit + 1 : left;
  const i64 at = next_one(*f.s, f.pos, f.pos + most);
  n = at - f.pos;
  if (n > limit) n = limit;
  last = n == at - f.pos && at < f.pos + most;
  f.pos += n + last;
  return n > 0 || last;
}

// How many elements the first n (at most 64) flags stand for.
template <bool Short>
inline i64 elements_of(u64, i64 n) {
  return n;
}
template <>
inline i64 elements_of<false>(u64 flags, i64 n) {
  return n - count_ones(flags & low_bits(n));
}

KERNEL_OF(Usum, .call = "usum<{short 0}>({out}, {0})")
template <bool Short>
inline void usum(Stream<Unit>& out, BitReader& f) {
  {
    BitsIn in(f);
    i64 all = 0;
    for (i64 n; (n = lesser(64, in.left())) > 0; in.pos += n) all += elements_of<Short>(in.word(), n);
    out.end += all;
  }
  out.done = f.over();
}

KERNEL_OF(Pdist, .call = "pdist<{short 1}>({out}, {0}, {1})")
template <bool Short, class O, class S>
inline void pdist(O& out, Reader<S>& s, BitReader& f) {
  i64 n;
  bool last;
  while (s.left() > 0 && take_run<Short>(f, out.room(), n, last)) {
    fill(out, s.here(), n);
    s.pos += last;
  }
  out.done = f.over();
}

KERNEL_OF(Lens, .call = "lens<{short 0}>({out}, {0}, {state})", .keeps = "i64 {state} = {}")
template <bool Short>
inline void lens(Stream<i64>& out, BitReader& f, i64& open) {
  i64 room = out.room();
  i64* to = out.tail();
  i64* const begin = to;
  i64 so_far = open;
  BitsIn in(f);
  while (room > 0) {
    i64 n = lesser(64, in.left());
    if (n <= 0) break;
    u64 flags = in.word() & low_bits(n);
    i64 before = -1;
    for (; flags && room > 0; flags &= flags - 1, --room) {
      const i64 at = trailing(flags);
      *to++ = so_far + at - before - (Short ? 0 : 1);
      before = at;
      so_far = 0;
    }
    if (flags) n = before + 1;  // no room for the rest
    so_far += n - 1 - before;
    in.pos += n;
  }
  open = so_far;
  out.end += to - begin;
  in.reader.pos = in.pos;
  out.done = f.over();
}

KERNEL_OF(Iotas, .call = "iotas<{short 0}>({out}, {0}, {state})", .keeps = "i64 {state} = {}")
template <bool Short>
inline void iotas(Stream<i64>& out, BitReader& f, i64& open) {
  i64 n;
  bool last;
  while (take_run<Short>(f, out.room(), n, last)) {
    i64* const to = out.tail();
    const i64 from = open;
    for (i64 k = 0; k < n; k += 8)
      for (int j = 0; j < 8; ++j) to[k + j] = from + k + j;
    out.end += n;
    open = last ? 0 : open + n;
  }
  out.done = f.over();
}

template <class T>
inline void* place_of(Stream<T>& to) {
  return to.tail();
}
inline void* place_of(Stream<Bit>&) { return 0; }
inline void* place_of(Stream<Unit>&) { return 0; }
template <class T>
inline void put_8(void* to, T v, i64 k) {
  for (int j = 0; j < 8; ++j) ((T*)to)[k + j] = v;
}
template <>
inline void put_8(void*, bool, i64) {}
template <>
inline void put_8(void*, Unit, i64) {}
template <class T>
inline void end_8(Stream<T>& to, T, i64 n) {
  to.end += n;
}
inline void end_8(Stream<Bit>& to, bool v, i64 n) { fill(to, v, n); }
inline void end_8(Stream<Unit>& to, Unit, i64 n) { to.end += n; }

// Several distributions and iotas over the segments of one descriptor, in one loop over each segment. A part that is
// stored in cells of its own elements writes 8 of these at a time.
template <class O, class S>
struct Distributed {
  O& out;
  Reader<S>& s;
  typename O::element value;
  void* to;
  bool ready() const { return s.left() > 0; }
  i64 room() const { return out.room(); }
  void begin() {
    value = s.here();
    to = place_of(out);
  }
  void put(i64 k) { put_8<typename O::element>(to, value, k); }
  void end(i64 n, bool last) {
    end_8(out, value, n);
    s.pos += last;
  }
  void finish(bool done) { out.done = done; }
};
struct Counted {
  Stream<i64>& out;
  i64& open;
  i64 from;
  i64* to;
  bool ready() const { return true; }
  i64 room() const { return out.room(); }
  void begin() {
    from = open;
    to = out.tail();
  }
  void put(i64 k) {
    for (int j = 0; j < 8; ++j) to[k + j] = from + k + j;
  }
  void end(i64 n, bool last) {
    out.end += n;
    open = last ? 0 : from + n;
  }
  void finish(bool done) { out.done = done; }
};
template <class O, class S>
inline Distributed<O, S> distributed(O& out, Reader<S>& s) {
  return {out, s, {}, 0};
}
template <bool Short, class... Part>
inline void distribute(BitReader& f, Part... part) {  // the parts by value, so that they lie in registers
  i64 n;
  bool last;
  while ((part.ready() && ...)) {
    i64 room = never / 2;
    ((room = lesser(room, part.room())), ...);
    if (!take_run<Short>(f, room, n, last)) break;
    (part.begin(), ...);
    for (i64 k = 0; k < n; k += 8) (part.put(k), ...);
    (part.end(n, last), ...);
  }
  (part.finish(f.over()), ...);
}

}  // namespace
}  // namespace lockstep_engine
