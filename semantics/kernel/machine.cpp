// The kernel interpreter's memory, faults and race detector (machine.h).
#include "semantics/kernel/machine.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "semantics/core/table.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::kernel {

std::string_view show(FaultKind k) {
  static constexpr auto rows = table<FaultKind>({{FaultKind::OutOfBounds, "out of bounds"},
                                                 {FaultKind::TooLarge, "too large"},
                                                 {FaultKind::Overlap, "overlap"},
                                                 {FaultKind::Uninitialised, "uninitialised"},
                                                 {FaultKind::Race, "race"},
                                                 {FaultKind::BarrierDivergence, "barrier divergence"},
                                                 {FaultKind::BadDivision, "bad division"},
                                                 {FaultKind::Overflow, "overflow"},
                                                 {FaultKind::Unguarded, "unguarded"},
                                                 {FaultKind::Endless, "endless"},
                                                 {FaultKind::Released, "released"},
                                                 {FaultKind::WrongLaunch, "wrong launch"}});
  return rows[k];
}

void Machine::fault(FaultKind kind, const std::string& message, std::vector<Region> at) const {
  throw FaultSignal{{kind, message + iterations(), std::move(at)}};
}

void Machine::race(const std::string& message, const Region& from, const Meeting& with) const {
  const RaceContext& c = *with.context;
  throw FaultSignal{
      {FaultKind::Race, message + iterations(), {from, *with.other}, c.loop ? *c.loop : Region{}, !c.of_iterations()}};
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

void Machine::update(std::size_t memory, std::int64_t index, const Primitive& by, const Scalar& value,
                     const Region& from) {
  Memory& m = memories[memory];
  count(3), ++counted.writes, counted.words += 2;
  if (index < 0 || index >= m.count) outside(m, index, "updated", from);
  const auto i = static_cast<std::size_t>(index);
  if (m.written[i] != m.epoch) unwritten(m, index, from);
  if (m.depth < contexts.size()) touch(m, memory, index, {Use::Kind::Update, &by}, from);
  m.cells[i] = std::get<ScalarOp>(by.kind).meaning(domain, value.type, std::array<Scalar, 2>{value, m.cells[i]});
}

void Machine::place(std::size_t memory, std::int64_t first, std::int64_t bytes, std::int64_t of_scalar,
                    const Region& from) {
  const auto text = [&](std::size_t m, const Range& r) {
    return "'" + memories[m].name + "' has the bytes [" + std::to_string(r.first) + ", " + std::to_string(r.end) +
           ") of the block's memory";
  };
  const Range at{first, first + bytes};
  if (first < 0 || first % of_scalar != 0)
    fault(FaultKind::Overlap, text(memory, at) + ", its scalars " + std::to_string(of_scalar) + " bytes each", {from});
  for (const auto& [other, there] : placed)
    if (other != memory && first < there.end && there.first < at.end)
      fault(FaultKind::Overlap, text(memory, at) + ", and " + text(other, there), {from});
  placed.insert_or_assign(memory, at);
}

static bool concurrent(const Who& a, const Who& b) {
  if (a.thread == nobody || (a.thread == b.thread && a.warp == b.warp)) return false;
  return a.warp == no_warp || a.warp != b.warp || a.phase == b.phase;
}

// An access by another warp is concurrent with the one or with the other; by another lane, with one of the last two.
void RaceContext::Users::add(const User& u) {
  if (last.who.thread != nobody && last.who.warp != u.who.warp)
    of_other_warp = last;
  else if (last.who.thread != u.who.thread)
    other = last;
  last = u;
}

Machine::Meeting Machine::enter(std::uint64_t key, std::size_t depth, const Use& use, bool replicated,
                                const Region& from) {
  for (std::size_t k = depth; k < contexts.size(); ++k) {
    RaceContext& c = contexts[k];
    RaceContext::Seen& seen = c.seen[key];
    // Code between local loops has a copy for each thread of what is private: its accesses meet no other's but to read
    // what a thread wrote into its own copy.
    bool own_copy = !c.of_iterations() && replicated && c.who.thread == all_threads;
    if (use.writes() && own_copy) continue;
    if (use.kind == Use::Kind::Update && !seen.by) seen.by = use.by;
    // An update by another operator than the first is like a write: one of the two races with any third.
    const bool update = use.kind == Use::Kind::Update && seen.by->name == use.by->name;
    const RaceContext::User* met = nullptr;
    const auto meets = [&](const RaceContext::User& u) {
      if (!met && concurrent(u.who, c.who)) met = &u;
    };
    const auto meets_any = [&](const RaceContext::Users& us) {
      meets(us.last), meets(us.other), meets(us.of_other_warp);
    };
    meets(seen.writer);
    if (use.writes()) meets_any(seen.readers);
    if (!update) meets_any(seen.updaters);
    if (met) return {met->from, &c};
    if (own_copy) continue;
    const RaceContext::User now{c.who, &from};
    if (update)
      seen.updaters.add(now);
    else if (use.writes())
      seen.writer = now;
    else
      seen.readers.add(now);
  }
  return {};
}

static std::string_view done_by(const Machine::Use& use) {
  return use.kind == Machine::Use::Kind::Read ? "read" : use.kind == Machine::Use::Kind::Write ? "written" : "updated";
}

void Machine::touch(const Memory& m, std::size_t memory, std::int64_t index, const Use& use, const Region& from) {
  std::uint64_t key = (static_cast<std::uint64_t>(memory) << 40) | static_cast<std::uint64_t>(index);
  const Meeting with = enter(key, m.depth, use, m.replicated, from);
  if (!with.other) return;
  race(m.name + "[" + std::to_string(index) + "] is " + std::string(done_by(use)) + in_parentheses(from) +
           " while another iteration or thread " + (use.writes() ? "uses" : "writes") + " it" +
           in_parentheses(*with.other),
       from, with);
}

void Machine::touch_variable(std::size_t slot, bool write, const Region& from) {
  std::uint64_t key = (std::uint64_t{1} << 63) | slot;
  const Meeting with = enter(key, variables[slot].depth, {write ? Use::Kind::Write : Use::Kind::Read}, true, from);
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

// ------------------------------------------------------------------------------------------------- blocks
void Machine::begin_block() {
  inside = Level::Workgroup;
  phases.clear();
  placed.clear();
  if (!options.detect_races) return;
  block_context = contexts.size() - 1;
  as_all();
}

void Machine::begin_warp(std::int64_t iteration) {
  inside = Level::Warp;
  const std::int64_t threads = options.threads_per_block;
  warp = threads > 0 ? iteration % ((threads + warp_size - 1) / warp_size) : iteration;
  lanes = threads > 0 ? std::min(warp_size, threads - warp * warp_size) : warp_size;
  if (!options.detect_races) return;
  warp_context = contexts.size() - 1;
  as_all();
}

void Machine::end_warp() {
  inside = Level::Workgroup;
  warp = no_warp;
  if (options.detect_races) contexts[block_context].who = {all_threads};
}

void Machine::as_thread(std::int64_t t) {
  const std::int64_t of = t / warp_size;
  contexts[block_context].who = {t, of, phases[of]};
}

void Machine::as_lane(std::int64_t l) {
  contexts[block_context].who = {warp * warp_size + l, warp, phases[warp]};
  contexts[warp_context].who = {l};
}

void Machine::as_all() {
  contexts[block_context].who = warp == no_warp ? Who{all_threads} : Who{all_threads, warp, phases[warp]};
  if (warp != no_warp) contexts[warp_context].who = {all_threads};
}

void Machine::barrier(Level scope) {
  const auto diverges = [&](const std::string& where) {
    fault(FaultKind::BarrierDivergence,
          (scope == Level::Warp ? "a barrier of a warp stands " : "a barrier stands ") + where);
  };
  if (inside == Level::Local) diverges("inside a local loop");
  if (scope == Level::Warp && inside != Level::Warp) diverges("outside a warp loop");
  if (inside == Level::Seq) diverges("outside a workgroup loop");
  if (scope != inside) diverges("inside a warp loop");
  if (scope == Level::Warp) ++phases[warp];
  if (!options.detect_races) return;
  contexts[scope == Level::Warp ? warp_context : block_context].seen.clear();
  as_all();
}

}  // namespace lockstep::kernel
