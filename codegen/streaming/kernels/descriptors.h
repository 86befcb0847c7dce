// Descriptors made of flags and of other descriptors, 64 flags at a time.
#pragma once
#include "codegen/streaming/kernels/segments.h"

namespace lockstep_engine {
namespace {

// The short form of usegsum f (b2u b) where b holds at the end of each segment of f, so that none is empty.
KERNEL_OF(EndsAmong, .call = "ends_among({out}, {0}, {1})")
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
KERNEL_OF(Short, .call = "short_form({out}, {0})", .of_short = "copy_flags({out}, {0})")
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
KERNEL_OF(LastFlag, .call = "last_flag({out}, {0})")
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
KERNEL_OF(TerminatedCount, .call = "terminated_count({out}, {0})")
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
KERNEL_OF(AllOf, .call = "all_of<{short 0}>({out}, {0})")
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

KERNEL_OF(Ends, .call = "ends({out}, {0})")
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
KERNEL_OF(B2u, .call = "b2u({out}, {0})")
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
KERNEL_OF(UsegsumB2u, .call = "usegsum_b2u<{short 0}>({out}, {0}, {1})")
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

}  // namespace
}  // namespace lockstep_engine
