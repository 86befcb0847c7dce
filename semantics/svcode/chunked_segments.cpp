// Steps of the transducers over unary numbers and over several segmented streams: they read only the input whose turn
// it is.
#include <utility>

#include "semantics/svcode/chunked_network.h"

namespace lockstep::svcode::chunked {

Step iotas(Transducer& t) {
  if (const auto no = t.lacks(0)) return *no;
  if (t.flag(0)) return t.count = 0, t.took(0);
  if (const auto no = t.full()) return *no;
  t.take(0);
  return t.emit(snesl::int_atom(t.count++));
}

Step usegsum(Transducer& t) {
  if (!t.inside) {
    if (const auto no = t.lacks(0)) return *no;
    if (!t.flag(0)) return t.inside = true, t.took(0);
    if (const auto no = t.full()) return *no;
    return t.emit(t.take(0));
  }
  if (const auto no = t.lacks(1)) return *no;
  if (t.flag(1)) return t.inside = false, t.took(1);
  if (const auto no = t.full()) return *no;
  return t.emit(t.take(1));
}

Step uempty(Transducer& t) {
  if (const auto no = t.lacks(0)) return *no;
  if (t.inside) return t.inside = !t.flag(0), t.took(0);
  if (const auto no = t.full()) return *no;
  const bool empty = t.take(0).integer != 0;
  t.inside = !empty;
  return t.emit_flag(empty);
}

Step pmerge(Transducer& t) {
  if (const auto no = t.lacks(t.turn)) return *no;
  if (const auto no = t.full()) return *no;
  return t.emit(t.take(std::exchange(t.turn, (t.turn + 1) % t.in.size())));
}

Step umerge(Transducer& t) {
  if (const auto no = t.lacks(t.turn)) return *no;
  if (const auto no = t.full()) return *no;
  const Atom f = t.take(t.turn);
  if (f.integer != 0) t.turn = (t.turn + 1) % t.in.size();
  return t.emit(f);
}

Step uappend(Transducer& t) {
  if (const auto no = t.lacks(t.turn)) return *no;
  if (t.flag(t.turn) && t.turn + 1 < t.in.size()) return t.took(t.turn++);
  if (const auto no = t.full()) return *no;
  const Atom f = t.take(t.turn);
  if (f.integer != 0) t.turn = 0;
  return t.emit(f);
}

Step segmerge(Transducer& t) {
  if (const auto no = t.lacks(2 * t.turn)) return *no;
  if (t.flag(2 * t.turn)) return t.took(2 * std::exchange(t.turn, (t.turn + 1) % (t.in.size() / 2)));
  if (const auto no = t.lacks(2 * t.turn + 1)) return *no;
  if (const auto no = t.full()) return *no;
  t.take(2 * t.turn);
  return t.emit(t.take(2 * t.turn + 1));
}

Step usegmerge(Transducer& t) {
  if (!t.inside) {
    if (const auto no = t.lacks(2 * t.turn)) return *no;
    if (t.flag(2 * t.turn)) return t.took(2 * std::exchange(t.turn, (t.turn + 1) % (t.in.size() / 2)));
    return t.inside = true, t.took(2 * t.turn);
  }
  if (const auto no = t.lacks(2 * t.turn + 1)) return *no;
  if (const auto no = t.full()) return *no;
  const Atom f = t.take(2 * t.turn + 1);
  t.inside = f.integer == 0;
  return t.emit(f);
}

}  // namespace lockstep::svcode::chunked
