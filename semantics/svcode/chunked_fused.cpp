// Steps of the transducers that networks have beside those of SVCODE.
#include <utility>

#include "semantics/svcode/chunked_network.h"

namespace lockstep::svcode {

Step Transducer::usegsum_b2u() {
  if (const auto no = lacks(0)) return *no;
  if (flag(0)) {
    if (const auto no = full()) return *no;
    return emit(take(0));
  }
  if (const auto no = lacks(1)) return *no;
  if (flag(1))
    if (const auto no = full()) return *no;
  take(0);
  return take(1).integer != 0 ? emit_flag(false) : Step::Fired;
}

// A piece's flag is known at the flag after its last element.
Step Transducer::ends_among() {
  if (const auto no = lacks(0)) return *no;
  if (holding_) {
    if (const auto no = full()) return *no;
    release();
    return emit_flag(flag(0));
  }
  if (flag(0)) return took(0);
  if (const auto no = lacks(1)) return *no;
  take(0);
  if (const Atom b = take(1); b.integer != 0) keep(b);
  return Step::Fired;
}

Step Transducer::segcount() {
  if (const auto no = lacks(1)) return *no;
  if (!flag(1)) {
    if (const auto no = lacks(0)) return *no;
    count_ += take(0).integer != 0;
    return took(1);
  }
  if (const auto no = full()) return *no;
  take(1);
  return emit(snesl::int_atom(std::exchange(count_, 0)));
}

Step Transducer::count_true() {
  if (produced > 0) return Step::Finished;
  const auto no = lacks(0);
  if (no == Step::Waits) return *no;
  if (!no) return count_ += take(0).integer != 0, Step::Fired;
  if (const auto room = full()) return *room;
  return emit(snesl::int_atom(count_));
}

Step Transducer::count_compare() {
  for (const std::size_t k : {0, 1, 2})
    if (const auto no = lacks(k)) return *no;
  if (const auto no = full()) return *no;
  const Atom count = snesl::int_atom(count_), number = front(2);
  count_ += take(0).integer != 0;
  if (take(1).integer != 0) take(2), count_ = 0;
  const Atom operands[] = {instr.number == 1 ? number : count, instr.number == 1 ? count : number};
  return emit(snesl::apply(instr.op, operands, instr.region));
}

Step Transducer::last_flag() {
  const auto no = lacks(0);
  if (no == Step::Waits || (no && !holding_)) return *no;
  if (!holding_) return keep(take(0)), Step::Fired;
  if (const auto room = full()) return *room;
  if (no) return release(), emit_flag(true);
  take(0);
  return emit_flag(false);
}

Step Transducer::terminated_count() {
  if (inside_) return Step::Finished;
  const auto no = lacks(0);
  if (no == Step::Waits) return *no;
  if (!no && !flag(0)) return took(0);
  if (const auto room = full()) return *room;
  if (no) return inside_ = true, emit_flag(true);
  take(0);
  return emit_flag(false);
}

Step Transducer::ended() {
  if (const auto no = lacks(0)) return *no;
  if (!flag(0))
    if (const auto no = lacks(1)) return *no;
  if (const auto no = full()) return *no;
  return take(0).integer != 0 ? emit(instr.atom) : emit(take(1));
}

Step Transducer::all_of() {
  if (inside_) return Step::Finished;
  const auto no = lacks(0);
  if (no == Step::Waits) return *no;
  if (!no && flag(0)) return took(0);
  if (const auto room = full()) return *room;
  if (no) return inside_ = true, emit_flag(true);
  take(0);
  return emit_flag(false);
}

}  // namespace lockstep::svcode
