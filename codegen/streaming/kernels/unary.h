// Descriptors that copy unary numbers, of one or of several in turn.
#pragma once
#include "codegen/streaming/kernels/descriptors.h"

namespace lockstep_engine {
namespace {

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

KERNEL_OF(Upack, .call = "upack<{short 0}>({out}, {0}, {1})")
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

KERNEL_OF(Usegsum, .call = "usegsum<{short 0}, {short 1}>({out}, {0}, {1}, {state})", .keeps = "Copying {state} = {}")
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
KERNEL_OF(Uempty, .call = "uempty<{short 0}>({out}, {0}, {state})", .keeps = "Copying {state} = {}")
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

KERNEL_OF(Umerge, .call = "{descriptors}umerge({out}, f, {count}, {state})", .keeps = "Copying {state} = {}")
inline void umerge(Stream<Bit>& out, const AnyDescriptor* f, int k, Copying& c) {
  bool moved;
  for (;;) {
    const bool ended = copy_any(out, f[c.turn], true, moved);
    if (!moved) break;
    if (ended) c.turn = (c.turn + 1) % k;
  }
  out.done = f[0].f->over() && c.turn == 0;
}

KERNEL_OF(Uappend, .call = "{descriptors}uappend({out}, f, {count}, {state})", .keeps = "Copying {state} = {}")
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
KERNEL_OF(Usegmerge, .call = "{descriptors}usegmerge({out}, f, {count}, {state})", .keeps = "Copying {state} = {}")
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

KERNEL_OF(ToFlags, .call = "to_flags({out}, {0}, {state})", .keeps = "Copying {state} = {}")
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

KERNEL_OF(Terminated, .call = "terminated({out}, {0})")
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
