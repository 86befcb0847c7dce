// Steps of the transducers over unary numbers and over several segmented streams: they read only the input whose turn
// it is.
#include <utility>

#include "semantics/svcode/chunked_network.h"

namespace lockstep::svcode {

Step Transducer::iotas() {
  if (const auto no = lacks(0)) return *no;
  if (flag(0)) return count_ = 0, took(0);
  if (const auto no = full()) return *no;
  take(0);
  return emit(snesl::int_atom(count_++));
}

Step Transducer::usegsum() {
  if (!inside_) {
    if (const auto no = lacks(0)) return *no;
    if (!flag(0)) return inside_ = true, took(0);
    if (const auto no = full()) return *no;
    return emit(take(0));
  }
  if (const auto no = lacks(1)) return *no;
  if (flag(1)) return inside_ = false, took(1);
  if (const auto no = full()) return *no;
  return emit(take(1));
}

Step Transducer::uempty() {
  if (const auto no = lacks(0)) return *no;
  if (inside_) return inside_ = !flag(0), took(0);
  if (const auto no = full()) return *no;
  const bool empty = take(0).integer != 0;
  inside_ = !empty;
  return emit_flag(empty);
}

Step Transducer::pmerge() {
  if (const auto no = lacks(turn_)) return *no;
  if (const auto no = full()) return *no;
  return emit(take(std::exchange(turn_, (turn_ + 1) % in.size())));
}

Step Transducer::umerge() {
  if (const auto no = lacks(turn_)) return *no;
  if (const auto no = full()) return *no;
  const Atom f = take(turn_);
  if (f.integer != 0) turn_ = (turn_ + 1) % in.size();
  return emit(f);
}

Step Transducer::uappend() {
  if (const auto no = lacks(turn_)) return *no;
  if (flag(turn_) && turn_ + 1 < in.size()) return took(turn_++);
  if (const auto no = full()) return *no;
  const Atom f = take(turn_);
  if (f.integer != 0) turn_ = 0;
  return emit(f);
}

Step Transducer::segmerge() {
  if (const auto no = lacks(2 * turn_)) return *no;
  if (flag(2 * turn_)) return took(2 * std::exchange(turn_, (turn_ + 1) % (in.size() / 2)));
  if (const auto no = lacks(2 * turn_ + 1)) return *no;
  if (const auto no = full()) return *no;
  take(2 * turn_);
  return emit(take(2 * turn_ + 1));
}

Step Transducer::usegmerge() {
  if (!inside_) {
    if (const auto no = lacks(2 * turn_)) return *no;
    if (flag(2 * turn_)) return took(2 * std::exchange(turn_, (turn_ + 1) % (in.size() / 2)));
    return inside_ = true, took(2 * turn_);
  }
  if (const auto no = lacks(2 * turn_ + 1)) return *no;
  if (const auto no = full()) return *no;
  const Atom f = take(2 * turn_ + 1);
  inside_ = f.integer == 0;
  return emit(f);
}

}  // namespace lockstep::svcode
