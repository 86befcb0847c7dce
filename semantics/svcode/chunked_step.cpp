// How each transducer steps: it consumes as early and emits as early as it can, at most one element at a step, so that
// buffers of one element serve.
#include <utility>

#include "semantics/svcode/chunked_network.h"
#include "semantics/svcode/instruction.h"

namespace lockstep::svcode::chunked {

Step ctrl(Transducer& t) { return t.counted(1, snesl::unit_atom()); }
Step input(Transducer& t) {
  if (t.produced >= static_cast<std::int64_t>(t.input->size())) return Step::Finished;
  return t.counted(t.produced + 1, (*t.input)[static_cast<std::size_t>(t.produced)]);
}
Step rep(Transducer& t) {
  if (const auto no = t.lacks(0)) return *no;
  if (const auto no = t.full()) return *no;
  return t.take(0), t.emit(t.instr.atom());
}
Step constant(Transducer& t) { return t.counted(t.instr.number(), t.instr.atom()); }
Step usum(Transducer& t) {
  if (const auto no = t.lacks(0)) return *no;
  if (t.flag(0)) return t.took(0);
  if (const auto no = t.full()) return *no;
  return t.take(0), t.emit(snesl::unit_atom());
}

Step map(Transducer& t) {
  if (const auto no = t.lacks_any()) return *no;
  if (const auto no = t.full()) return *no;
  std::vector<Atom> operands;
  for (std::size_t k = 0; k < t.in.size(); ++k) operands.push_back(t.take(k));
  return t.emit(snesl::apply(t.instr.op(), operands, t.instr.region));
}

Step pdist(Transducer& t) {
  if (const auto no = t.lacks(1)) return *no;
  if (!t.holding) {
    if (const auto no = t.lacks(0)) return *no;
    t.keep(t.take(0));
  }
  if (t.flag(1)) return t.release(), t.took(1);
  if (const auto no = t.full()) return *no;
  t.take(1);
  return t.emit(t.held);
}

Step pack(Transducer& t) {
  if (const auto no = t.lacks_any()) return *no;
  if (!t.flag(1)) return t.take(0), t.took(1);
  if (const auto no = t.full()) return *no;
  t.take(1);
  return t.emit(t.take(0));
}

Step upack(Transducer& t) {
  if (!t.holding) {
    if (const auto no = t.lacks(1)) return *no;
    return t.keep(t.take(1)), Step::Fired;
  }
  if (const auto no = t.lacks(0)) return *no;
  const bool chosen = t.held.integer != 0;
  if (chosen)
    if (const auto no = t.full()) return *no;
  const Atom f = t.take(0);
  if (f.integer != 0) t.release();
  return chosen ? t.emit(f) : Step::Fired;
}

// b2u and ends: one flag at once, and for a true one a T as soon as there is room.
static Step flags_of_flag(Transducer& t, bool of_true, bool of_false) {
  if (t.holding) {
    if (const auto no = t.full()) return *no;
    return t.release(), t.emit_flag(true);
  }
  if (const auto no = t.lacks(0)) return *no;
  if (const auto no = t.full()) return *no;
  const Atom b = t.take(0);
  if (b.integer != 0) t.keep(b);
  return t.emit_flag(b.integer != 0 ? of_true : of_false);
}
Step b2u(Transducer& t) { return flags_of_flag(t, false, true); }
Step ends(Transducer& t) { return flags_of_flag(t, false, false); }

Step unpack(Transducer& t) {
  if (const auto no = t.lacks(0)) return *no;
  const std::size_t chosen = t.flag(0) ? 1 : 2;
  if (const auto no = t.lacks(chosen)) return *no;
  if (const auto no = t.full()) return *no;
  t.take(0);
  return t.emit(t.take(chosen));
}

Step to_flags(Transducer& t) {
  if (!t.inside) {
    if (const auto no = t.lacks(0)) return *no;
    t.count = t.take(0).integer;
    if (t.count < 0) t.fault("a negative length");
    t.inside = true;
    return Step::Fired;
  }
  if (const auto no = t.full()) return *no;
  t.inside = t.count > 0;
  --t.count;
  return t.emit_flag(!t.inside);
}

Step lens(Transducer& t) {
  if (const auto no = t.lacks(0)) return *no;
  if (!t.flag(0)) return ++t.count, t.took(0);
  if (const auto no = t.full()) return *no;
  t.take(0);
  return t.emit(snesl::int_atom(std::exchange(t.count, 0)));
}

// An element's flag is known at the flag after it.
Step short_form(Transducer& t) {
  if (const auto no = t.lacks(0)) return *no;
  if (!t.holding) {
    const Atom f = t.take(0);
    if (f.integer == 0) t.keep(f);
    return Step::Fired;
  }
  if (const auto no = t.full()) return *no;
  const Atom f = t.take(0);
  if (f.integer != 0) t.release();
  return t.emit(f);
}

Step cons(Transducer& t) {
  if (const auto no = t.lacks(0)) return *no;
  if (const auto no = t.full()) return *no;
  if (!t.holding) t.keep(t.instr.atom());
  const Atom before = t.release();
  t.keep(t.take(0));
  return t.emit(before);
}

Step segscan(Transducer& t) {
  if (const auto no = t.lacks_any()) return *no;
  if (const auto no = t.full()) return *no;
  if (!t.scan) t.scan.emplace(t.instr.monoid(), t.instr.type), t.around.space.add(1);
  const Atom before = t.scan->value();
  t.scan->add(t.take(0));
  if (t.take(1).integer != 0) t.scan.reset(), t.around.space.add(-1);
  return t.emit(before);
}

Step segreduce(Transducer& t) {
  if (const auto no = t.lacks(1)) return *no;
  if (!t.flag(1)) {
    if (const auto no = t.lacks(0)) return *no;
    if (!t.reduction) t.reduction.emplace(t.instr.monoid(), t.instr.type), t.around.space.add(1);
    t.reduction->add(t.take(0));
    return t.took(1);
  }
  if (const auto no = t.full()) return *no;
  t.take(1);
  if (!t.reduction) return t.emit(snesl::identity_of(t.instr.monoid(), t.instr.type));
  const Atom value = t.reduction->value();
  t.reduction.reset(), t.around.space.add(-1);
  return t.emit(value);
}

Step check(Transducer& t) {
  if (const auto no = t.lacks_any()) return *no;
  if (const auto no = t.full()) return *no;
  const bool passed = t.take(0).integer != 0;
  std::vector<Atom> values;
  for (std::size_t k = 1; k < t.in.size(); ++k) values.push_back(t.take(k));
  if (!passed) throw TrapSignal{trap_of(t.instr, values)};
  return t.emit(snesl::unit_atom());
}

Step range(Transducer& t) {
  if (!t.inside) {
    if (const auto no = t.lacks(0)) return *no;
    const std::int64_t n = t.take(0).integer;
    if (n < 0) t.fault("a negative length");
    t.inside = n > 0;
    t.turn = t.inside ? static_cast<std::size_t>(n) : 0;
    return Step::Fired;
  }
  if (const auto no = t.full()) return *no;
  const std::int64_t value = t.count++;
  t.inside = t.count < static_cast<std::int64_t>(t.turn);
  return t.emit(snesl::int_atom(value));
}

Step terminated(Transducer& t) {
  if (t.inside) return Step::Finished;
  const auto no = t.lacks(0);
  if (no == Step::Waits) return *no;
  if (const auto room = t.full()) return *room;
  if (no) return t.inside = true, t.emit_flag(true);
  t.take(0);
  return t.emit_flag(false);
}

Step reduce(Transducer& t) {
  if (t.produced > 0) return Step::Finished;
  const auto no = t.lacks(0);
  if (no == Step::Waits) return *no;
  if (!t.reduction) t.reduction.emplace(t.instr.monoid(), t.instr.type), t.around.space.add(1);
  if (!no) return t.reduction->add(t.take(0)), Step::Fired;
  if (const auto room = t.full()) return *room;
  return t.emit(t.reduction->value());
}

Step scan(Transducer& t) {
  if (const auto no = t.lacks(0)) return *no;
  if (const auto no = t.full()) return *no;
  if (!t.scan) t.scan.emplace(t.instr.monoid(), t.instr.type), t.around.space.add(1);
  const Atom before = t.scan->value();
  t.scan->add(t.take(0));
  return t.emit(before);
}

}  // namespace lockstep::svcode::chunked
