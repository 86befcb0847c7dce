// Steps of the transducers that networks have beside those of SVCODE.
#include <utility>

#include "semantics/svcode/chunked_network.h"

namespace lockstep::svcode::chunked {

Step usegsum_b2u(Transducer& t) {
  if (const auto no = t.lacks(0)) return *no;
  if (t.flag(0)) {
    if (const auto no = t.full()) return *no;
    return t.emit(t.take(0));
  }
  if (const auto no = t.lacks(1)) return *no;
  if (t.flag(1))
    if (const auto no = t.full()) return *no;
  t.take(0);
  return t.take(1).integer != 0 ? t.emit_flag(false) : Step::Fired;
}

// A piece's flag is known at the flag after its last element.
Step ends_among(Transducer& t) {
  if (const auto no = t.lacks(0)) return *no;
  if (t.holding) {
    if (const auto no = t.full()) return *no;
    t.release();
    return t.emit_flag(t.flag(0));
  }
  if (t.flag(0)) return t.took(0);
  if (const auto no = t.lacks(1)) return *no;
  t.take(0);
  if (const Atom b = t.take(1); b.integer != 0) t.keep(b);
  return Step::Fired;
}

Step segcount(Transducer& t) {
  if (const auto no = t.lacks(1)) return *no;
  if (!t.flag(1)) {
    if (const auto no = t.lacks(0)) return *no;
    t.count += t.take(0).integer != 0;
    return t.took(1);
  }
  if (const auto no = t.full()) return *no;
  t.take(1);
  return t.emit(snesl::int_atom(std::exchange(t.count, 0)));
}

Step count_true(Transducer& t) {
  if (t.produced > 0) return Step::Finished;
  const auto no = t.lacks(0);
  if (no == Step::Waits) return *no;
  if (!no) return t.count += t.take(0).integer != 0, Step::Fired;
  if (const auto room = t.full()) return *room;
  return t.emit(snesl::int_atom(t.count));
}

Step count_compare(Transducer& t) {
  for (const std::size_t k : {0U, 1U, 2U})
    if (const auto no = t.lacks(k)) return *no;
  if (const auto no = t.full()) return *no;
  const Atom count = snesl::int_atom(t.count), number = t.front(2);
  t.count += t.take(0).integer != 0;
  if (t.take(1).integer != 0) t.take(2), t.count = 0;
  const Atom operands[] = {t.instr.number() == 1 ? number : count, t.instr.number() == 1 ? count : number};
  return t.emit(snesl::apply(t.instr.op(), operands, t.instr.region));
}

Step last_flag(Transducer& t) {
  const auto no = t.lacks(0);
  if (no == Step::Waits || (no && !t.holding)) return *no;
  if (!t.holding) return t.keep(t.take(0)), Step::Fired;
  if (const auto room = t.full()) return *room;
  if (no) return t.release(), t.emit_flag(true);
  t.take(0);
  return t.emit_flag(false);
}

Step terminated_count(Transducer& t) {
  if (t.inside) return Step::Finished;
  const auto no = t.lacks(0);
  if (no == Step::Waits) return *no;
  if (!no && !t.flag(0)) return t.took(0);
  if (const auto room = t.full()) return *room;
  if (no) return t.inside = true, t.emit_flag(true);
  t.take(0);
  return t.emit_flag(false);
}

Step ended(Transducer& t) {
  if (const auto no = t.lacks(0)) return *no;
  if (!t.flag(0))
    if (const auto no = t.lacks(1)) return *no;
  if (const auto no = t.full()) return *no;
  return t.take(0).integer != 0 ? t.emit(t.instr.atom()) : t.emit(t.take(1));
}

Step all_of(Transducer& t) {
  if (t.inside) return Step::Finished;
  const auto no = t.lacks(0);
  if (no == Step::Waits) return *no;
  if (!no && t.flag(0)) return t.took(0);
  if (const auto room = t.full()) return *room;
  if (no) return t.inside = true, t.emit_flag(true);
  t.take(0);
  return t.emit_flag(false);
}

}  // namespace lockstep::svcode::chunked
