// The bases of vectors in memory: a segtab stores nothing, who reads at places reads what it groups. What is let go of
// when: all before what can still be asked for, where that is known, or else group by group.
#include <algorithm>

#include "semantics/svcode/instruction.h"
#include "translate/transducers/stages.h"
#include "translate/transducers/steps.h"

namespace lockstep::transducer {
namespace {

const Instr* distributed(const Network& n, StreamId slices, StreamId start) {
  for (const Instr* p : n.slices.at(slices).parameters)
    if (p->id == start) return p;
  return nullptr;
}

// Its places are instructions and the numbers of their arguments.
std::optional<Ahead> ahead_of(const Network& n, const Instr& reads) {
  Ahead r;
  StreamId s = n.stored(reads.arguments[0]);
  r.readers.push_back({reads.id, 0});
  if (const StreamId first = first_of(n, reads.id); n.slices.count(first)) {
    const Instr* source = distributed(n, first, s);
    if (!source) return std::nullopt;
    s = n.stored(source->arguments[0]);
  }
  for (;;) {
    const Instr& i = n.at(s);
    if (i.opcode == Opcode::Pack || i.opcode == Opcode::Pdist) {
      r.readers.push_back({i.id, 0});
      s = n.stored(i.arguments[0]);
    } else if (i.opcode == Opcode::Gather) {
      r.in_groups = true;
      r.readers.push_back({i.id, 2});
      s = n.stored(i.arguments[2]);
    } else if (i.opcode == Opcode::Scan && i.type == Prim::Int && i.monoid() == svcode::Monoid::Plus) {
      r.scan = i.id;
      return r;
    } else {
      return std::nullopt;
    }
  }
}

// Where a step has what is argument k of one of its instructions.
std::size_t operand_in(const Network& n, const Step& step, const Instr& i, std::size_t k) {
  if (step.kernel != Kernel::Slices) return k;
  if (k == 2) return n.base_operand(step, i.id);
  const std::vector<const Instr*>& all = n.slices.at(step.id()).parameters;
  const Instr* const source = distributed(n, step.id(), n.stored(i.arguments[0]));
  return 1 + static_cast<std::size_t>(std::find(all.begin(), all.end(), source) - all.begin());
}
Ahead::Place placed(const Network& n, const Ahead::Place& p) {
  for (const Step& step : n.steps)
    for (const Instr* i : step.instructions)
      if (i->id == p.step) return {step.id(), operand_in(n, step, *i, p.operand)};
  throw Bug("no step reads what is ahead of a base");
}

// Of one that a step reads at places: it is let go of by what is known to lie ahead, or by its groups, whose segtab
// then is a step too.
void let_go_of(Network& n, const Instr& reads) {
  const Instr& base = n.at(reads.arguments[2]);
  if (base.opcode != Opcode::Segtab || reads.opcode == Opcode::ReadWhole) return;
  if (const std::optional<Ahead> ahead = ahead_of(n, reads)) {
    n.ahead[reads.id] = *ahead;
    if (!ahead->in_groups) return;
  }
  n.groups[reads.id] = base.id;
}

}  // namespace

Network with_bases(const Network& n) {
  Network r = n;
  for (const Instr& i : r.code->instructions) {
    if (i.opcode == Opcode::Segtab) r.bases[i.id] = i.arguments[0];
    if (svcode::is_base(i.opcode, 2)) r.forms.unbounded.insert(r.stored(i.arguments[2]));
  }
  std::set<StreamId> known;
  for (bool more = true; more;) {
    more = false;
    r.steps = single_steps(r);
    for (const Step& step : r.steps)
      for (const Instr* i : step.instructions)
        if (svcode::is_base(i->opcode, 2) && known.insert(i->id).second) let_go_of(r, *i), more = true;
  }
  for (auto& [id, ahead] : r.ahead)
    for (Ahead::Place& p : ahead.readers) p = placed(r, p);
  return r;
}

}  // namespace lockstep::transducer
