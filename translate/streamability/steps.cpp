// The rules for instructions that go element by element, or look ahead. Each is headed by what waits for what.
#include "translate/streamability/rules.h"

#include <algorithm>

#include "translate/streamability/descriptors.h"
#include "translate/streamability/reading.h"

namespace lockstep::streaming::rules {

// Each element waits for those of all arguments.
void elementwise(Analysis& a, const Instr& i, Stream& now) {
  const ClockId c = meeting(a, i.arguments);
  for (const StreamId s : i.arguments) {
    const Stream& x = a.streams[s];
    meet(a, x, c, now.event);
    uses(a, x, now.event);
    carries(a, x, now);
  }
  now.clock = c;
  now.keeps_any_pace =
      std::all_of(i.arguments.begin(), i.arguments.end(), [&](StreamId x) { return a.streams[x].keeps_any_pace; });
}

// Two descriptors are compared flag by flag where sequences meet (zip): one traversal from now on.
void map(Analysis& a, const Instr& i, Stream& now) {
  const auto argument = [&](std::size_t k) -> const Stream& { return a.streams[i.arguments[k]]; };
  const bool compares = i.op() == scalars::row<"==">();
  if (compares && argument(0).descriptor && argument(1).descriptor)
    same_traversal(a, *argument(0).descriptor, *argument(1).descriptor);
  elementwise(a, i, now);
  if (i.op() == scalars::row<"not">()) now.predicate = !argument(0).predicate;
  // The end of a file is a character of its own.
  if (compares && a.streams.instr(i.arguments[0]).opcode == Opcode::ReadFile &&
      is_constant(a.streams.instr(i.arguments[1]), 256))
    define(a, *argument(0).descriptor, now);
}

// x, b before the element that is picked; at the end of a piece where b ends pieces.
void pack(Analysis& a, const Instr& i, Stream& now) {
  elementwise(a, i, now);
  now.clock = picked(a, now.clock, i.arguments[1]);
  a.piece_ends.pick(a.streams[i.arguments[1]].predicate, now.event);
}

// The branches, picked by b and by its negation, meet at lag 0.
void unpack(Analysis& a, const Instr& i, Stream& now) {
  const Stream& b = a.streams[i.arguments[0]];
  const ClockId chosen = a.clocks.part(b.clock, b.predicate), other = a.clocks.part(b.clock, !b.predicate);
  meet(a, a.streams[i.arguments[1]], chosen, now.event);
  meet(a, a.streams[i.arguments[2]], other, now.event);
  for (const StreamId x : i.arguments) reads(a, a.streams[x], now.event);
  now.clock = b.clock;
}

// A flag of the short form waits for the next flag of the general form.
void lookahead(Analysis& a, const Instr& i, Stream& now) {
  const Event m = consumed(a, i.arguments);
  a.order.before(m, now.event, 1);
  now.clock = descriptor(a, i.arguments[0]).child;
}

// In each element of the child, what the descriptor has there.
void of_children(Analysis& a, const Instr& i, Stream& now) {
  elementwise(a, i, now);
  now.clock = descriptor(a, i.arguments[0]).child;
}

// so_gather starts i s: element by element, once s is in memory.
void gather(Analysis& a, const Instr& i, Stream& now) {
  Instr pair = i;
  pair.arguments.pop_back();
  elementwise(a, pair, now);
  from_memory(a, i.arguments[2], now.clock, now.event);
}

}  // namespace lockstep::streaming::rules
