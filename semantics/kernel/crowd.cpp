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
    : code_(code), program_(program), domain_(domain), options_(options) {
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
    memories_.push_back({b.name, b.type.scalar, 0, &given->second, {}, {}, {}, 0});
  }
  for (const kernel::Buffer& b : program.outputs) {
    const std::size_t n = count_of(b, sizes);
    host.buffers[memories_.size()] = memories_.size();
    memories_.push_back(
        {b.name, b.type.scalar, 0, nullptr, std::vector<Scalar>(n), std::vector<std::uint32_t>(n, 0), {}, 0});
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
  if (task.kind == Task::Kind::Thread) {
    ++parent.ended;
    return meet(task.parent);
  }
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

// A thread of the block has come to a barrier or to its end.
void Crowd::meet(TaskId block) {
  Task& b = tasks_[block];
  const auto threads = static_cast<std::size_t>(b.extent);
  if (b.ended == threads) return end(block);
  std::vector<TaskId> waiting;
  for (TaskId t = block + 1; t <= block + threads; ++t)
    if (tasks_[t].waiting) waiting.push_back(t);
  if (waiting.empty() || waiting.size() + b.ended < threads) return;
  std::size_t at = tasks_[waiting[0]].pc;
  for (TaskId t = block + 1; t <= block + threads; ++t) {
    if (!tasks_[t].waiting && (!tasks_[t].trapped || !options_.trap_meets_barriers))
      fault(waiting[0], FaultKind::BarrierDivergence,
            who(t) + (tasks_[t].trapped ? " traps" : " ends") + " without the barrier that the others wait at");
    if (tasks_[t].waiting && tasks_[t].pc != at)
      fault(t, FaultKind::BarrierDivergence, "two threads of a block wait at different barriers");
  }
  for (const TaskId t : waiting) {
    tasks_[t].waiting = false;
    ++tasks_[t].phase;
    ++tasks_[t].pc;
    if (b.trapped) {
      ++b.ended;  // nothing after a trap
    } else {
      runnable_.push_back(t);
    }
  }
  if (b.ended == threads) end(block);
}

std::int64_t Crowd::threads_of(const Task& task) const {
  return task.kind == Task::Kind::Thread ? tasks_[task.parent].extent : 1;
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
  std::string text = print(*s);
  if (const auto line = text.find('\n'); line != std::string::npos) text.resize(line);
  return "`" + text + "`" + position_at(pc);
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
