// Pack, unpack, merges, cons. As for descriptors, each takes what is there and puts what there is room for.
#pragma once
#include "codegen/streaming/kernels/reductions.h"

namespace lockstep_engine {
namespace {

KERNEL_OF(Pack, .call = "pack({out}, {0}, {1})")
template <class T, class S>
inline void pack(Stream<T>& out, Reader<S>& s, BitReader& b) {
  {
    BitsIn in(b);
    i64 at = s.pos, left = s.left(), room = out.room();
    for (;;) {
      i64 n = lesser(lesser(64, in.left()), left);
      if (n <= 0) break;
      u64 flags = in.word() & low_bits(n);
      if (count_ones(flags) > room) {
        if (room <= 0) break;
        n = place_of_one(flags, room - 1) + 1;
        flags &= low_bits(n);
      }
      put_packed(out, *s.s, at, flags, n);
      room -= count_ones(flags);
      in.pos += n;
      at += n;
      left -= n;
    }
    s.pos = at;
  }
  out.done = b.over();
}
template <class T, class S>
inline void put_packed(Stream<T>& out, const S& s, i64 at, u64 flags, i64) {
  T* to = out.tail();
  out.end += count_ones(flags);
  for (; flags; flags &= flags - 1) *to++ = s.get(at + trailing(flags));
}
template <class T>
inline void put_packed(Stream<T>& out, const Stream<T>& s, i64 at, u64 flags, i64 n) {
  T* to = out.tail();
  const T* const from = s.data + (at - s.base);
  out.end += count_ones(flags);
  if (flags == low_bits(n)) {
    memcpy(to, from, size_t(n) * sizeof(T));
    return;
  }
  compress(to, from, flags);
}
inline void put_packed(Stream<Bit>& out, const Stream<Bit>& s, i64 at, u64 flags, i64) {
  out.put(extract_bits(s.word(at), flags), count_ones(flags));
}
inline void put_packed(Stream<Unit>& out, const Stream<Unit>&, i64, u64 flags, i64) { out.end += count_ones(flags); }

KERNEL_OF(Unpack, .call = "unpack({out}, {0}, {1}, {2})")
template <class T, class S1, class S2>
inline void unpack(Stream<T>& out, BitReader& b, Reader<S1>& t, Reader<S2>& e) {
  while (b.left() > 0 && out.room() > 0) {
    if (b.here()) {
      if (t.left() <= 0) break;
      append(out, *t.s, t.pos++, 1);
    } else {
      if (e.left() <= 0) break;
      append(out, *e.s, e.pos++, 1);
    }
    ++b.pos;
  }
  out.done = b.over();
}

KERNEL_OF(Cons, .call = "cons({out}, {0}, {atom}, {state})", .keeps = "bool {state} = {}")
template <class T, class S>
inline void cons(Stream<T>& out, Reader<S>& s, typename Cell<T>::element a, bool& begun) {
  // The reader stays one behind: element i is s_(i-1), and known once s_i is there.
  if (!begun) {
    if (s.over()) out.done = true;
    if (s.left() <= 0 || out.room() <= 0) return;
    fill(out, a, 1);
    begun = true;
  }
  const i64 n = lesser(s.s->end - 1 - s.pos, out.room());
  if (s.pos != never && n > 0) {
    append(out, *s.s, s.pos, n);
    s.pos += n;
  }
  if (s.pos == never || (s.s->done && s.pos >= s.s->end - 1)) out.done = true;
}

KERNEL_OF(Rep, .call = "rep({out}, {0}, {atom})")
template <class T, class S>
inline void rep(Stream<T>& out, Reader<S>& s, typename Cell<T>::element a) {
  const i64 n = lesser(s.left(), out.room());
  if (n > 0) {
    fill(out, a, n);
    s.pos += n;
  }
  out.done = s.over();
}
template <class T, class S>
inline void rep(Repeated<T>& out, Reader<S>& s, T) {
  if (s.left() > 0) {
    out.end = s.s->end;
    s.pos = out.end;
  }
  out.done = s.over();
}
KERNEL_OF(Constant, .call = "constant({out}, {atom}, {number})")
template <class O>
inline void constant(O& out, typename O::element a, i64 n) {
  const i64 now = lesser(n - out.end, out.room());
  if (now > 0) fill(out, a, now);
  out.done = out.end == n;
}
template <class T>
inline void constant(Repeated<T>& out, T, i64 n) {
  out.end = n;
  out.done = true;
}

KERNEL_OF(Pmerge, .call = "pmerge({out}, {state}{readers})", .keeps = "int {state} = {}")
template <class O, class... S>
inline void pmerge(O& out, int& turn, Reader<S>&... s) {
  const int k = sizeof...(s);
  for (bool go = true; go && out.room() > 0;) {
    go = false;
    int i = 0;
    ((i++ == turn && s.left() > 0 ? (append(out, *s.s, s.pos++, 1), go = true) : false), ...);
    // The fold visits the operands once: advance past the one that gave its element.
    if (go) turn = (turn + 1) % k;
  }
  bool first_over = false;
  int i = 0;
  ((i++ == 0 ? first_over = s.over() : false), ...);
  out.done = first_over && turn == 0;
}

KERNEL_OF(Segmerge, .call = "{descriptors}segmerge({out}, f, {state}{elements})", .keeps = "Copying {state} = {}")
template <class O, class... S>
inline void segmerge(O& out, const AnyDescriptor* f, Copying& c, Reader<S>&... s) {
  const int k = sizeof...(s);
  for (;;) {
    if (c.pending > 0) {
      i64 moved = 0;
      int i = 0;
      ((i++ == c.turn ? (moved = lesser(c.pending, lesser(s.left(), out.room())),
                         moved > 0 ? (append(out, *s.s, s.pos, moved), s.pos += moved, 0) : 0)
                      : 0),
       ...);
      if (moved <= 0) break;
      c.pending -= moved;
    } else if (c.last) {
      c.last = false;
      c.turn = (c.turn + 1) % k;
    } else if (!take_any(f[c.turn], never / 2, c.pending, c.last)) {
      break;
    }
  }
  out.done = f[0].f->over() && c.turn == 0 && c.pending == 0 && !c.last;
}

// The elements of s with an `a` at the end of each segment of f.
KERNEL_OF(Ended, .call = "ended({out}, {0}, {1}, {atom})", .never_of_bits = true)
template <class T>
inline void ended(Stream<T>& out, BitReader& f, Reader<Stream<T>>& s, T a) {
  {
    BitsIn segments(f);
    T* to = out.tail();
    const T* from = s.s->at(s.pos);
    i64 left = s.left(), room = out.room();
    for (;;) {
      i64 n = lesser(lesser(64, segments.left()), room);
      if (n <= 0) break;
      u64 flags = segments.word() & low_bits(n);
      if (n - count_ones(flags) > left) {
        n = place_of_one(~flags, left);
        if (n == 0) break;
        flags &= low_bits(n);
      }
      left -= n - count_ones(flags);
      room -= n;
      i64 at = 0;
      for (; flags; flags &= flags - 1) {
        const i64 run = trailing(flags) - at;
        copy_run(to, from, run);
        to += run;
        from += run;
        *to++ = a;
        at += run + 1;
      }
      copy_run(to, from, n - at);
      to += n - at;
      from += n - at;
      segments.pos += n;
    }
    out.end = out.base + (to - out.data);
    s.pos = s.s->base + (from - s.s->data);
  }
  out.done = f.over();
}

KERNEL_OF(Range, .call = "range({out}, {0})")
inline void range(Stream<i64>& out, Reader<Stream<i64>>& n) {
  if (n.left() <= 0) {
    if (n.over() && n.pos == 0) out.done = true;  // no number at all: no element
    return;
  }
  const i64 now = lesser(n.here() - out.end, out.room());
  if (now > 0) {
    i64* const to = out.tail();
    const i64 from = out.end;
    for (i64 k = 0; k < now; ++k) to[k] = from + k;
    out.end += now;
  }
  out.done = out.end >= n.here();
}

}  // namespace
}  // namespace lockstep_engine
