// Streams that an instruction reads (reading.h).
#include "translate/streamability/reading.h"

#include <algorithm>

#include "translate/streamability/descriptors.h"

namespace lockstep::streaming::rules {

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

}  // namespace lockstep::streaming::rules
