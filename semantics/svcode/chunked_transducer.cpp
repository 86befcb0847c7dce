// What steps are made of: what an input has, room, local state (chunked_network.h).
#include <algorithm>

#include "semantics/svcode/chunked_network.h"
#include "semantics/svcode/instruction.h"

namespace lockstep::svcode {

bool Transducer::ended(std::size_t k) const {
  const Port& p = in[k];
  return p.buffer->closed() && p.buffer->cursor(p.cursor) >= p.buffer->end();
}

std::optional<Step> Transducer::lacks(std::size_t k) {
  const Port& p = in[k];
  if (p.buffer->cursor(p.cursor) < p.buffer->end()) return std::nullopt;
  if (p.buffer->closed()) return Step::Finished;
  return wait_for(k);
}

std::optional<Step> Transducer::lacks_any() {
  for (std::size_t k = 0; k < in.size(); ++k)
    if (ended(k)) return Step::Finished;
  for (std::size_t k = 0; k < in.size(); ++k)
    if (const auto no = lacks(k)) return no;
  return std::nullopt;
}

std::optional<Step> Transducer::full() {
  if (out->has_room()) return std::nullopt;
  waits_for.reset();
  return Step::Waits;
}

Atom Transducer::front(std::size_t k) const {
  const Port& p = in[k];
  return p.is_short ? snesl::bool_atom(p.end_is_next) : p.buffer->at(p.buffer->cursor(p.cursor));
}

Atom Transducer::take(std::size_t k) {
  Port& p = in[k];
  const Atom a = front(k);
  if (p.is_short) {
    const bool end = p.buffer->at(p.buffer->cursor(p.cursor)).integer != 0;
    p.end_is_next = end && !p.end_is_next;
    if (p.end_is_next) return a;
  }
  ++p.read;
  p.buffer->move(p.cursor, p.buffer->cursor(p.cursor) + 1);
  return a;
}

Step Transducer::emit(const Atom& a) {
  ++produced;
  out->push(a);
  return Step::Fired;
}

void Transducer::keep(const Atom& a) {
  holding = true;
  held = a;
  around.space.add(1);
}

Atom Transducer::release() {
  holding = false;
  around.space.add(-1);
  return held;
}

std::string Transducer::title() const { return "s" + std::to_string(instr.id) + " := " + mnemonic_of(instr); }

void Transducer::fault(std::string_view what) {
  if (around.fault.empty()) around.fault = title() + ": " + std::string(what);
}

void Surroundings::finish(const Program& p) {
  if (!fault.empty()) throw Bug(fault);
  std::stable_sort(writes.begin(), writes.end(),
                   [](const Write& a, const Write& b) { return a.instruction < b.instruction; });
  for (Write& w : writes) files.write(w.name, std::move(w.content), p.instructions[w.instruction].region);
}

void Transducer::finish() {
  done = true;
  out->close();
  for (const Port& p : in) p.buffer->detach(p.cursor);
  if (holding) release();
  if (reduction || scan) around.space.add(-1);
}

Step Transducer::counted(std::int64_t n, const Atom& a) {
  if (produced >= n) return Step::Finished;
  if (const auto no = full()) return *no;
  return emit(a);
}

Step Transducer::step() { return around.rows[instr.opcode].step(*this); }

std::optional<Ahead> Transducer::ahead() const {
  const auto of_row = around.rows[instr.opcode].ahead;
  return of_row ? of_row(*this) : std::nullopt;
}

}  // namespace lockstep::svcode
