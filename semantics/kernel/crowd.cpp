// Tasks: how they begin, go on, wait for each other and end (crowd.h).
#include "semantics/kernel/crowd.h"

#include <algorithm>

#include "semantics/kernel/print.h"

namespace lockstep::kernel::flat {
namespace {

std::size_t count_of(const kernel::Buffer& b, const SizeValues& sizes) {
  const auto n = evaluate(b.count, sizes);
  if (!n || *n < 0) throw Bug("sizes that give '" + b.name + "' no length");
  return static_cast<std::size_t>(*n);
}

void insert_sorted(std::vector<TaskId>& ids, TaskId t) { ids.insert(std::lower_bound(ids.begin(), ids.end(), t), t); }

}  // namespace

Crowd::Crowd(const Code& code, const Program& program, const SizeValues& sizes, const Buffers& inputs,
             const Domain& domain, const CrowdOptions& options)
    : code_(code), program_(program), domain_(domain), options_(options), index_(index_range(program, sizes)) {
  Task& host = tasks_.emplace_back();
  host.values.resize(code.variables);
  host.defined.resize(code.variables, false);
  host.buffers.resize(code.buffers, no_memory);
  host.reached.resize(code.buffers, 0);
  for (std::size_t k = 0; k < program.sizes.size(); ++k) {
    const auto value = sizes.find(program.sizes[k]);
    if (value == sizes.end()) throw Bug("no value of the size '" + program.sizes[k] + "'");
    host.values[k] = make_integer(ScalarType::I64, static_cast<std::uint64_t>(value->second));
    host.defined[k] = true;
  }
  for (const kernel::Buffer& b : program.inputs) {
    const auto given = inputs.find(b.name);
    if (given == inputs.end() || given->second.size() != count_of(b, sizes))
      throw Bug("no input '" + b.name + "' of its length");
    host.buffers[memories_.size()] = memories_.size();
    memories_.push_back({b.name, b.type.scalar, 0, false, &given->second, {}, {}, {}, 0});
  }
  for (const kernel::Buffer& b : program.outputs) {
    const std::size_t n = count_of(b, sizes);
    host.buffers[memories_.size()] = memories_.size();
    memories_.push_back(
        {b.name, b.type.scalar, 0, false, nullptr, std::vector<Scalar>(n), std::vector<std::uint32_t>(n, 0), {}, 0});
  }
  runnable_.push_back(0);
  run_alone();
}

// ------------------------------------------------------------------------------------------------- going on
// What stops the run as a whole is kept; a trap stops its task only.
template <class F>
void Crowd::guarded(F f) {
  try {
    f();
  } catch (const Stopped& s) {
    if (!broken_) broken_ = s.fault;
  } catch (const UndecidedSignal& u) {
    undecided_ = u;
  }
  if (!broken_ && !undecided_) return;
  ready_.clear();
  runnable_.clear();
}

void Crowd::step(TaskId t) {
  ready_.erase(std::lower_bound(ready_.begin(), ready_.end(), t));
  guarded([&] {
    access(t);
    tasks_[t].next.reset();
    runnable_.push_back(t);
  });
  run_alone();
}

void Crowd::run_alone() {
  guarded([&] {
    while (!runnable_.empty()) {
      const TaskId t = runnable_.back();
      runnable_.pop_back();
      advance(t);
    }
  });
}

// Until the task stands before an access to what others may use, or waits.
void Crowd::advance(TaskId t) {
  for (;;) {
    Task& task = tasks_[t];
    if ((task.next = shared_access(task))) return insert_sorted(ready_, t);
    try {
      if (execute(t, code_.instructions[task.pc]) == Flow::Held) return;
    } catch (const TrapSignal& s) {
      if (!trapped_) trapped_ = s.trap;
      task.trapped = true;
      return end(t);
    }
  }
}

// ------------------------------------------------------------------------------------------------- tasks
Crowd::Flow Crowd::fork(TaskId t, const Fork& f) {
  Task& task = tasks_[t];
  task.extent = task.stack.back().integer();
  require_index(t, false, task.extent);
  task.stack.pop_back();
  task.begun = 0;
  task.live = 0;
  task.running = ++groups_;
  begin_iterations(t);
  if (task.live > 0) return Flow::Held;
  task.pc = f.after;
  return Flow::On;
}

void Crowd::begin_iterations(TaskId parent) {
  Task& task = tasks_[parent];
  const auto& f = std::get<Fork>(code_.instructions[task.pc].node);
  const auto each = static_cast<std::size_t>(std::max<std::int64_t>(f.threads, 1));
  for (; task.begun < task.extent && (task.live == 0 || (task.live + 1) * each <= options_.live); ++task.begun) {
    ++task.live;
    if (f.threads == 0) {
      begin_task(parent, Task::Kind::Iteration, task.begun, task);
      continue;
    }
    begin_task(parent, Task::Kind::Block, task.begun, task);
    const TaskId block = tasks_.size() - 1;
    tasks_[block].extent = f.threads;
    tasks_[block].warps.resize(static_cast<std::size_t>((f.threads - 1) / program_.launch.warp + 1));
    for (std::int64_t k = 0; k < f.threads; ++k) begin_task(block, Task::Kind::Thread, k, task);
  }
}

// `like`: whose variables and buffers it begins with.
void Crowd::begin_task(TaskId parent, Task::Kind kind, std::int64_t index, const Task& like) {
  const auto& f = std::get<Fork>(code_.instructions[like.pc].node);
  Task& task = tasks_.emplace_back();
  task.kind = kind;
  task.parent = parent;
  task.depth = tasks_[parent].depth + 1;
  task.group = kind == Task::Kind::Thread ? 0 : like.running;
  task.index = index;
  task.loop = f.loop;
  task.pc = like.pc + 1;
  task.buffers = like.buffers;
  task.reached = like.reached;
  if (kind == Task::Kind::Block) return;
  task.values = like.values;
  task.defined = like.defined;
  const std::int64_t i = kind == Task::Kind::Thread ? tasks_[parent].index : index;
  task.values[f.variable] = make_integer(ScalarType::I64, static_cast<std::uint64_t>(i));
  task.defined[f.variable] = true;
  runnable_.push_back(tasks_.size() - 1);
}

void Crowd::end(TaskId t) {
  Task& task = tasks_[t];
  task.stack.clear();
  if (t == 0) return;
  task.values = {};  // there may be many tasks, and nobody reads these any more
  task.defined = {};
  Task& parent = tasks_[task.parent];
  parent.trapped = parent.trapped || task.trapped;
  if (task.kind == Task::Kind::Thread) return held(t, true);
  ended_child(task.parent);
}

void Crowd::ended_child(TaskId t) {
  Task& task = tasks_[t];
  --task.live;
  if (!task.trapped) begin_iterations(t);
  if (task.live > 0) return;
  if (task.trapped) return end(t);
  task.pc = std::get<Fork>(code_.instructions[task.pc].node).after;
  runnable_.push_back(t);
}

// A thread of a block has come to a barrier or to its end.
void Crowd::held(TaskId thread, bool ended) {
  const TaskId block = tasks_[thread].parent;
  const Group warp = warp_of(tasks_[thread]);
  const auto w = static_cast<std::size_t>(tasks_[thread].index / program_.launch.warp);
  Task::Held& held = tasks_[block].warps[w];
  tasks_[thread].waiting = !ended;
  tasks_[thread].over = ended;
  ++(ended ? held.ended : held.waiting);
  if (ended) ++tasks_[block].ended;
  if (shuffled(warp)) return;
  if (held.waiting > 0 && held.waiting + held.ended == warp.count) {
    const auto at_own = [&](TaskId t) {
      return tasks_[t].waiting && std::get<Wait>(code_.instructions[tasks_[t].pc].node).of_warp;
    };
    for (TaskId t = warp.first; t < warp.first + static_cast<TaskId>(warp.count); ++t)
      if (at_own(t)) return meet(warp, Meeting::OfWarp);
  }
  Task& b = tasks_[block];
  if (b.ended == static_cast<std::size_t>(b.extent)) return end(block);
  std::int64_t waiting = 0;
  for (const Task::Held& h : b.warps) waiting += h.waiting;
  if (waiting > 0 && waiting + static_cast<std::int64_t>(b.ended) == b.extent)
    meet({block + 1, b.extent}, Meeting::OfBlock);
}

Crowd::Group Crowd::warp_of(const Task& thread) const {
  const std::int64_t size = program_.launch.warp, first = thread.index / size * size;
  return {thread.parent + 1 + static_cast<TaskId>(first), std::min(size, tasks_[thread.parent].extent - first)};
}

// All of the group wait or have ended, and some wait.
void Crowd::meet(const Group& group, Meeting meeting) {
  const TaskId end_of_group = group.first + static_cast<TaskId>(group.count);
  std::vector<TaskId> waiting;
  bool trapped = false;
  for (TaskId t = group.first; t < end_of_group; ++t) {
    if (tasks_[t].waiting) waiting.push_back(t);
    trapped = trapped || tasks_[t].trapped;
  }
  TaskId first = waiting[0];
  if (meeting == Meeting::AtShuffle)
    first = *std::find_if(waiting.begin(), waiting.end(), [&](TaskId t) { return exchange_of(t); });
  const std::size_t at = tasks_[first].pc;
  for (TaskId t = group.first; t < end_of_group; ++t) {
    if (!tasks_[t].waiting && (!tasks_[t].trapped || !options_.trap_meets_barriers))
      fault(first, FaultKind::BarrierDivergence,
            who(t) + (tasks_[t].trapped ? " traps" : " ends") + " without the " +
                (meeting == Meeting::AtShuffle ? "shuffle" : "barrier") + " that the others wait at" + parted_at(at));
    if (tasks_[t].waiting && tasks_[t].pc != at)
      fault(t, FaultKind::BarrierDivergence,
            meeting == Meeting::AtShuffle
                ? who(first) + " waits at a shuffle that " + who(t) + " does not come to" + parted_at(at)
                : std::string("two threads of a ") + (meeting == Meeting::OfWarp ? "warp" : "block") +
                      " wait at different barriers");
  }
  if (meeting == Meeting::AtShuffle && !trapped) exchange(group);
  Task& block = tasks_[tasks_[group.first].parent];
  for (const TaskId t : waiting) {
    Task& task = tasks_[t];
    task.waiting = false;
    --block.warps[static_cast<std::size_t>(task.index / program_.launch.warp)].waiting;
    if (meeting != Meeting::AtShuffle) ++(meeting == Meeting::OfWarp ? task.phase.warp : task.phase.block);
    ++task.pc;
    if (!trapped) runnable_.push_back(t);
  }
  if (!trapped) return;
  for (const TaskId t : waiting) {  // nothing after a trap
    tasks_[t].trapped = true;
    held(t, true);
  }
}

// The iterations of a loop that a thread runs: its first, and how far on the next is.
Crowd::Share Crowd::share_of(const Task& task, Dealt dealt) const {
  if (dealt == Dealt::No || task.kind != Task::Kind::Thread) return {0, 1};
  const std::int64_t threads = tasks_[task.parent].extent, warp = program_.launch.warp;
  switch (dealt) {
    case Dealt::Warps:
      return {task.index / warp, (threads - 1) / warp + 1};
    case Dealt::Lanes:
      return {task.index % warp, warp_of(task).count};
    case Dealt::Threads:
    case Dealt::No:
      break;
  }
  return {task.index, threads};
}

// ------------------------------------------------------------------------------------------------- the end
tl::expected<Buffers, Stop> Crowd::result() {
  if (undecided_) return tl::unexpected(Stop{*undecided_});
  if (broken_ && unwritten_ && broken_->kind != FaultKind::Race) return tl::unexpected(Stop{*unwritten_});
  if (broken_) return tl::unexpected(Stop{*broken_});
  if (trapped_) return tl::unexpected(Stop{*trapped_});
  if (unwritten_) return tl::unexpected(Stop{*unwritten_});
  Buffers out;
  for (std::size_t k = 0; k < program_.outputs.size(); ++k) {
    Memory& m = memories_[program_.inputs.size() + k];
    for (std::size_t i = 0; i < m.cells.size(); ++i)
      if (m.written[i] == 0)
        return tl::unexpected(
            Stop{Fault{FaultKind::Uninitialised, "output " + m.name + "[" + std::to_string(i) + "] is never written"}});
    out[m.name] = std::move(m.cells);
  }
  return out;
}

// ------------------------------------------------------------------------------------------------- words
std::string Crowd::who(TaskId t) const {
  std::string out;
  for (; t != 0; t = tasks_[t].parent) {
    const Task& task = tasks_[t];
    const std::string own = task.kind == Task::Kind::Thread ? "thread " + std::to_string(task.index)
                                                            : task.loop->name + " = " + std::to_string(task.index);
    out = own + (out.empty() ? "" : ", ") + out;
  }
  return out.empty() ? "the host" : out;
}

std::string Crowd::where(TaskId t) const { return t == 0 ? "" : " at " + who(t); }

// On one line: a statement that holds others by its head; with its place in the source.
std::string Crowd::statement_at(std::size_t pc) const {
  const Stmt* s = code_.instructions[pc].from;
  if (!s) return "what surrounds the program";
  return head_of(*s) + position_at(pc);
}

std::string Crowd::position_at(std::size_t pc) const {
  const Region* region = code_.instructions[pc].region;
  return region ? in_parentheses(*region) : "";
}

Region Crowd::region_at(std::size_t pc) const {
  const Region* region = code_.instructions[pc].region;
  return region ? *region : Region{};
}

void Crowd::fault(TaskId t, FaultKind kind, const std::string& message) const {
  throw Stopped{{kind, message + where(t), {region_at(tasks_[t].pc)}}};
}

}  // namespace lockstep::kernel::flat
