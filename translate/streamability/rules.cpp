// The rules of the streamability analysis for instructions that go element by element, begin a traversal or end one.
// Each is headed by what waits for what.
#include "translate/streamability/analysis.h"

#include "semantics/core/table.h"
#include "semantics/svcode/instruction.h"

namespace lockstep::streaming {

namespace {

bool is_constant(const Instr& i, std::int64_t n) {
  return (i.opcode == Opcode::Rep || i.opcode == Opcode::Constant) && i.atom == snesl::int_atom(n);
}

}  // namespace

// Two descriptors are compared flag by flag where sequences meet (zip): one traversal from now on.
void Analysis::map(const Instr& i) {
  if (i.op == scalars::row<"==">() && stream(i.arguments[0]).descriptor && stream(i.arguments[1]).descriptor)
    same_traversal(*stream(i.arguments[0]).descriptor, *stream(i.arguments[1]).descriptor);
  elementwise(i);
  if (i.op == scalars::row<"not">()) now().predicate = !stream(i.arguments[0]).predicate;
  // The end of a file is a character of its own.
  if (i.op == scalars::row<"==">() && instr(i.arguments[0]).opcode == Opcode::ReadFile &&
      is_constant(instr(i.arguments[1]), 256))
    define(*stream(i.arguments[0]).descriptor);
}

// What b picks. The first of each segment is one for each (`the`, which checks that there is one).
int Analysis::picked(int c, StreamId b) {
  const int result = part(c, stream(b).predicate);
  const Instr& first = instr(b);
  if (first.opcode == Opcode::Map && first.op == scalars::row<"==">() &&
      instr(first.arguments[0]).opcode == Opcode::Iotas && is_constant(instr(first.arguments[1]), 0)) {
    const Descriptor d = descriptor(instr(first.arguments[0]).arguments[0]);
    of(result).single_in = Clock::Traversed{d.parent, d.span};
    of(result).for_parent = true;
  }
  return result;
}

// x, b before the element that is picked; at the end of a piece where b ends pieces.
void Analysis::pack(const Instr& i) {
  elementwise(i);
  const Predicate b = stream(i.arguments[1]).predicate;
  now().clock = picked(now().clock, i.arguments[1]);
  picked_[b].push_back(now().node);
  for (const int s : cuts_[b]) order_.before(span(s).end, now().node, now_);
}

// The branches, picked by b and by its negation, meet at lag 0.
void Analysis::unpack(const Instr& i) {
  const StreamId b = i.arguments[0];
  const int c = stream(b).clock;
  const Predicate p = stream(b).predicate;
  const int chosen = part(c, p), other = part(c, !p);
  agree(i.arguments[1], chosen, now().node);
  agree(i.arguments[2], other, now().node);
  for (const StreamId x : i.arguments) reads(x, now().node);
  now().clock = c;
}

// A flag of the short form waits for the next flag of the general form.
void Analysis::lookahead(const Instr& i) {
  const Node m = consumed(i.arguments);
  order_.before(m, now().node, now_, 1);
  now().clock = descriptor(i.arguments[0]).child;
}

// One element for each segment, at its end: lens f; segreduce s f; write_file starts lens s c f.
void Analysis::after_end(const Instr& i) {
  const StreamId f = i.arguments.back();
  const Descriptor d = descriptor(f);
  std::vector<StreamId> inside = {f};
  if (i.opcode != Opcode::Lens) {
    const StreamId x = i.arguments[i.arguments.size() - 2];
    agree(x, d.child, span(d.span).ready);
    inside.push_back(x);
  }
  const Node m = consumed(inside);
  if (d.picks || at_most_one(d)) order_.before(m, span(d.span).end, now_);
  if (i.opcode == Opcode::WriteFile)
    for (const int k : {0, 1}) {
      agree(i.arguments[static_cast<std::size_t>(k)], d.parent, now().node);
      reads(i.arguments[static_cast<std::size_t>(k)], now().node);
    }
  if (i.opcode == Opcode::WriteFile) from_memory(i.arguments[2], d.parent, now().node);
  order_.before(span(d.span).end, now().node, now_);
  now().clock = d.parent;
}

// A traversal that begins after its arguments: to_flags n, range n, read_file and read_whole.
void Analysis::source(const Instr& i) {
  const StreamId n = i.arguments[0];
  const int parent = stream(n).clock, c = new_source(parent), s = span_between(c, parent);
  for (std::size_t k = 0; k < i.arguments.size() && k < 2; ++k) {
    agree(i.arguments[k], parent, span(s).start);
    reads(i.arguments[k], span(s).start);
  }
  if (i.arguments.size() == 3) from_memory(i.arguments[2], parent, span(s).start);
  const Descriptor d{c, parent, s, {}};
  if (i.opcode == Opcode::Range || i.opcode == Opcode::ReadWhole) {
    now().clock = c;
    return;
  }
  define(d);
  if (i.opcode == Opcode::ToFlags && is_constant(instr(n), 1)) of(c).single_in = Clock::Traversed{parent, s};
}

// One of each argument in turn: a traversal that begins when they are there.
void Analysis::pmerge(const Instr& i) {
  const int parent = meeting(i.arguments);
  const int c = new_source(parent), s = span_between(c, parent);
  for (const StreamId x : i.arguments) {
    agree(x, parent, span(s).start);
    reads(x, span(s).ready);
  }
  now().clock = c;
}

// constant a n: known when the program begins, and there whenever it is read.
void Analysis::constant(const Instr& i) {
  now().clock = i.number == 1 ? root_clock : new_source(root_clock);
  now().keeps_any_pace = true;
}

// The whole stream as one segment: terminated s, reduce s.
void Analysis::whole(const Instr& i) {
  const StreamId x = i.arguments[0];
  const int c = stream(x).clock;
  if (i.opcode == Opcode::Terminated) {
    const bool one = same(c, root_clock);
    const int child = one ? new_source(root_clock) : c, s = span_between(child, root_clock);
    if (one) of(child).single_in = Clock::Traversed{root_clock, s};
    const Descriptor d{child, root_clock, s, {}};
    agree(x, child, now().node);
    reads(x, now().node);
    if (at_most_one(d)) waits(x, span(s).end);
    define(d);
    return;
  }
  const int s = span_between(c, root_clock);
  const Node m = consumed({x});
  if (at_most_one({c, root_clock, s, {}})) order_.before(m, now().node, now_);
  order_.before(span(s).end, now().node, now_);
  now().clock = root_clock;
}

void Analysis::ctrl(const Instr&) {}
void Analysis::input(const Instr& i) {
  const Leaf& l = leaves_.at(static_cast<std::size_t>(i.number));
  now().clock = l.clock;
  if (l.descriptor) define(*l.descriptor);
}
void Analysis::of_children(const Instr& i) {
  elementwise(i);
  now().clock = descriptor(i.arguments[0]).child;
}
void Analysis::segtab(const Instr& i) {
  const Descriptor d = descriptor(i.arguments[1]);
  agree(i.arguments[0], d.child, now().node);
  for (const StreamId x : i.arguments) reads(x, now().node);
  if (d.picks || at_most_one(d)) order_.before(now().node, span(d.span).end, now_);
  now().clock = stream(i.arguments[0]).clock;
  now().unbounded = true;
}
void Analysis::gather(const Instr& i) {
  const StreamId starts = i.arguments[0], at = i.arguments[1];
  Instr pair = i;
  pair.arguments = {starts, at};
  elementwise(pair);
  from_memory(i.arguments[2], now().clock, now().node);
}

void Analysis::instruction(const Instr& i) {
  using enum svcode::ClockRule;
  static constexpr auto rules =
      table<svcode::ClockRule, void (Analysis::*)(const Instr&)>({{Root, &Analysis::ctrl},
                                                                  {Input, &Analysis::input},
                                                                  {Constant, &Analysis::constant},
                                                                  {Elementwise, &Analysis::elementwise},
                                                                  {Map, &Analysis::map},
                                                                  {OfChildren, &Analysis::of_children},
                                                                  {Pdist, &Analysis::pdist},
                                                                  {Pack, &Analysis::pack},
                                                                  {Upack, &Analysis::upack},
                                                                  {B2u, &Analysis::b2u},
                                                                  {Unpack, &Analysis::unpack},
                                                                  {Source, &Analysis::source},
                                                                  {AfterEnd, &Analysis::after_end},
                                                                  {Lookahead, &Analysis::lookahead},
                                                                  {Ends, &Analysis::ends},
                                                                  {Usegsum, &Analysis::usegsum},
                                                                  {Uempty, &Analysis::uempty},
                                                                  {Pmerge, &Analysis::pmerge},
                                                                  {Umerge, &Analysis::umerge},
                                                                  {MergeSegments, &Analysis::merge_segments},
                                                                  {Usegmerge, &Analysis::usegmerge},
                                                                  {Segtab, &Analysis::segtab},
                                                                  {Gather, &Analysis::gather},
                                                                  {Whole, &Analysis::whole}});
  (this->*rules[svcode::row_of(i.opcode).clock])(i);
}

}  // namespace lockstep::streaming
