// The kernel interpreter's memory, faults and race detector (machine.h).
#include "semantics/kernel/machine.h"

#include <algorithm>
#include <numeric>

#include "semantics/core/table.h"

namespace lockstep::kernel {

std::string_view show(FaultKind k) {
  static constexpr auto rows = table<FaultKind>({{FaultKind::OutOfBounds, "out of bounds"},
                                                 {FaultKind::Uninitialised, "uninitialised"},
                                                 {FaultKind::Race, "race"},
                                                 {FaultKind::BarrierDivergence, "barrier divergence"},
                                                 {FaultKind::BadDivision, "bad division"},
                                                 {FaultKind::Overflow, "overflow"},
                                                 {FaultKind::Unguarded, "unguarded"},
                                                 {FaultKind::Endless, "endless"}});
  return rows[k];
}

void Machine::fault(FaultKind kind, const std::string& message, std::vector<Region> at) const {
  throw FaultSignal{{kind, message + iterations(), std::move(at)}};
}

void Machine::race(const std::string& message, const Region& from, const Meeting& with) const {
  const RaceContext& c = *with.context;
  throw FaultSignal{
      {FaultKind::Race, message + iterations(), {from, *with.other}, c.loop ? *c.loop : Region{}, c.of_block}};
}

std::string Machine::iterations() const {
  std::string where;
  for (std::size_t slot : running)
    where += (where.empty() ? " at " : ", ") + variables[slot].name + " = " + std::to_string(values[slot].integer());
  return where;
}

void Machine::outside(const Memory& m, std::int64_t index, const char* what, const Region& from) const {
  fault(FaultKind::OutOfBounds,
        m.name + "[" + std::to_string(index) + "] is " + what + in_parentheses(from) + ", which is outside [0, " +
            std::to_string(m.count) + ")",
        {from});
}

void Machine::unwritten(const Memory& m, std::int64_t index, const Region& from) const {
  fault(FaultKind::Uninitialised,
        m.name + "[" + std::to_string(index) + "] is read" + in_parentheses(from) + " before it is written", {from});
}

void Machine::unset(std::size_t slot, const Region& from) const {
  fault(FaultKind::Uninitialised,
        "variable '" + variables[slot].name + "' is read" + in_parentheses(from) + " before it is set", {from});
}

void Machine::allocate(std::size_t memory, std::int64_t count, const Region& from) {
  Memory& m = memories[memory];
  constexpr std::int64_t most = std::int64_t{1} << 30;
  if (count < 0 || count > most)
    fault(FaultKind::OutOfBounds, "buffer '" + m.name + "' is allocated with " + std::to_string(count) + " scalars",
          {from});
  auto n = static_cast<std::size_t>(count);
  if (m.cells.size() < n) {
    m.cells.resize(n);
    m.written.resize(n, 0);
  }
  if (++m.epoch == 0) {
    std::fill(m.written.begin(), m.written.end(), 0);
    m.epoch = 1;
  }
  m.count = count;
  m.depth = birth();
  live += count;
  counted.space = std::max(counted.space, live);
}

Machine::Meeting Machine::enter(std::uint64_t key, std::size_t depth, bool write, bool replicated, const Region& from) {
  for (std::size_t k = depth; k < contexts.size(); ++k) {
    RaceContext& c = contexts[k];
    RaceContext::Seen& seen = c.seen[key];
    // Code between local loops has a copy for each thread of what is private: its accesses meet no other's but to read
    // what a thread wrote into its own copy.
    bool own_copy = c.of_block && replicated && c.who == all_threads;
    if (write && own_copy) continue;
    const auto foreign = [&](const RaceContext::User& u) { return u.who != nobody && u.who != c.who; };
    if (foreign(seen.writer)) return {seen.writer.from, &c};
    if (write && foreign(seen.reader)) return {seen.reader.from, &c};
    if (write && foreign(seen.other_reader)) return {seen.other_reader.from, &c};
    if (own_copy) continue;
    (write ? seen.writer : foreign(seen.reader) ? seen.other_reader : seen.reader) = {c.who, &from};
  }
  return {};
}

void Machine::touch(const Memory& m, std::size_t memory, std::int64_t index, bool write, const Region& from) {
  std::uint64_t key = (static_cast<std::uint64_t>(memory) << 40) | static_cast<std::uint64_t>(index);
  const Meeting with = enter(key, m.depth, write, m.replicated, from);
  if (!with.other) return;
  race(m.name + "[" + std::to_string(index) + "] is " + (write ? "written" : "read") + in_parentheses(from) +
           " while another iteration or thread " + (write ? "uses" : "writes") + " it" + in_parentheses(*with.other),
       from, with);
}

void Machine::touch_variable(std::size_t slot, bool write, const Region& from) {
  std::uint64_t key = (std::uint64_t{1} << 63) | slot;
  const Meeting with = enter(key, variables[slot].depth, write, true, from);
  if (!with.other) return;
  race("variable '" + variables[slot].name + "' is shared by iterations of a parallel loop and " +
           (write ? "written" : "read") + in_parentheses(from) + " while another " + (write ? "uses" : "writes") +
           " it" + in_parentheses(*with.other),
       from, with);
}

std::vector<std::int64_t> Machine::permutation(std::int64_t extent) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(std::max<std::int64_t>(extent, 0)));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

void Machine::barrier() {
  if (in_local) fault(FaultKind::BarrierDivergence, "a barrier stands inside a local loop");
  if (!in_block) fault(FaultKind::BarrierDivergence, "a barrier stands outside a workgroup loop");
  if (!contexts.empty()) contexts.back().seen.clear();
}

}  // namespace lockstep::kernel
