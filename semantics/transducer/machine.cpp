// How each kind of step fires (machine.h).
#include "semantics/transducer/machine.h"

#include <algorithm>

#include "semantics/svcode/instruction.h"

namespace lockstep::transducer {

using svcode::Atom;
using svcode::Port;

Elements::Elements(const Network& n, const std::vector<const Instr*>& instructions,
                   const std::vector<StreamId>& names) {
  for (const StreamId s : names) place(s, {});
  for (const Instr* i : instructions) {
    Use use{i, {}, 0};
    if (i->opcode == Opcode::Map || i->opcode == Opcode::Check)
      for (const StreamId a : i->arguments) {
        const StreamId from = n.stored(a);
        if (!places_.count(from) && n.repeated.count(from)) place(from, n.at(from).atom());
        if (!places_.count(from)) throw Bug("a step does not read s" + std::to_string(from));
        use.operands.push_back(places_.at(from));
      }
    use.result = place(i->id, {});
    uses_.push_back(std::move(use));
  }
}

std::size_t Elements::place(StreamId s, const Atom& a) {
  places_[s] = values_.size();
  values_.push_back(a);
  return places_[s];
}

void Elements::run(std::int64_t position) {
  std::vector<Atom> in;
  for (const Use& u : uses_) {
    in.clear();
    for (const std::size_t k : u.operands) in.push_back(values_[k]);
    Atom& out = values_[u.result];
    if (u.instruction->opcode == Opcode::Map)
      out = snesl::apply(u.instruction->op(), in, u.instruction->region);
    else if (u.instruction->opcode == Opcode::Iotas)
      out = snesl::int_atom(position);
    else if (u.instruction->opcode == Opcode::Rep)
      out = u.instruction->atom();
    else if (u.instruction->opcode != Opcode::Check)
      throw Bug(std::string(svcode::name_of(u.instruction->opcode)) + " is not run element by element");
    else if (in[0].integer == 0)
      throw TrapSignal{svcode::trap_of(*u.instruction, std::span(in).subspan(1))};
  }
}

namespace {

std::size_t first_base_of(const Network& n, const Step& step) {
  if (step.kernel == Kernel::Slices) return 1 + n.slices.at(step.id()).parameters.size();
  return step.kernel == Kernel::Plain && svcode::is_base(step.instructions[0]->opcode, 2) ? 2 : step.operands.size();
}

}  // namespace

// What writes a file reads its base at a place, and what stands after the base in order.
bool Machine::is_base(std::size_t operand) const {
  return step.kernel == Kernel::Plain ? svcode::is_base(t.instr.opcode, operand) : operand >= first_base;
}

Machine::Machine(const Network& network, const Step& s, std::vector<svcode::Buffer*> windows, svcode::Buffer& first,
                 std::size_t instruction, svcode::Surroundings& around)
    : n(network),
      step(s),
      t(*s.instructions[0], instruction, first, around),
      outs(std::move(windows)),
      first_base(first_base_of(n, s)),
      starts(s.instructions.size(), -1) {
  if (s.kernel == Kernel::Slices) {
    const Slices& all = n.slices.at(s.id());
    std::vector<StreamId> names{s.operands[0].stream};
    for (const Instr* p : all.parameters) names.push_back(p->id);
    elements_ = Elements(n, all.body, names);
  }
  if (s.kernel != Kernel::Cluster) return;
  std::vector<StreamId> names;
  for (const Operand& o : s.operands) names.push_back(o.stream);
  if (names.empty()) throw Bug("a cluster that reads nothing");
  elements_ = Elements(n, s.instructions, names);
}

Fired Machine::fire() {
  t.waits_for.reset();
  switch (step.kernel) {
    case Kernel::Plain:
      return t.instr.opcode == Opcode::Input ? feed() : is_followed() ? follow() : alone();
    case Kernel::Cluster:
      return cluster();
    case Kernel::Distribute:
      return distribute();
    case Kernel::Slices:
      return slices();
  }
  throw Bug("a step of no kind");
}

void Machine::finish() {
  t.finish();
  for (svcode::Buffer* b : outs) b->close();
}

std::optional<std::int64_t> Machine::next(std::size_t operand) const {
  if (t.done) return std::nullopt;
  // Of a segment that has begun it has been taken.
  if (t.instr.opcode == Opcode::Pdist && step.kernel == Kernel::Plain && operand == 0 && t.holding)
    return t.held.integer;
  const Port& p = t.in.at(operand);
  const std::int64_t at = p.buffer->cursor(p.cursor);
  return at < p.buffer->end() ? std::optional(p.buffer->at(at).integer) : std::nullopt;
}

std::int64_t Machine::group_of(std::int64_t place) const {
  const auto after = std::upper_bound(groups_.begin(), groups_.end(), place);
  return after == groups_.begin() ? 0 : *(after - 1);
}

std::optional<Fired> Machine::full() {
  for (svcode::Buffer* b : outs)
    if (!b->has_room()) return t.waits_for.reset(), Fired::Waits;
  return std::nullopt;
}
void Machine::give(std::size_t k, const Atom& a) { outs.at(k)->push(a); }

Fired Machine::alone() {
  if (first_base == step.operands.size()) return t.step();
  const std::optional<std::int64_t> start = next(0);
  const std::int64_t read = t.in[0].read;
  const Fired r = t.step();
  if (t.in[0].read > read && start) starts[0] = *start;
  return r;
}

Fired Machine::feed() {
  waits_for_piece = false;
  if (!fed || fed->now >= fed->pieces.size()) return Fired::Finished;
  const svcode::Stream& piece = fed->pieces[fed->now].at(step.id());
  if (position_ >= static_cast<std::int64_t>(piece.size())) return waits_for_piece = true, Fired::Waits;
  if (const auto no = full()) return *no;
  return t.emit(piece[static_cast<std::size_t>(position_++)]);
}

// Where groups begin, of which nothing is stored.
Fired Machine::follow() {
  if (const auto no = t.lacks(0)) return *no;
  if (t.take(0).integer == 0)
    ++position_;
  else if (groups_.back() < position_)
    groups_.push_back(position_);
  return Fired::Fired;
}

Fired Machine::cluster() {
  if (const auto no = t.lacks_any()) return *no;
  if (const auto no = full()) return *no;
  for (std::size_t k = 0; k < t.in.size(); ++k) elements_.operand(k, t.take(k));
  elements_.run(0);
  for (std::size_t k = 0; k < outs.size(); ++k) give(k, elements_.at(step.produces[k]));
  return Fired::Fired;
}

// Operands 1 to `parameters` have an element for each segment of operand 0.
std::optional<Fired> Machine::lacks_parameters(std::size_t parameters) {
  for (std::size_t k = 0; k <= parameters; ++k)
    if (const auto no = t.lacks(k)) return no;
  return std::nullopt;
}
Fired Machine::end_segment(std::size_t parameters) {
  for (std::size_t k = 0; k <= parameters; ++k) t.take(k);
  position_ = 0;
  return Fired::Fired;
}

Fired Machine::distribute() {
  const std::size_t parameters = step.operands.size() - 1;
  if (const auto no = lacks_parameters(parameters)) return *no;
  if (t.flag(0)) return end_segment(parameters);
  if (const auto no = full()) return *no;
  t.take(0);
  std::size_t part = 1, given = 0;
  for (const Instr* i : step.instructions) {
    const Atom a = i->opcode == Opcode::Iotas ? snesl::int_atom(position_) : t.front(part++);
    if (given < step.produces.size() && step.produces[given] == i->id) give(given++, a);
  }
  ++position_;
  return Fired::Fired;
}

Fired Machine::slices() {
  const Slices& all = n.slices.at(step.id());
  const std::size_t parameters = all.parameters.size();
  if (const auto no = lacks_parameters(parameters)) return *no;
  if (t.flag(0)) return end_segment(parameters);
  if (const auto no = full()) return *no;
  for (std::size_t k = 1; k <= parameters; ++k) elements_.operand(k, t.front(k));
  elements_.run(position_);
  std::vector<Atom> found;
  for (std::size_t k = 0; k < all.gathers.size(); ++k) {
    const Instr& g = *all.gathers[k];
    const Port& base = t.in.at(first_base + k);
    const std::int64_t at =
        Line{elements_.at(n.stored(g.arguments[0])).integer, 1}.after(elements_.at(n.stored(g.arguments[1])).integer);
    if (at >= base.buffer->end() && !base.buffer->closed()) return t.wait_for(first_base + k);
    const bool there = at >= base.buffer->begin() && at < base.buffer->end();
    if (!there) t.fault("element " + std::to_string(at) + " is not in memory");
    found.push_back(there ? base.buffer->at(at) : Atom{g.type, 0});
  }
  t.take(0);
  for (std::size_t k = 0, given = 0; k < all.gathers.size(); ++k) {
    starts[k] = elements_.at(n.stored(all.gathers[k]->arguments[0])).integer;
    if (given < step.produces.size() && step.produces[given] == all.gathers[k]->id) give(given++, found[k]);
  }
  ++position_;
  return Fired::Fired;
}

}  // namespace lockstep::transducer
