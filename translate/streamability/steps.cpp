// The rules for instructions that go element by element, or look ahead. Each is headed by what waits for what.
#include <algorithm>

#include "translate/streamability/rules.h"

namespace lockstep::streaming::rules {

bool is_constant(const Instr& i, std::int64_t n) {
  return (i.opcode == Opcode::Rep || i.opcode == Opcode::Constant) && i.atom == snesl::int_atom(n);
}

void uses(Analysis& a, const Stream& x, Event until) {
  if (x.in_memory) return;
  a.uses.push_back({x.instr, x.counts_pieces() ? std::nullopt : std::optional(x.event), until});
}

void reads(Analysis& a, const Stream& x, Event v) {
  waits(a, x, v);
  uses(a, x, v);
}

void carries(Analysis& a, const Stream& x, Stream& now) {
  a.order.before(x.event, now.event, x.counts_pieces() ? other_loop : 0);
  std::vector<FirstFlag>& mine = now.first_flags;
  mine.insert(mine.end(), x.first_flags.begin(), x.first_flags.end());
  std::sort(mine.begin(), mine.end());
  mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
}

Event consumed(Analysis& a, const std::vector<StreamId>& arguments) {
  const Event m = a.order.add();
  for (const StreamId x : arguments) reads(a, a.streams[x], m);
  return m;
}

void from_memory(Analysis& a, StreamId base, ClockId clock, Event v) {
  const Instr& b = a.streams.instr(base);
  if (b.opcode != Opcode::Segtab) return;  // a parameter is in memory
  const Descriptor d = descriptor(a, b.arguments[1]);
  const std::optional<TraversalId> within = a.clocks.traversal_within(clock, d.parent);
  const int weight = within || a.clocks.same(clock, d.parent) ? 0 : other_loop;
  a.order.before(a.traversals[d.traversal].end, within ? a.traversals[*within].ready : v, weight);
}

ClockId meeting(Analysis& a, const std::vector<StreamId>& arguments) {
  Clocks& clocks = a.clocks;
  std::optional<ClockId> found;
  for (const StreamId s : arguments) {
    const Stream& x = a.streams[s];
    if (x.keeps_any_pace) continue;
    const ClockId d = x.clock, c = found.value_or(d);
    const bool inner = (!clocks[d].stands_for_parent && clocks.single_within(d, c)) ||
                       (clocks[c].stands_for_parent && clocks.single_within(c, d));
    if (!found || (!x.in_memory && !clocks.same(c, d) && inner)) found = d;
  }
  return found.value_or(a.streams[arguments[0]].clock);
}

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
  const bool compares = i.op == scalars::row<"==">();
  if (compares && argument(0).descriptor && argument(1).descriptor)
    same_traversal(a, *argument(0).descriptor, *argument(1).descriptor);
  elementwise(a, i, now);
  if (i.op == scalars::row<"not">()) now.predicate = !argument(0).predicate;
  // The end of a file is a character of its own.
  if (compares && a.streams.instr(i.arguments[0]).opcode == Opcode::ReadFile &&
      is_constant(a.streams.instr(i.arguments[1]), 256))
    define(a, *argument(0).descriptor, now);
}

ClockId picked(Analysis& a, ClockId c, StreamId b) {
  const ClockId result = a.clocks.part(c, a.streams[b].predicate);
  const Instr& first = a.streams.instr(b);
  if (first.opcode == Opcode::Map && first.op == scalars::row<"==">() &&
      a.streams.instr(first.arguments[0]).opcode == Opcode::Iotas &&
      is_constant(a.streams.instr(first.arguments[1]), 0)) {
    const Descriptor d = descriptor(a, a.streams.instr(first.arguments[0]).arguments[0]);
    a.clocks[result].single_in = Clock::Around{d.parent, d.traversal};
    a.clocks[result].stands_for_parent = true;
  }
  return result;
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
