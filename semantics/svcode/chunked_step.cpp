// How each transducer steps: it consumes as early and emits as early as it can, at most one element at a step, so that
// buffers of one element serve.
#include <utility>

#include "semantics/core/table.h"
#include "semantics/svcode/chunked_network.h"
#include "semantics/svcode/instruction.h"

namespace lockstep::svcode {

bool Transducer::ended(std::size_t k) const {
  const Port& p = in[k];
  return p.buffer->closed() && p.buffer->cursor(p.cursor) >= p.buffer->end();
}

std::optional<Step> Transducer::lacks(std::size_t k) {
  const Port& p = in[k];
  if (p.buffer->cursor(p.cursor) < p.buffer->end()) return std::nullopt;
  if (p.buffer->closed()) return Step::Finished;
  return wait_for(k);
}

std::optional<Step> Transducer::lacks_any() {
  for (std::size_t k = 0; k < in.size(); ++k)
    if (ended(k)) return Step::Finished;
  for (std::size_t k = 0; k < in.size(); ++k)
    if (const auto no = lacks(k)) return no;
  return std::nullopt;
}

std::optional<Step> Transducer::full() {
  if (out->has_room()) return std::nullopt;
  waits_for.reset();
  return Step::Waits;
}

Atom Transducer::front(std::size_t k) const {
  const Port& p = in[k];
  return p.is_short ? snesl::bool_atom(p.end_is_next) : p.buffer->at(p.buffer->cursor(p.cursor));
}

Atom Transducer::take(std::size_t k) {
  Port& p = in[k];
  const Atom a = front(k);
  if (p.is_short) {
    const bool end = p.buffer->at(p.buffer->cursor(p.cursor)).integer != 0;
    p.end_is_next = end && !p.end_is_next;
    if (p.end_is_next) return a;
  }
  ++p.read;
  p.buffer->move(p.cursor, p.buffer->cursor(p.cursor) + 1);
  return a;
}

Step Transducer::emit(const Atom& a) {
  ++produced;
  out->push(a);
  return Step::Fired;
}

void Transducer::keep(const Atom& a) {
  holding_ = true;
  held_ = a;
  around.space.add(1);
}

Atom Transducer::release() {
  holding_ = false;
  around.space.add(-1);
  return held_;
}

void Transducer::fault(std::string_view what) {
  if (!around.fault.empty()) return;
  around.fault = "s" + std::to_string(instr.id) + " := " + mnemonic_of(instr) + ": " + std::string(what);
}

void Transducer::finish() {
  done = true;
  out->close();
  for (const Port& p : in) p.buffer->detach(p.cursor);
  if (holding_) release();
  if (reduction_ || scan_) around.space.add(-1);
}

Step Transducer::counted(std::int64_t n, const Atom& a) {
  if (produced >= n) return Step::Finished;
  if (const auto no = full()) return *no;
  return emit(a);
}

Step Transducer::map() {
  if (const auto no = lacks_any()) return *no;
  if (const auto no = full()) return *no;
  std::vector<Atom> operands;
  for (std::size_t k = 0; k < in.size(); ++k) operands.push_back(take(k));
  return emit(snesl::apply(instr.op, operands, instr.region));
}

Step Transducer::pdist() {
  if (const auto no = lacks(1)) return *no;
  if (!holding_) {
    if (const auto no = lacks(0)) return *no;
    keep(take(0));
  }
  if (flag(1)) return release(), took(1);
  if (const auto no = full()) return *no;
  take(1);
  return emit(held_);
}

Step Transducer::pack() {
  if (const auto no = lacks_any()) return *no;
  if (!flag(1)) return take(0), took(1);
  if (const auto no = full()) return *no;
  take(1);
  return emit(take(0));
}

Step Transducer::upack() {
  if (!holding_) {
    if (const auto no = lacks(1)) return *no;
    return keep(take(1)), Step::Fired;
  }
  if (const auto no = lacks(0)) return *no;
  const bool chosen = held_.integer != 0;
  if (chosen)
    if (const auto no = full()) return *no;
  const Atom f = take(0);
  if (f.integer != 0) release();
  return chosen ? emit(f) : Step::Fired;
}

// b2u and ends: one flag at once, and for a true one a T as soon as there is room.
Step Transducer::flags_of_flag(bool of_true, bool of_false) {
  if (holding_) {
    if (const auto no = full()) return *no;
    return release(), emit_flag(true);
  }
  if (const auto no = lacks(0)) return *no;
  if (const auto no = full()) return *no;
  const Atom b = take(0);
  if (b.integer != 0) keep(b);
  return emit_flag(b.integer != 0 ? of_true : of_false);
}

Step Transducer::unpack() {
  if (const auto no = lacks(0)) return *no;
  const std::size_t chosen = flag(0) ? 1 : 2;
  if (const auto no = lacks(chosen)) return *no;
  if (const auto no = full()) return *no;
  take(0);
  return emit(take(chosen));
}

Step Transducer::to_flags() {
  if (!inside_) {
    if (const auto no = lacks(0)) return *no;
    count_ = take(0).integer;
    if (count_ < 0) fault("a negative length");
    inside_ = true;
    return Step::Fired;
  }
  if (const auto no = full()) return *no;
  inside_ = count_ > 0;
  --count_;
  return emit_flag(!inside_);
}

Step Transducer::lens() {
  if (const auto no = lacks(0)) return *no;
  if (!flag(0)) return ++count_, took(0);
  if (const auto no = full()) return *no;
  take(0);
  return emit(snesl::int_atom(std::exchange(count_, 0)));
}

// An element's flag is known at the flag after it.
Step Transducer::short_form() {
  if (const auto no = lacks(0)) return *no;
  if (!holding_) {
    const Atom f = take(0);
    if (f.integer == 0) keep(f);
    return Step::Fired;
  }
  if (const auto no = full()) return *no;
  const Atom f = take(0);
  if (f.integer != 0) release();
  return emit(f);
}

Step Transducer::cons() {
  if (const auto no = lacks(0)) return *no;
  if (const auto no = full()) return *no;
  if (!holding_) keep(instr.atom);
  const Atom before = release();
  keep(take(0));
  return emit(before);
}

Step Transducer::segscan() {
  if (const auto no = lacks_any()) return *no;
  if (const auto no = full()) return *no;
  if (!scan_) scan_.emplace(instr.monoid, instr.type), around.space.add(1);
  const Atom before = scan_->value();
  scan_->add(take(0));
  if (take(1).integer != 0) scan_.reset(), around.space.add(-1);
  return emit(before);
}

Step Transducer::segreduce() {
  if (const auto no = lacks(1)) return *no;
  if (!flag(1)) {
    if (const auto no = lacks(0)) return *no;
    if (!reduction_) reduction_.emplace(instr.monoid, instr.type), around.space.add(1);
    reduction_->add(take(0));
    return took(1);
  }
  if (const auto no = full()) return *no;
  take(1);
  if (!reduction_) return emit(snesl::identity_of(instr.monoid, instr.type));
  const Atom value = reduction_->value();
  reduction_.reset(), around.space.add(-1);
  return emit(value);
}

Step Transducer::check() {
  if (const auto no = lacks_any()) return *no;
  if (const auto no = full()) return *no;
  const bool passed = take(0).integer != 0;
  std::vector<Atom> values;
  for (std::size_t k = 1; k < in.size(); ++k) values.push_back(take(k));
  if (!passed) throw TrapSignal{trap_of(instr, values)};
  return emit(snesl::unit_atom());
}

Step Transducer::range() {
  if (!inside_) {
    if (const auto no = lacks(0)) return *no;
    const std::int64_t n = take(0).integer;
    if (n < 0) fault("a negative length");
    inside_ = n > 0;
    turn_ = inside_ ? static_cast<std::size_t>(n) : 0;
    return Step::Fired;
  }
  if (const auto no = full()) return *no;
  const std::int64_t value = count_++;
  inside_ = count_ < static_cast<std::int64_t>(turn_);
  return emit(snesl::int_atom(value));
}

Step Transducer::terminated() {
  if (inside_) return Step::Finished;
  const auto no = lacks(0);
  if (no == Step::Waits) return *no;
  if (const auto room = full()) return *room;
  if (no) return inside_ = true, emit_flag(true);
  take(0);
  return emit_flag(false);
}

Step Transducer::reduce() {
  if (produced > 0) return Step::Finished;
  const auto no = lacks(0);
  if (no == Step::Waits) return *no;
  if (!reduction_) reduction_.emplace(instr.monoid, instr.type), around.space.add(1);
  if (!no) return reduction_->add(take(0)), Step::Fired;
  if (const auto room = full()) return *room;
  return emit(reduction_->value());
}

Step Transducer::scan() {
  if (const auto no = lacks(0)) return *no;
  if (const auto no = full()) return *no;
  if (!scan_) scan_.emplace(instr.monoid, instr.type), around.space.add(1);
  const Atom before = scan_->value();
  scan_->add(take(0));
  return emit(before);
}

// ------------------------------------------------------------------------------------------------- by opcode
Step Transducer::ctrl() { return counted(1, snesl::unit_atom()); }
Step Transducer::given() {
  if (produced >= static_cast<std::int64_t>(input->size())) return Step::Finished;
  return counted(produced + 1, (*input)[static_cast<std::size_t>(produced)]);
}
Step Transducer::rep() {
  if (const auto no = lacks(0)) return *no;
  if (const auto no = full()) return *no;
  return take(0), emit(instr.atom);
}
Step Transducer::constant() { return counted(instr.number, instr.atom); }
Step Transducer::usum() {
  if (const auto no = lacks(0)) return *no;
  if (flag(0)) return took(0);
  if (const auto no = full()) return *no;
  return take(0), emit(snesl::unit_atom());
}
Step Transducer::b2u() { return flags_of_flag(false, true); }
Step Transducer::ends() { return flags_of_flag(false, false); }
Step Transducer::read_files() { return read_file(true); }
Step Transducer::read_whole() { return read_file(false); }

Step Transducer::step() {
  static constexpr auto steps =
      table<Opcode, Step (Transducer::*)()>({{Opcode::Ctrl, &Transducer::ctrl},
                                             {Opcode::Input, &Transducer::given},
                                             {Opcode::Rep, &Transducer::rep},
                                             {Opcode::Constant, &Transducer::constant},
                                             {Opcode::Map, &Transducer::map},
                                             {Opcode::Usum, &Transducer::usum},
                                             {Opcode::Pdist, &Transducer::pdist},
                                             {Opcode::Pack, &Transducer::pack},
                                             {Opcode::Upack, &Transducer::upack},
                                             {Opcode::B2u, &Transducer::b2u},
                                             {Opcode::Unpack, &Transducer::unpack},
                                             {Opcode::ToFlags, &Transducer::to_flags},
                                             {Opcode::Lens, &Transducer::lens},
                                             {Opcode::Short, &Transducer::short_form},
                                             {Opcode::Ends, &Transducer::ends},
                                             {Opcode::Cons, &Transducer::cons},
                                             {Opcode::Segscan, &Transducer::segscan},
                                             {Opcode::Segreduce, &Transducer::segreduce},
                                             {Opcode::Iotas, &Transducer::iotas},
                                             {Opcode::Usegsum, &Transducer::usegsum},
                                             {Opcode::Uempty, &Transducer::uempty},
                                             {Opcode::Pmerge, &Transducer::pmerge},
                                             {Opcode::Umerge, &Transducer::umerge},
                                             {Opcode::Uappend, &Transducer::uappend},
                                             {Opcode::Segmerge, &Transducer::segmerge},
                                             {Opcode::Usegmerge, &Transducer::usegmerge},
                                             {Opcode::Segtab, &Transducer::segtab},
                                             {Opcode::Gather, &Transducer::gather},
                                             {Opcode::Check, &Transducer::check},
                                             {Opcode::ReadFile, &Transducer::read_files},
                                             {Opcode::WriteFile, &Transducer::write_file},
                                             {Opcode::Range, &Transducer::range},
                                             {Opcode::Terminated, &Transducer::terminated},
                                             {Opcode::Reduce, &Transducer::reduce},
                                             {Opcode::Scan, &Transducer::scan},
                                             {Opcode::ReadWhole, &Transducer::read_whole},
                                             {Opcode::UsegsumB2u, &Transducer::usegsum_b2u},
                                             {Opcode::EndsAmong, &Transducer::ends_among},
                                             {Opcode::Segcount, &Transducer::segcount},
                                             {Opcode::CountTrue, &Transducer::count_true},
                                             {Opcode::CountCompare, &Transducer::count_compare},
                                             {Opcode::LastFlag, &Transducer::last_flag},
                                             {Opcode::TerminatedCount, &Transducer::terminated_count},
                                             {Opcode::Ended, &Transducer::ended},
                                             {Opcode::AllOf, &Transducer::all_of}});
  return (this->*steps[instr.opcode])();
}

}  // namespace lockstep::svcode
