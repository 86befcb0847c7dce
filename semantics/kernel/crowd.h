// The threads that run flat code, each stopped before its next access to memory that others may use, so that whoever
// holds the crowd chooses who goes on. In: code, sizes and inputs; out: the outputs, or why there are none.
//
// A task is an iteration of a parallel loop, a block, or a thread of a block. Every thread of a block runs all of the
// block's code: of a local loop the iterations that are its own, of the code between them everything but stores to what
// the threads share, which the first one makes, with what they read. A warp loop is run by the block's warps, the lanes
// of each running all of the code of its iterations in the same way. A barrier holds each thread of its scope until all
// have come to it.
//
// Two accesses are concurrent where nothing in the program's structure orders them: they are made by (or below) two
// iterations of one running of a parallel loop, or by two threads of a block with as many barriers behind them and, if
// they are of one warp, with as many of the warp's. This does not depend on the order that is run, so a race is found
// in every order in which both accesses are made.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <optional>

#include "semantics/kernel/flat.h"
#include "semantics/kernel/gpu_model.h"
#include "semantics/kernel/index_width.h"
#include "semantics/kernel/run.h"

namespace lockstep::kernel::flat {

using TaskId = std::size_t;
inline constexpr std::size_t no_memory = static_cast<std::size_t>(-1);  // a buffer that is not allocated yet

struct Access {  // to a scalar that other tasks may use
  std::size_t memory = 0;
  std::int64_t index = 0;
  bool write = false;
  const Primitive* by = nullptr;  // of an atomic update, which is a write: its operator
};
// Two atomic updates by one operator, which may come in any order.
bool commute(const Access& a, const Access& b);
// Their order matters.
inline bool conflict(const Access& a, const Access& b) {
  return a.memory == b.memory && a.index == b.index && (a.write || b.write) && !commute(a, b);
}

// An access, a branch or a barrier, as a task comes to it: the instruction that it stands at says which.
struct Event {
  TaskId task = 0;
  std::size_t at = 0;           // instruction
  std::size_t memory = 0;       // of an access
  std::int64_t value = 0;       // its index, or whether the branch's condition holds
  Place place = Place::Global;  // of an access
};

enum class Races {
  Ignore,
  Stop,    // the run
  Record,  // and go on: race() is the first
};
class Crowd;
struct CrowdOptions {
  Races races = Races::Stop;
  std::int64_t threads_per_block = 0;  // 0: as flatten() says
  std::size_t live = 64;               // tasks of one parallel loop at a time; later iterations begin as others end
  std::uint64_t while_limit = 0;       // iterations of while loops that one task runs; 0: no limit
  // A thread that trapped counts as one that meets every barrier, as generated code arranges; otherwise the barriers
  // that it leaves behind diverge.
  bool trap_meets_barriers = true;
  std::function<void(const Crowd&, const Event&)> observe{};  // called before it happens
};

struct Phase {  // barriers met
  std::size_t block = 0, warp = 0;
  friend bool operator==(const Phase&, const Phase&) = default;
};

struct Task {
  enum class Kind { Iteration, Block, Thread };
  Kind kind = Kind::Iteration;
  TaskId parent = 0;
  std::size_t depth = 0;
  std::size_t group = 0;              // siblings of one group are concurrent: a running of a parallel loop
  std::int64_t index = 0;             // of the iteration, block or thread
  const ParallelFor* loop = nullptr;  // that it is an iteration of, or its block is
  Phase phase;                        // of a thread
  // Where it is.
  std::size_t pc = 0;
  struct Loop {  // instructions [first, last], run again `rounds` times
    std::size_t first, last;
    std::int64_t rounds;
  };
  std::vector<Loop> loops;            // outermost first, where they are observed; those that it has left may stand last
  std::vector<Scalar> stack, values;  // values: of variables, by slot
  std::vector<bool> defined;
  std::vector<std::size_t> buffers;  // memory by slot
  std::vector<std::uint32_t>
      reached;                 // of a block's buffers by slot: how often it was allocated, as this thread sees it
  std::optional<Access> next;  // made when it is chosen
  bool waiting = false, trapped = false, over = false;  // over: of a thread, that it has ended
  std::uint64_t while_steps = 0;
  // Its iterations or threads.
  std::size_t running = 0;  // their group, of a parallel loop
  std::size_t live = 0, ended = 0;
  std::int64_t begun = 0, extent = 0;
  struct Held {  // of a block's warps: threads that wait, or have ended
    std::int64_t waiting = 0, ended = 0;
  };
  std::vector<Held> warps;
  // Of a thread: iterations of warp loops begun; and, of a warp's first, what its lanes have together in each, by slot.
  std::size_t warp_iterations = 0;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> of_warp;
};

class Crowd {
 public:
  // `code` is the program's. Inputs of the wrong length are a Bug.
  Crowd(const Code& code, const Program& program, const SizeValues& sizes, const Buffers& inputs, const Domain& domain,
        const CrowdOptions& options);

  // Tasks that stand before an access, in the order of their making. Nobody: the run is over.
  const std::vector<TaskId>& ready() const { return ready_; }
  const Task& task(TaskId t) const { return tasks_[t]; }
  // The access, and what the task does alone after it.
  void step(TaskId t);
  // Whether neither task's access stands before the other's in every order; phases as of the accesses.
  bool concurrent(TaskId a, const Phase& phase_a, TaskId b, const Phase& phase_b) const;
  // When nobody is ready. To be asked once.
  tl::expected<Buffers, Stop> result();
  const std::optional<Fault>& race() const { return race_; }
  bool broken() const { return broken_.has_value(); }  // a fault ended the run before its end

 private:
  struct Seen {
    TaskId task;
    Phase phase;
    std::size_t at;  // instruction
  };
  struct History {
    std::optional<Seen> write;
    std::vector<Seen> reads, updates;  // since; the updates are by one operator
    const Primitive* by = nullptr;     // that operator
  };
  struct Memory {
    std::string name;
    ScalarType type = ScalarType::I64;
    TaskId owner = 0;
    bool together = false;  // threads have it together, of which the owner may be the first
    const std::vector<Scalar>* input = nullptr;
    std::vector<Scalar> cells;
    std::vector<std::uint32_t> written;  // 0: never; otherwise in which of the allocations
    std::vector<History> seen;
    std::uint32_t allocations = 0;  // of what threads have together
  };
  struct Stopped {
    Fault fault;
  };
  enum class Flow { On, Held };  // after an instruction: the task goes on, or waits for the scheduler or for others

  template <class F>
  void guarded(F f);
  void run_alone();
  void advance(TaskId t);
  struct Execution;
  Flow execute(TaskId t, const Instruction& i);
  void observe(TaskId t, std::size_t slot, std::int64_t index) const;
  void run_again(Task& task, std::size_t first) const;
  // The accesses.
  std::optional<Access> shared_access(const Task& task) const;
  void access(TaskId t);
  Memory& at_index(TaskId t, std::size_t pc, std::size_t slot, std::int64_t index, const char* what);
  void update(TaskId t, const Update& u);
  Scalar held_at(TaskId t, std::size_t pc, const Memory& m, std::int64_t index, std::size_t slot);
  void look_for_race(TaskId t, const Access& a);
  std::pair<TaskId, TaskId> siblings(TaskId a, TaskId b) const;
  std::pair<Region, bool> where_apart(TaskId a, TaskId b) const;
  void note(TaskId t, const Access& a, const Seen& other);
  // Statements.
  void compute(TaskId t, ArithOp op);
  void operate(TaskId t, const Operate& o);
  void allocate(TaskId t, const New& n);
  [[noreturn]] void trap(Task& task, const Check& c);
  // Tasks.
  Flow fork(TaskId t, const Fork& f);
  void begin_iterations(TaskId parent);
  void begin_task(TaskId parent, Task::Kind kind, std::int64_t index, const Task& like);
  void end(TaskId t);
  void ended_child(TaskId parent);
  void held(TaskId thread, bool ended);
  struct Group {  // threads that a barrier holds together
    TaskId first;
    std::int64_t count;
  };
  Group warp_of(const Task& thread) const;
  enum class Meeting { OfBlock, OfWarp, AtShuffle };
  void meet(const Group& group, Meeting meeting);
  // Of a thread that waits at a shuffle.
  const Exchange* exchange_of(TaskId thread) const;
  Group segment_of(TaskId thread) const;
  bool shuffled(const Group& warp);
  void exchange(const Group& segment);
  std::string parted_at(std::size_t pc) const;
  struct Share {
    std::int64_t first, step;
  };
  Share share_of(const Task& task, Dealt dealt) const;
  // Words.
  std::string where(TaskId t) const;
  std::string who(TaskId t) const;
  std::string statement_at(std::size_t pc) const;
  std::string position_at(std::size_t pc) const;  // in the source
  Region region_at(std::size_t pc) const;
  [[noreturn]] void fault(TaskId t, FaultKind kind, const std::string& message) const;
  void require_index(TaskId t, bool overflows, std::int64_t i) const;  // of an index that may be beyond its range

  const Code& code_;
  const Program& program_;
  const Domain& domain_;
  const CrowdOptions options_;
  const IndexRange index_;
  std::deque<Task> tasks_;
  std::deque<Memory> memories_;
  std::vector<TaskId> ready_, runnable_;
  std::size_t groups_ = 0;
  std::optional<Fault> race_, broken_, unwritten_;
  std::optional<Trap> trapped_;
  std::optional<UndecidedSignal> undecided_;
};

}  // namespace lockstep::kernel::flat
