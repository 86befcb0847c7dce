// Shuffles: lanes that wait for the others of their segment, and what they are given then (crowd.h).
#include <algorithm>

#include "semantics/kernel/crowd.h"
#include "semantics/kernel/print.h"

namespace lockstep::kernel::flat {

const Exchange* Crowd::exchange_of(TaskId thread) const {
  const Task& task = tasks_[thread];
  return task.waiting ? std::get_if<Exchange>(&code_.instructions[task.pc].node) : nullptr;
}

// Those of the warp's lanes that a shuffle holds together.
Crowd::Group Crowd::segment_of(TaskId thread) const {
  const Exchange& x = *exchange_of(thread);
  const Group warp = warp_of(tasks_[thread]);
  const std::int64_t lane = static_cast<std::int64_t>(thread - warp.first), width = x.shuffle->width;
  if (lane >= x.lanes || x.lanes > warp.count)
    fault(thread, FaultKind::BarrierDivergence,
          "a shuffle is for " + std::to_string(x.lanes) + " lanes, the warp has " + std::to_string(warp.count));
  const std::int64_t first = lane / width * width;
  return {warp.first + static_cast<TaskId>(first), std::min(width, x.lanes - first)};
}

// Whether lanes went on, or were stopped, that wait at a shuffle which nobody else can come to any more. Those that can
// go on do: others of a larger segment may wait for them.
bool Crowd::shuffled(const Group& warp) {
  const auto all_of = [&](const Group& g, const auto& holds) {
    for (TaskId t = g.first; t < g.first + static_cast<TaskId>(g.count); ++t)
      if (!holds(tasks_[t])) return false;
    return true;
  };
  for (const bool there : {true, false})
    for (TaskId t = warp.first; t < warp.first + static_cast<TaskId>(warp.count); ++t) {
      if (!exchange_of(t)) continue;
      const Group segment = segment_of(t);
      const std::size_t at = tasks_[t].pc;
      if (!all_of(segment, [&](const Task& l) { return there ? l.waiting && l.pc == at : l.waiting || l.over; }))
        continue;
      meet(segment, Meeting::AtShuffle);
      return true;
    }
  return false;
}

// All of the segment wait at one shuffle.
void Crowd::exchange(const Group& segment) {
  const Exchange& x = *exchange_of(segment.first);
  const TaskId end = segment.first + static_cast<TaskId>(segment.count);
  const Task& first = tasks_[segment.first];
  std::vector<Scalar> given;
  for (TaskId t = segment.first; t < end; ++t) {
    const Task& task = tasks_[t];
    const bool same = task.warp_iterations == first.warp_iterations &&
                      std::all_of(x.rounds.begin(), x.rounds.end(),
                                  [&](std::size_t v) { return task.values[v].bits == first.values[v].bits; });
    if (!same)
      fault(t, FaultKind::BarrierDivergence, "lanes come to a shuffle in different rounds" + parted_at(task.pc));
    given.push_back(task.stack[task.stack.size() - 2]);
  }
  for (TaskId t = segment.first; t < end; ++t) {
    auto& stack = tasks_[t].stack;
    const std::int64_t lane = stack.back().integer();
    if (lane < 0 || lane >= segment.count)
      fault(t, FaultKind::OutOfBounds,
            "a shuffle reads lane " + std::to_string(lane) +
                (lane >= 0 && lane < x.shuffle->width
                     ? ", which has exited: " + std::to_string(segment.count) + " lanes of the segment run the loop"
                     : " of a segment of " + std::to_string(x.shuffle->width)) +
                ", in " + statement_at(tasks_[t].pc));
    stack.pop_back();
    stack.back() = given[static_cast<std::size_t>(lane)];
  }
}

// The branch that a shuffle stands in.
std::string Crowd::parted_at(std::size_t pc) const {
  const auto* x = std::get_if<Exchange>(&code_.instructions[pc].node);
  if (!x || !x->branch) return "";
  return ", in the branch " + head_of(*x->branch);
}

}  // namespace lockstep::kernel::flat
