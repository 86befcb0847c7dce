// The rules for instructions that begin a traversal or end one, each headed by what waits for what; and the table of
// all rules, by opcode.
#include "translate/streamability/rules.h"

#include "semantics/core/table.h"
#include "semantics/svcode/instruction.h"
#include "translate/streamability/descriptors.h"
#include "translate/streamability/reading.h"

namespace lockstep::streaming::rules {

// The one element of the program.
void ctrl(Analysis&, const Instr&, Stream&) {}

void input(Analysis& a, const Instr& i, Stream& now) {
  const ParameterLeaf& l = a.leaves.at(static_cast<std::size_t>(i.number()));
  now.clock = l.clock;
  if (l.descriptor) define(a, *l.descriptor, now);
}

// constant a n: known when the program begins, and there whenever it is read.
void constant(Analysis& a, const Instr& i, Stream& now) {
  now.clock = i.number() == 1 ? root_clock : new_source(a, root_clock).child;
  now.keeps_any_pace = true;
}

// A traversal that begins after its arguments: to_flags n, range n, read_file and read_whole.
void source(Analysis& a, const Instr& i, Stream& now) {
  const StreamId n = i.arguments[0];
  const Descriptor d = new_source(a, a.streams[n].clock);
  const Event start = a.traversals[d.traversal].start;
  for (std::size_t k = 0; k < i.arguments.size() && k < 2; ++k) {
    const Stream& x = a.streams[i.arguments[k]];
    meet(a, x, d.parent, start);
    reads(a, x, start);
  }
  if (i.arguments.size() == 3) from_memory(a, i.arguments[2], d.parent, start);
  if (i.opcode == Opcode::Range || i.opcode == Opcode::ReadWhole) {
    now.clock = d.child;
    return;
  }
  define(a, d, now);
  if (i.opcode == Opcode::ToFlags && is_constant(a.streams.instr(n), 1))
    a.clocks[d.child].single_in = Clock::Around{d.parent, d.traversal};
}

// One of each argument in turn: a traversal that begins when they are there.
void pmerge(Analysis& a, const Instr& i, Stream& now) {
  const Descriptor d = new_source(a, meeting(a, i.arguments));
  for (const StreamId s : i.arguments) {
    const Stream& x = a.streams[s];
    meet(a, x, d.parent, a.traversals[d.traversal].start);
    reads(a, x, a.traversals[d.traversal].ready);
  }
  now.clock = d.child;
}

// One element for each segment, at its end: lens f; segreduce s f; write_file starts lens s c f.
void after_end(Analysis& a, const Instr& i, Stream& now) {
  const StreamId f = i.arguments.back();
  const Descriptor d = descriptor(a, f);
  std::vector<StreamId> inside = {f};
  if (i.opcode != Opcode::Lens) {
    const StreamId x = i.arguments[i.arguments.size() - 2];
    meet(a, a.streams[x], d.child, a.traversals[d.traversal].ready);
    inside.push_back(x);
  }
  const Event m = consumed(a, inside);
  if (d.picks || at_most_one(a, d)) a.order.before(m, a.traversals[d.traversal].end);
  if (some_at_most_one(a, d)) a.order.before(m, now.event);
  if (i.opcode == Opcode::WriteFile) {
    for (const std::size_t k : {0U, 1U}) {
      meet(a, a.streams[i.arguments[k]], d.parent, now.event);
      reads(a, a.streams[i.arguments[k]], now.event);
    }
    from_memory(a, i.arguments[2], d.parent, now.event);
  }
  a.order.before(a.traversals[d.traversal].end, now.event);
  now.clock = d.parent;
}

// The whole stream as one segment: terminated s, reduce s.
void whole(Analysis& a, const Instr& i, Stream& now) {
  const Stream& x = a.streams[i.arguments[0]];
  if (i.opcode == Opcode::Terminated) {
    const bool one = a.clocks.same(x.clock, root_clock);
    const ClockId child = one ? new_source(a, root_clock).child : x.clock;
    const Descriptor d{child, root_clock, traversal_between(a, child, root_clock), {}};
    if (one) a.clocks[child].single_in = Clock::Around{root_clock, d.traversal};
    meet(a, x, child, now.event);
    reads(a, x, now.event);
    if (at_most_one(a, d)) waits(a, x, a.traversals[d.traversal].end);
    define(a, d, now);
    return;
  }
  const Descriptor d{x.clock, root_clock, traversal_between(a, x.clock, root_clock), {}};
  const Event m = consumed(a, i.arguments);
  if (at_most_one(a, d)) a.order.before(m, now.event);
  a.order.before(a.traversals[d.traversal].end, now.event);
  now.clock = root_clock;
}

// segtab s f: a segment is in memory when it has ended.
void segtab(Analysis& a, const Instr& i, Stream& now) {
  const Descriptor d = descriptor(a, i.arguments[1]);
  meet(a, a.streams[i.arguments[0]], d.child, now.event);
  for (const StreamId x : i.arguments) reads(a, a.streams[x], now.event);
  if (d.picks || at_most_one(a, d)) a.order.before(now.event, a.traversals[d.traversal].end);
  now.clock = a.streams[i.arguments[0]].clock;
  now.in_memory = true;
}

// What is fused is so after the analysis, of programs that it has accepted.
void of_networks(Analysis&, const Instr&, Stream&) { throw Bug("a network is analysed"); }

void instruction(Analysis& a, const Instr& i, Stream& now) {
  using svcode::ClockRule;
  static constexpr auto rules =
      table<ClockRule, void (*)(Analysis&, const Instr&, Stream&)>({{ClockRule::Root, ctrl},
                                                                    {ClockRule::Input, input},
                                                                    {ClockRule::Constant, constant},
                                                                    {ClockRule::Elementwise, elementwise},
                                                                    {ClockRule::Map, map},
                                                                    {ClockRule::OfChildren, of_children},
                                                                    {ClockRule::Pdist, pdist},
                                                                    {ClockRule::Pack, pack},
                                                                    {ClockRule::Upack, upack},
                                                                    {ClockRule::B2u, b2u},
                                                                    {ClockRule::Unpack, unpack},
                                                                    {ClockRule::Source, source},
                                                                    {ClockRule::AfterEnd, after_end},
                                                                    {ClockRule::Lookahead, lookahead},
                                                                    {ClockRule::Ends, ends},
                                                                    {ClockRule::Usegsum, usegsum},
                                                                    {ClockRule::Uempty, uempty},
                                                                    {ClockRule::Pmerge, pmerge},
                                                                    {ClockRule::Umerge, umerge},
                                                                    {ClockRule::MergeSegments, merge_segments},
                                                                    {ClockRule::Usegmerge, usegmerge},
                                                                    {ClockRule::Segtab, segtab},
                                                                    {ClockRule::Gather, gather},
                                                                    {ClockRule::Whole, whole},
                                                                    {ClockRule::OfNetworks, of_networks}});
  rules[a.rows[i.opcode].clock](a, i, now);
}

}  // namespace lockstep::streaming::rules
