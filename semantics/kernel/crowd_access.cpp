// A task's accesses to memory, and the races between them (crowd.h).
#include <algorithm>
#include <tuple>

#include "semantics/kernel/crowd.h"

namespace lockstep::kernel::flat {

bool commute(const Access& a, const Access& b) { return a.by && b.by && a.by->name == b.by->name; }

// Inputs are not written; what the task owns, nobody else uses while it runs itself.
std::optional<Access> Crowd::shared_access(const Task& task) const {
  std::size_t slot = 0, lane = 0, under = 0;
  const Instruction& i = code_.instructions[task.pc];
  const auto* write = std::get_if<Write>(&i.node);
  const auto* update = std::get_if<Update>(&i.node);
  if (const auto* read = std::get_if<Read>(&i.node)) {
    slot = read->buffer, lane = read->lane, under = read->lane;
  } else if (write) {
    slot = write->buffer, lane = write->lane, under = write->width;
  } else if (update) {
    slot = update->buffer, under = 1;
  } else {
    return {};
  }
  const std::size_t memory = task.buffers[slot];
  if (memory == no_memory || memories_[memory].input) return {};
  if (!memories_[memory].together && &tasks_[memories_[memory].owner] == &task) return {};
  const std::int64_t index = task.stack[task.stack.size() - 1 - under].integer() + static_cast<std::int64_t>(lane);
  if (index < 0 || static_cast<std::size_t>(index) >= memories_[memory].cells.size())
    return {};  // a fault, not an access
  return Access{memory, index, write || update, update ? update->primitive : nullptr};
}

Crowd::Memory& Crowd::at_index(TaskId t, std::size_t pc, std::size_t slot, std::int64_t index, const char* what) {
  const std::size_t memory = tasks_[t].buffers[slot];
  if (memory == no_memory) throw Bug("flat code uses a buffer before it is allocated");
  Memory& m = memories_[memory];
  const std::size_t n = m.input ? m.input->size() : m.cells.size();
  if (index < 0 || static_cast<std::size_t>(index) >= n)
    throw Stopped{{FaultKind::OutOfBounds,
                   m.name + "[" + std::to_string(index) + "] is " + what + position_at(pc) + ", which is outside [0, " +
                       std::to_string(n) + ")" + where(t),
                   {region_at(pc)}}};
  return m;
}

void Crowd::observe(TaskId t, std::size_t slot, std::int64_t index) const {
  const std::size_t memory = tasks_[t].buffers[slot];
  const Memory& m = memories_[memory];
  const Place place = m.together ? Place::Block : m.owner == 0 ? Place::Global : Place::Thread;
  options_.observe(*this, {t, tasks_[t].pc, memory, index, place});
}

// The instruction that the task stands at.
void Crowd::access(TaskId t) {
  Task& task = tasks_[t];
  if (task.next && options_.races != Races::Ignore) look_for_race(t, *task.next);
  const std::size_t pc = task.pc;
  const Instruction& i = code_.instructions[pc];
  if (const auto* write = std::get_if<Write>(&i.node)) {
    const std::size_t base = task.stack.size() - 1 - write->width;
    const std::int64_t index = task.stack[base].integer() + static_cast<std::int64_t>(write->lane);
    Memory& m = at_index(t, pc, write->buffer, index, "written");
    if (options_.observe) observe(t, write->buffer, index);
    ++task.pc;
    if (m.input) throw Bug("flat code writes an input");
    m.cells[static_cast<std::size_t>(index)] = task.stack[base + 1 + write->lane];
    m.written[static_cast<std::size_t>(index)] = std::max<std::uint32_t>(1, task.reached[write->buffer]);
    return;
  }
  if (const auto* u = std::get_if<Update>(&i.node)) return update(t, *u);
  const auto& read = std::get<Read>(i.node);
  const std::int64_t index =
      task.stack[task.stack.size() - 1 - read.lane].integer() + static_cast<std::int64_t>(read.lane);
  Memory& m = at_index(t, pc, read.buffer, index, "read");
  if (options_.observe) observe(t, read.buffer, index);
  ++task.pc;
  task.stack.push_back(m.input ? (*m.input)[static_cast<std::size_t>(index)] : held_at(t, pc, m, index, read.buffer));
}

// What is there. The run goes on where nothing is, with a zero: if it is a race, the other access is still to come and
// says more.
Scalar Crowd::held_at(TaskId t, std::size_t pc, const Memory& m, std::int64_t index, std::size_t slot) {
  const auto k = static_cast<std::size_t>(index);
  if (m.written[k] != 0 && m.written[k] >= tasks_[t].reached[slot]) return m.cells[k];
  if (!unwritten_)
    unwritten_ =
        Fault{FaultKind::Uninitialised,
              m.name + "[" + std::to_string(index) + "] is read" + position_at(pc) + " before it is written" + where(t),
              {region_at(pc)}};
  return is_float(m.type) ? domain_.from_ieee(m.type, 0) : make_integer(m.type, 0);
}

void Crowd::update(TaskId t, const Update& u) {
  Task& task = tasks_[t];
  const std::size_t pc = task.pc;
  const std::int64_t index = task.stack[task.stack.size() - 2].integer();
  Memory& m = at_index(t, pc, u.buffer, index, "updated");
  if (options_.observe) observe(t, u.buffer, index);
  if (m.input) throw Bug("flat code writes an input");
  const Scalar both[2] = {task.stack.back(), held_at(t, pc, m, index, u.buffer)};
  ++task.pc;
  const auto k = static_cast<std::size_t>(index);
  m.cells[k] = std::get<ScalarOp>(u.primitive->kind).meaning(domain_, m.type, both);
  m.written[k] = std::max<std::uint32_t>(1, task.reached[u.buffer]);
}

// The outermost tasks around the two that differ; the same where one is below the other.
std::pair<TaskId, TaskId> Crowd::siblings(TaskId a, TaskId b) const {
  while (tasks_[a].depth > tasks_[b].depth) a = tasks_[a].parent;
  while (tasks_[b].depth > tasks_[a].depth) b = tasks_[b].parent;
  while (a != b && tasks_[a].parent != tasks_[b].parent) a = tasks_[a].parent, b = tasks_[b].parent;
  return {a, b};
}

bool Crowd::concurrent(TaskId a, const Phase& phase_a, TaskId b, const Phase& phase_b) const {
  std::tie(a, b) = siblings(a, b);
  if (a == b) return false;                              // one is below the other, which waits for it
  if (tasks_[a].group != tasks_[b].group) return false;  // two loops, one after the other
  if (tasks_[a].kind != Task::Kind::Thread) return true;
  if (phase_a.block != phase_b.block) return false;
  const std::int64_t warp = program_.launch.warp;
  return tasks_[a].index / warp != tasks_[b].index / warp || phase_a.warp == phase_b.warp;
}

// The last write, and the reads and updates since: an access that races with an earlier one than these finds a race
// there already. An update by another operator than the first is like a write: one of the two races with any third.
void Crowd::look_for_race(TaskId t, const Access& a) {
  Memory& m = memories_[a.memory];
  if (m.seen.size() < m.cells.size()) m.seen.resize(m.cells.size());
  History& h = m.seen[static_cast<std::size_t>(a.index)];
  const Seen now{t, tasks_[t].phase, tasks_[t].pc};
  const auto meets = [&](const Seen& other) {
    if (other.task != t && concurrent(other.task, other.phase, t, now.phase)) note(t, a, other);
  };
  const bool update = a.by && (h.updates.empty() || h.by->name == a.by->name);
  if (h.write) meets(*h.write);
  if (a.write)
    for (const Seen& r : h.reads) meets(r);
  if (!update)
    for (const Seen& u : h.updates) meets(u);
  if (a.write && !update) {
    h = {now, {}, {}, nullptr};
    return;
  }
  std::vector<Seen>& since = update ? h.updates : h.reads;
  if (update) h.by = a.by;
  if (since.empty() || since.back().task != t || since.back().phase != now.phase) since.push_back(now);
}

// The body of the loop whose iterations the two are in, or whose block's threads they are.
std::pair<Region, bool> Crowd::where_apart(TaskId a, TaskId b) const {
  std::tie(a, b) = siblings(a, b);
  return {tasks_[a].loop->body->region, tasks_[a].kind == Task::Kind::Thread};
}

void Crowd::note(TaskId t, const Access& a, const Seen& other) {
  if (race_) return;
  const auto made = [&](TaskId task, std::size_t pc) {
    const auto& node = code_.instructions[pc].node;
    const std::string did = std::holds_alternative<Read>(node)    ? "read by "
                            : std::holds_alternative<Write>(node) ? "written by "
                                                                  : "updated by ";
    return did + who(task) + " in " + statement_at(pc);
  };
  const bool threads = tasks_[t].kind == Task::Kind::Thread && tasks_[t].parent == tasks_[other.task].parent;
  race_ =
      Fault{FaultKind::Race,
            memories_[a.memory].name + "[" + std::to_string(a.index) + "] is " + made(other.task, other.at) + " and " +
                made(t, tasks_[t].pc) + (threads ? ", with no barrier between them" : ", in either order"),
            {region_at(other.at), region_at(tasks_[t].pc)}};
  std::tie(race_->loop, race_->of_threads) = where_apart(t, other.task);
  if (options_.races == Races::Stop) throw Stopped{*race_};
}

}  // namespace lockstep::kernel::flat
