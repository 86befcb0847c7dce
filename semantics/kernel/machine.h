// What the kernel interpreter's closures act on: variables and buffers by slot, the loops that are running, and the
// accesses seen since each parallel loop began (run.cpp compiles, this executes).
//
// Races. Each parallel loop that runs is a context with a table: for each scalar, which iteration wrote it and which
// read it (and that another one did). An access is entered in the contexts that the scalar is older than; what an
// iteration declares or allocates itself is its own. A block has one context more, over its threads and emptied at each
// barrier, so that what one local loop writes is no other thread's before a barrier; an iteration of a warp loop has
// one too, over the warp's lanes. A barrier of a warp orders the accesses of its lanes, so that a block's context tells
// the warps and their phases apart. A thread that is "all" stands for the code between local loops, which every thread
// of the block, or of the warp, runs; its stores to memory that they share are the first one's.
#pragma once
#include <random>
#include <unordered_map>
#include <vector>

#include "semantics/kernel/index_width.h"
#include "semantics/kernel/run.h"

namespace lockstep::kernel {

struct FaultSignal {
  Fault fault;
};

struct Memory {
  std::string name;
  std::vector<Scalar> cells;
  std::vector<std::uint32_t> written;  // the epoch of the last write: initialised where it is the present one
  std::uint32_t epoch = 0;
  std::int64_t count = 0;
  const Scalar* input = nullptr;  // of an input: its cells
  std::size_t depth = 0;          // race contexts that were running when it was allocated
  bool replicated = false;        // a block's private one: each thread has a copy
};

struct Variable {
  std::string name;
  std::size_t depth = 0;
};

constexpr std::int64_t nobody = -2, all_threads = -1, no_warp = -1;

// An iteration; or a thread, in a block's context with its warp and the barriers that the warp has met.
struct Who {
  std::int64_t thread = nobody;
  std::int64_t warp = no_warp;
  std::size_t phase = 0;
};

struct RaceContext {
  enum class Over { Iterations, Threads, Lanes };
  struct User {
    Who who;
    const Region* from = nullptr;  // in the source
  };
  // Of accesses that are no race with each other: the last two that are not ordered, and the last of another warp than
  // theirs.
  struct Users {
    User last, other, of_other_warp;
    void add(const User& u);
  };
  struct Seen {
    User writer;
    Users readers, updaters;        // updaters: atomically, all by one operator
    const Primitive* by = nullptr;  // that operator
  };
  std::unordered_map<std::uint64_t, Seen> seen;
  Who who;
  Over over = Over::Iterations;
  const Region* loop = nullptr;  // its body, in the source
  bool of_iterations() const { return over == Over::Iterations; }
};

class Machine {
 public:
  Machine(const Domain& d, const RunOptions& o, const Launch& l, const IndexRange& i)
      : domain(d), options(o), index(i), random(o.seed), warp_size(l.warp), warps(warps_of(l)) {}

  const Domain& domain;
  const RunOptions options;
  const IndexRange index;
  std::vector<Scalar> values;          // of variables, a slot a lane
  std::vector<unsigned char> defined;  // by slot
  std::vector<Variable> variables;     // by slot
  std::vector<Memory> memories;
  std::vector<std::size_t> running;   // the slots of the running loops' variables, outermost first
  std::vector<RaceContext> contexts;  // empty unless races are detected
  std::mt19937_64 random;
  std::uint64_t while_steps = 0;
  Counted counted;        // so far; `space` is the most that was live at one time
  std::int64_t live = 0;  // scalars allocated now
  // An atomic update by an operator is no race with another by it.
  struct Use {
    enum class Kind { Read, Write, Update } kind;
    const Primitive* by = nullptr;  // of an update
    bool writes() const { return kind != Kind::Read; }
  };
  void count(std::int64_t scalars) { counted.work += scalars, counted.depth += scalars; }

  // ---- the block that runs
  Level inside = Level::Seq;                             // the innermost of Workgroup, Warp and Local around
  const std::int64_t warp_size, warps;                   // threads of a warp, warps of a block
  std::int64_t warp = no_warp, lanes = 0;                // in a warp loop: its number, and how many it has
  std::size_t block_context = 0, warp_context = 0;       // where races are detected
  std::unordered_map<std::int64_t, std::size_t> phases;  // barriers met, by the block's warps
  void begin_block();
  void begin_warp(std::int64_t iteration);
  void end_warp();
  // Who goes on: a thread of the block, a lane of the warp, all of them.
  void as_thread(std::int64_t t);
  void as_lane(std::int64_t l);
  void as_all();
  void barrier(Level scope);

  [[noreturn]] void fault(FaultKind kind, const std::string& message, std::vector<Region> at = {}) const;
  // Of an index that overflows the machine's own arithmetic, or its range.
  void require_index(bool overflows, std::int64_t i) const {
    if (overflows || !index.holds(i)) fault(FaultKind::Overflow, beyond(index));
  }

  void allocate(std::size_t memory, std::int64_t count, const Region& from);
  // Of a block's memory, in bytes: those of arrays that say where they begin, by slot.
  struct Range {
    std::int64_t first, end;
  };
  std::unordered_map<std::size_t, Range> placed;
  void place(std::size_t memory, std::int64_t first, std::int64_t bytes, std::int64_t of_scalar, const Region& from);
  // `from`: where in the source the access stands.
  const Scalar& read(std::size_t memory, std::int64_t index, const Region& from) {
    Memory& m = memories[memory];
    count(1), ++counted.words;
    if (index < 0 || index >= m.count) outside(m, index, "read", from);
    if (m.input) return m.input[index];
    auto i = static_cast<std::size_t>(index);
    if (m.written[i] != m.epoch) unwritten(m, index, from);
    if (m.depth < contexts.size()) touch(m, memory, index, {Use::Kind::Read}, from);
    return m.cells[i];
  }
  void write(std::size_t memory, std::int64_t index, Scalar value, const Region& from) {
    Memory& m = memories[memory];
    count(1), ++counted.writes, ++counted.words;
    if (index < 0 || index >= m.count) outside(m, index, "written", from);
    if (m.depth < contexts.size()) touch(m, memory, index, {Use::Kind::Write}, from);
    auto i = static_cast<std::size_t>(index);
    m.cells[i] = std::move(value);
    m.written[i] = m.epoch;
  }
  // In one step: the operator's value on `value` and what was there.
  void update(std::size_t memory, std::int64_t index, const Primitive& by, const Scalar& value, const Region& from);

  const Scalar& get(std::size_t slot, const Region& from) {
    if (!defined[slot]) unset(slot, from);
    if (variables[slot].depth < contexts.size()) touch_variable(slot, false, from);
    return values[slot];
  }
  void set(std::size_t slot, Scalar value, const Region& from) {
    ++counted.writes;
    define(slot, std::move(value), from);
  }
  // The value that a variable is declared with: its name, and no write.
  void define(std::size_t slot, Scalar value, const Region& from) {
    if (variables[slot].depth < contexts.size()) touch_variable(slot, true, from);
    values[slot] = std::move(value);
    defined[slot] = 1;
  }
  void declare(std::size_t slot) {
    defined[slot] = 0;
    variables[slot].depth = birth();
  }
  void set_index(std::size_t slot, std::int64_t i) { values[slot].bits = static_cast<std::uint64_t>(i); }

  // The first context that what is declared now can be shared in: a block's threads share what the block declares, a
  // warp's lanes what the warp does.
  std::size_t birth() const {
    return contexts.size() - (!contexts.empty() && !contexts.back().of_iterations() ? 1 : 0);
  }
  // Runs a body whose accesses are held apart; `loop`: where its own body stands.
  template <class Body>
  void in_context(RaceContext::Over over, const Region* loop, Body body) {
    if (!options.detect_races) return body();
    contexts.push_back({{}, {all_threads}, over, loop});
    body();
    contexts.pop_back();
  }
  // The order in which a parallel loop's iterations run.
  template <class Body>
  void in_order(std::int64_t extent, Body body) {
    if (options.schedule == Schedule::Forward)
      for (std::int64_t i = 0; i < extent; ++i) body(i);
    else if (options.schedule == Schedule::Reverse)
      for (std::int64_t i = extent; i-- > 0;) body(i);
    else
      for (std::int64_t i : permutation(extent)) body(i);
  }

 private:
  struct Meeting {
    const Region* other = nullptr;  // where the access stands that it races with; none where it does not
    const RaceContext* context = nullptr;
  };
  std::string iterations() const;  // " at i = 3, j = 0"
  [[noreturn]] void outside(const Memory& m, std::int64_t index, const char* what, const Region& from) const;
  [[noreturn]] void unwritten(const Memory& m, std::int64_t index, const Region& from) const;
  [[noreturn]] void unset(std::size_t slot, const Region& from) const;
  [[noreturn]] void race(const std::string& message, const Region& from, const Meeting& with) const;
  void touch(const Memory& m, std::size_t memory, std::int64_t index, const Use& use, const Region& from);
  void touch_variable(std::size_t slot, bool write, const Region& from);
  Meeting enter(std::uint64_t key, std::size_t depth, const Use& use, bool replicated, const Region& from);
  std::vector<std::int64_t> permutation(std::int64_t extent);
};

}  // namespace lockstep::kernel
