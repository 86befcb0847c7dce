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

// The short form of usegsum f (b2u b) where b holds at the end of each segment of f, so that none is empty.
inline void ends_among(Stream<Bit>& out, BitReader& f, BitReader& b) {
  {
    BitsIn segments(f), flagged(b);
    BitsOut to(out);
    for (;;) {
      const i64 n = lesser(lesser(64, to.room()), lesser(segments.left(), flagged.left()));
      if (n <= 0) break;
      const u64 flags = flagged.word() & low_bits(n);
      to.put(extract_bits(segments.word(), flags), count_ones(flags));
      segments.pos += n;
      flagged.pos += n;
    }
  }
  out.done = f.over();
}

// The last F is kept until its segment is known to go on.
inline void short_form(Stream<Bit>& out, BitReader& f) {
  for (;;) {
    const i64 left = f.left();
    const i64 n = lesser(lesser(64, f.s->done ? left : left - 1), out.room());
    if (f.pos == never || n <= 0) break;
    const u64 flags = f.s->word(f.pos);
    u64 next = f.s->word(f.pos + 1);
    if (n == left) next &= low_bits(n - 1);
    const u64 elements = ~flags & low_bits(n);
    out.put(extract_bits(next, elements), count_ones(elements));
    f.pos += n;
  }
  out.done = f.over();
}

// short (terminated s): false but for the last element.
template <class S>
inline void last_flag(Stream<Bit>& out, Reader<S>& s) {
  const i64 n = lesser(s.s->end - 1 - s.pos, out.room());
  if (n > 0) {
    fill(out, false, n);
    s.pos += n;
  }
  if (s.s->done && s.left() == 1 && out.room() > 0) {
    out.push(true);
    ++s.pos;
  }
  out.done = s.over();
}

// usegsum (terminated s) (b2u b): one F for each b that holds, and a T at the end.
inline void terminated_count(Stream<Bit>& out, BitReader& b) {
  {
    BitsIn in(b);
    i64 room = out.room(), all = 0;
    for (;;) {
      i64 n = lesser(64, in.left());
      if (n <= 0) break;
      u64 flags = in.word() & low_bits(n);
      if (count_ones(flags) > room) {
        n = place_of_one(flags, room);
        if (n == 0) break;
        flags &= low_bits(n);
      }
      all += count_ones(flags);
      room -= count_ones(flags);
      in.pos += n;
    }
    fill(out, false, all);
  }
  if (b.over() && out.room() > 0) {
    out.push(true);
    out.done = true;
  }
}

// The elements of all segments of f as one.
template <bool Short>
inline void all_of(Stream<Bit>& out, BitReader& f) {
  if (Short) {
    const i64 n = lesser(f.left(), out.room());
    if (n > 0) fill(out, false, n), f.pos += n;
  } else {
    for (;;) {
      i64 n = lesser(64, f.left());
      const i64 room = out.room();
      if (n > room) n = room;
      if (n <= 0) break;
      out.put(0, elements_of<false>(f.s->word(f.pos), n));
      f.pos += n;
    }
  }
  if (f.over() && out.room() > 0) {
    out.push(true);
    out.done = true;
  }
}

inline void copy_flags(Stream<Bit>& out, BitReader& s) {
  const i64 n = lesser(s.left(), out.room());
  if (n > 0) {
    append(out, *s.s, s.pos, n);
    s.pos += n;
  }
  out.done = s.over();
}

const u64 even = 0x5555555555555555u, odd = 0xAAAAAAAAAAAAAAAAu;

// For each flag the F where `element`, then the T where `end`; two tokens a flag, 32 flags at a time.
inline void put_tokens(BitsOut& out, u64 element, u64 end, i64 n) {
  const u64 kept = deposit_bits(element & low_bits(n), even) | deposit_bits(end & low_bits(n), odd);
  out.put(extract_bits(odd, kept), count_ones(kept));
}

inline void ends(Stream<Bit>& out, BitReader& e) {
  {
    BitsIn in(e);
    BitsOut to(out);
    for (;;) {
      const i64 n = lesser(lesser(32, in.left()), to.room() / 2 + to.empty());  // one flag fits an empty window
      if (n <= 0) break;
      put_tokens(to, ~u64(0), in.word(), n);
      in.pos += n;
    }
  }
  out.done = e.over();
}
inline void b2u(Stream<Bit>& out, BitReader& b) {
  {
    BitsIn in(b);
    BitsOut to(out);
    for (;;) {
      const i64 n = lesser(lesser(32, in.left()), to.room() / 2 + to.empty());
      if (n <= 0) break;
      put_tokens(to, in.word(), ~u64(0), n);
      in.pos += n;
    }
  }
  out.done = b.over();
}

// usegsum f (b2u b): one F for each element of f where b, and f's ends.
template <bool Short>
inline void usegsum_b2u(Stream<Bit>& out, BitReader& f, BitReader& b) {
  {
    BitsIn segments(f), flagged(b);
    BitsOut to(out);
    if (Short) {
      for (;;) {
        const i64 n = lesser(lesser(32, lesser(segments.left(), flagged.left())), to.room() / 2 + to.empty());
        if (n <= 0) break;
        put_tokens(to, flagged.word(), segments.word(), n);
        segments.pos += n;
        flagged.pos += n;
      }
    } else {
      for (;;) {
        i64 n = lesser(lesser(64, segments.left()), to.room());
        if (n <= 0) break;
        u64 flags = segments.word() & low_bits(n);
        i64 elements = elements_of<false>(flags, n);
        if (elements > flagged.left()) {  // up to the first element that b says nothing about yet
          n = place_of_one(~flags, flagged.left());
          if (n == 0) break;
          flags &= low_bits(n);
          elements = flagged.left();
        }
        const u64 kept = flags | deposit_bits(elements ? flagged.word() : 0, ~flags & low_bits(n));
        to.put(extract_bits(flags, kept), count_ones(kept));
        segments.pos += n;
        flagged.pos += elements;
      }
    }
  }
  out.done = f.over();
}

// State of an instruction that copies segments, unary numbers or groups of these.
struct Copying {
  int turn = 0;         // which operand is being copied
  bool inside = false;  // a decision for the current segment has been made
  bool keep = false;
  i64 pending = 0;  // elements of the current run whose numbers have not been copied
  bool last = false;
  i64 open = 0;
};

// Copies one unary number as far as it goes; true when its T was reached. Its T is copied where `with_end`.
template <bool Short>
inline bool copy_number(Stream<Bit>& out, BitReader& f, bool with_end, bool& moved) {
  i64 n;
  bool last;
  moved = false;
  // Room for the T is made sure of first, for the run that holds it cannot be taken in part.
  i64 room = out.room() - with_end;
  if (Short && room == 0 && out.low == out.end) room = 1;
  if (room < 0) return false;
  if (!Short && room == 0) {  // only a T can be copied
    if (f.left() <= 0 || !f.here()) {
      if (f.left() <= 0 || out.room() <= 0) return false;
      ++f.pos;
      out.push(false);
      moved = true;
      return false;
    }
  }
  if (!take_run<Short>(f, room, n, last)) return false;
  moved = true;
  put_number(out, n, last && with_end);
  return last;
}

template <bool Short>
inline void upack(Stream<Bit>& out, BitReader& f, BitReader& b) {
  i64 n;
  bool last, moved;
  while (b.left() > 0) {
    if (b.here()) {
      const bool ended = copy_number<Short>(out, f, true, moved);
      if (!moved) break;
      b.pos += ended;
    } else {
      if (!take_run<Short>(f, never / 2, n, last)) break;
      b.pos += last;
    }
  }
  out.done = b.over();
}

template <bool ShortF, bool ShortG>
inline void usegsum(Stream<Bit>& out, BitReader& f, BitReader& g, Copying& c) {
  bool moved;
  for (;;) {
    if (c.pending > 0) {
      if (copy_number<ShortG>(out, g, false, moved)) --c.pending;
      if (!moved) break;
    } else if (c.last) {
      if (out.room() <= 0) break;
      out.push(true);
      c.last = false;
    } else if (!take_run<ShortF>(f, never / 2, c.pending, c.last)) {
      break;
    }
  }
  out.done = f.over() && c.pending == 0 && !c.last;
}

// Whether each segment is empty, known at its first flag.
template <bool Short>
inline void uempty(Stream<Bit>& out, BitReader& f, Copying& c) {
  while (f.left() > 0) {
    if (Short) {
      if (!c.inside && out.room() <= 0) break;
      if (!c.inside) out.push(false);
      c.inside = !f.here();
      ++f.pos;
    } else {
      const bool t = f.here();
      if (!c.inside) {
        if (out.room() <= 0) break;
        out.push(t);
      }
      c.inside = !t;
      ++f.pos;
    }
  }
  out.done = f.over();
}

// Round robin, one unary number each, with its T.
struct AnyDescriptor {
  BitReader* f;
  bool is_short;
};
inline bool copy_any(Stream<Bit>& out, const AnyDescriptor& d, bool with_end, bool& moved) {
  return d.is_short ? copy_number<true>(out, *d.f, with_end, moved) : copy_number<false>(out, *d.f, with_end, moved);
}
inline bool take_any(const AnyDescriptor& d, i64 limit, i64& n, bool& last) {
  return d.is_short ? take_run<true>(*d.f, limit, n, last) : take_run<false>(*d.f, limit, n, last);
}

inline void umerge(Stream<Bit>& out, const AnyDescriptor* f, int k, Copying& c) {
  bool moved;
  for (;;) {
    const bool ended = copy_any(out, f[c.turn], true, moved);
    if (!moved) break;
    if (ended) c.turn = (c.turn + 1) % k;
  }
  out.done = f[0].f->over() && c.turn == 0;
}

inline void uappend(Stream<Bit>& out, const AnyDescriptor* f, int k, Copying& c) {
  bool moved;
  for (;;) {
    const bool ended = copy_any(out, f[c.turn], c.turn == k - 1, moved);
    if (!moved) break;
    if (ended) c.turn = (c.turn + 1) % k;
  }
  out.done = f[0].f->over() && c.turn == 0;
}

// Round robin, one segment of f's elements each, which are numbers of g.
inline void usegmerge(Stream<Bit>& out, const AnyDescriptor* fg, int k, Copying& c) {
  bool moved;
  for (;;) {
    const AnyDescriptor& f = fg[2 * c.turn];
    if (c.pending > 0) {
      if (copy_any(out, fg[2 * c.turn + 1], true, moved)) --c.pending;
      if (!moved) break;
    } else if (c.last) {
      c.last = false;
      c.turn = (c.turn + 1) % k;
    } else if (!take_any(f, never / 2, c.pending, c.last)) {
      break;
    }
  }
  out.done = fg[0].f->over() && c.turn == 0 && c.pending == 0 && !c.last;
}

inline void to_flags(Stream<Bit>& out, Reader<Stream<i64>>& n, Copying& c) {
  while (n.left() > 0) {
    if (!c.inside) c.open = n.here(), c.inside = true;
    const i64 room = out.room();
    if (c.open < room) {
      put_number(out, greater(c.open, 0), true);
      c.inside = false;
      ++n.pos;
      continue;
    }
    if (room <= 0) break;
    fill(out, false, room);
    c.open -= room;
  }
  out.done = n.over() && !c.inside;
}

template <class S>
inline void terminated(Stream<Bit>& out, Reader<S>& s) {
  const i64 n = lesser(s.left(), out.room());
  if (n > 0) {
    fill(out, false, n);
    s.pos += n;
  }
  if (s.over() && out.room() > 0) {
    out.push(true);
    out.done = true;
  }
}

}  // namespace
}  // namespace lockstep_engine
