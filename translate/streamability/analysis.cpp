// The streamability analysis as a pass over the program: values, parameters, what waits for what, elementwise meetings.
#include "translate/streamability/analysis.h"

#include <algorithm>

#include "semantics/svcode/instruction.h"

namespace lockstep::streaming {

Analysis::Analysis(const svcode::Program& p) : p_(p) {
  add_clock({});
  for (std::size_t k = 0; k < p.parameters.size(); ++k) {
    const std::size_t first = leaves_.size();
    inputs(p.parameters[k], root_clock);
    for (std::size_t l = first; l < leaves_.size(); ++l) leaves_[l].parameter = k;
  }
  for (const Instr& i : p.instructions) {
    now_ = static_cast<int>(streams_.size());
    index_[i.id] = streams_.size();
    Stream s;
    s.node = order_.add();
    s.value = value_of(i);
    s.predicate = {s.value, true};
    const bool constant = i.opcode == Opcode::Rep || i.opcode == Opcode::Constant;
    if (constant && i.type == snesl::Prim::Bool) constants_[s.value] = i.atom.integer != 0;
    streams_.push_back(std::move(s));
    instruction(i);
  }
}

int Analysis::intern(std::vector<std::int64_t> key) {
  return values_.try_emplace(std::move(key), static_cast<int>(values_.size())).first->second;
}

int Analysis::value_of(const Instr& i) {
  std::vector<std::int64_t> key = {static_cast<std::int64_t>(i.opcode), snesl::key_of(i.op),
                                   static_cast<std::int64_t>(i.monoid), static_cast<std::int64_t>(i.atom.type),
                                   i.atom.integer};
  if (svcode::begins_traversal(i.opcode)) key.push_back(-1 - now_);
  for (const StreamId s : i.arguments) key.push_back(stream(s).value);
  return intern(std::move(key));
}

// A parameter's streams, in the order of leaves_of: each sequence is a traversal of its own.
void Analysis::inputs(const snesl::Type& t, int clock) {
  match(
      t.node,
      [&](snesl::Prim) {
        leaves_.push_back({clock, std::nullopt});
      },
      [&](const snesl::TupleType& tuple) {
        for (const snesl::Type& item : tuple.items) inputs(item, clock);
      },
      [&](const snesl::VectorType& v) {
        inputs(*v.element, clock);  // a base, which is only gathered from
        leaves_.push_back({clock, std::nullopt});
        leaves_.push_back({clock, std::nullopt});
      },
      [&](const snesl::SequenceType& s) {
        const int child = new_source(clock);
        inputs(*s.element, child);
        leaves_.push_back({child, Descriptor{child, clock, span_between(child, clock), {}}});
      });
}

// v waits for x. What x has of first flags only is taken for the end of that traversal.
void Analysis::waits(StreamId x, Node v) {
  const bool counts_pieces = stream(x).descriptor && stream(x).descriptor->counts_pieces;
  order_.before(stream(x).node, v, now_, counts_pieces ? other_loop : 0);
  for (const StreamId f : stream(x).awaits_first_of) order_.before(span(descriptor(f).span).end, v, now_);
}

Node Analysis::consumed(const std::vector<StreamId>& arguments) {
  const Node m = order_.add();
  for (const StreamId x : arguments) reads(x, m);
  return m;
}

// v waits for x; what x has of first flags only, this instruction's stream has of them.
void Analysis::carries(StreamId x, Node v) {
  const bool counts_pieces = stream(x).descriptor && stream(x).descriptor->counts_pieces;
  order_.before(stream(x).node, v, now_, counts_pieces ? other_loop : 0);
  std::vector<StreamId>& mine = now().awaits_first_of;
  mine.insert(mine.end(), stream(x).awaits_first_of.begin(), stream(x).awaits_first_of.end());
  std::sort(mine.begin(), mine.end());
  mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
}

// What counts the elements of arguments that meet: the innermost of their clocks.
int Analysis::meeting(const std::vector<StreamId>& arguments) {
  std::optional<int> found;
  for (const StreamId x : arguments) {
    if (stream(x).keeps_any_pace) continue;
    const int d = stream(x).clock;
    std::vector<int> spans;
    const int c = found.value_or(d);
    const bool inner = (!of(d).for_parent && one_way(d, c, &spans)) || (of(c).for_parent && one_way(c, d, &spans));
    if (!found || (!stream(x).unbounded && !same(c, d) && inner)) found = d;
  }
  return found.value_or(stream(arguments[0]).clock);
}

// Each element waits for those of all arguments.
void Analysis::elementwise(const Instr& i) {
  const int c = meeting(i.arguments);
  for (const StreamId x : i.arguments) {
    agree(x, c, now().node);
    uses(x, now().node);
    carries(x, now().node);
  }
  now().clock = c;
  now().keeps_any_pace =
      std::all_of(i.arguments.begin(), i.arguments.end(), [&](StreamId x) { return stream(x).keeps_any_pace; });
}

// v, which the clock counts, waits for the vector that it reads.
void Analysis::from_memory(StreamId base, int clock, Node v) {
  const Instr& b = instr(base);
  if (b.opcode != Opcode::Segtab) return;  // a parameter is in memory
  const Descriptor d = descriptor(b.arguments[1]);
  const std::optional<int> within = span_within(clock, d.parent);
  order_.before(span(d.span).end, within ? span(*within).ready : v, now_,
                within || same(clock, d.parent) ? 0 : other_loop);
}

}  // namespace lockstep::streaming
