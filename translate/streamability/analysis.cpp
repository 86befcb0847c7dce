// The pass over the program: parameters, values, and each instruction's rule in turn (analysis.h).
#include "translate/streamability/analysis.h"

#include "semantics/svcode/instruction.h"
#include "translate/streamability/rules.h"

namespace lockstep::streaming {
namespace {

// A parameter's streams, in the order of leaves_of: each sequence is a traversal of its own.
void parameter(Analysis& a, const snesl::Type& t, ClockId clock) {
  match(
      t.node,
      [&](snesl::Prim) {
        a.leaves.push_back({clock, std::nullopt});
      },
      [&](const snesl::TupleType& tuple) {
        for (const snesl::Type& item : tuple.items) parameter(a, item, clock);
      },
      [&](const snesl::VectorType& v) {
        parameter(a, *v.element, clock);  // a base, which is only gathered from
        a.leaves.push_back({clock, std::nullopt});
        a.leaves.push_back({clock, std::nullopt});
      },
      [&](const snesl::SequenceType& s) {
        const Descriptor d = new_source(a, clock);
        parameter(a, *s.element, d.child);
        a.leaves.push_back({d.child, d});
      });
}

}  // namespace

void PieceEnds::cut(Predicate ends, TraversalId pieces) {
  cuts_[ends].push_back(pieces);
  for (const Event v : picked_[ends]) order_.before(traversals_[pieces].end, v);
}

void PieceEnds::pick(Predicate p, Event picked) {
  picked_[p].push_back(picked);
  for (const TraversalId t : cuts_[p]) order_.before(traversals_[t].end, picked);
}

ValueId value_of(Analysis& a, const Instr& i) {
  std::vector<std::int64_t> key = svcode::key_of(i);
  const auto number = [](auto index) { return static_cast<std::int64_t>(index.number()); };
  if (svcode::begins_traversal(i.opcode, a.rows)) key.push_back(-1 - number(a.order.now()));
  for (const StreamId s : i.arguments) key.push_back(number(a.streams[s].value));
  return a.values.of(std::move(key));
}

void constrain(Analysis& a) {
  for (const snesl::Type& t : a.program.parameters) parameter(a, t, root_clock);
  for (const Instr& i : a.program.instructions) {
    const InstrIndex now(a.streams.all().size());
    a.order.at(now);
    a.clocks.at(now);
    Stream s;
    s.event = a.order.add();
    s.value = value_of(a, i);
    s.predicate = {s.value, true};
    const bool constant = i.opcode == Opcode::Rep || i.opcode == Opcode::Constant;
    if (constant && i.type == snesl::Prim::Bool) a.predicates.set_constant(s.predicate, i.atom().integer != 0);
    rules::instruction(a, i, a.streams.add(i.id, std::move(s)));
  }
}

tl::expected<std::vector<std::int64_t>, Conflict> slack_of(Analysis& a) {
  try {
    constrain(a);
  } catch (const DifferentPaces& met) {
    return tl::unexpected(Conflict(met));
  }
  return solve(a.order, a.traversals, a.uses, a.program.instructions.size());
}

}  // namespace lockstep::streaming
