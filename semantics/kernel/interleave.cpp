// The orders of interleave.h: who goes on, among those that stand before an access.
#include "semantics/kernel/interleave.h"

#include <algorithm>
#include <random>

#include "semantics/core/table.h"
#include "semantics/kernel/crowd.h"

namespace lockstep::kernel {
namespace {

using flat::Crowd;
using flat::TaskId;

class Scheduler {
 public:
  Scheduler(const Program& program, const InterleaveOptions& o)
      : options_(o), warp_(o.warp > 0 ? o.warp : program.launch.warp), random_(o.seed) {}

  TaskId pick(const Crowd& crowd) {
    const std::vector<TaskId>& ready = crowd.ready();
    switch (options_.order) {
      case Interleaving::Forward:
        return ready.front();
      case Interleaving::Reverse:
        return ready.back();
      case Interleaving::Turns:
        return last_ = after(ready);
      case Interleaving::TurnsReverse:
        return last_ = before(ready);
      case Interleaving::Random:
        return ready[std::uniform_int_distribution<std::size_t>(0, ready.size() - 1)(random_)];
      case Interleaving::Warps:
        return last_ = in_warp(crowd, ready.front());
      case Interleaving::WarpsReverse:
        return last_ = in_warp(crowd, ready.back());
    }
    return ready.front();
  }

 private:
  TaskId after(const std::vector<TaskId>& ready) const {
    const auto at = std::upper_bound(ready.begin(), ready.end(), last_);
    return at == ready.end() ? ready.front() : *at;
  }
  TaskId before(const std::vector<TaskId>& ready) const {
    const auto at = std::lower_bound(ready.begin(), ready.end(), last_);
    return at == ready.begin() ? ready.back() : *(at - 1);
  }
  // The warp that went last goes on while it can, its threads in turn; then the one that `otherwise` is in.
  TaskId in_warp(const Crowd& crowd, TaskId otherwise) {
    const auto warp_of = [&](TaskId t) {
      const flat::Task& task = crowd.task(t);
      return std::pair(std::pair(task.parent, task.group), task.index / warp_);
    };
    const auto in = [&](const auto& warp) {
      std::vector<TaskId> out;
      for (const TaskId t : crowd.ready())
        if (warp_of(t) == warp) out.push_back(t);
      return out;
    };
    std::vector<TaskId> warp;
    if (crowd.task(last_).phase == phase_) warp = in(warp_of(last_));
    if (warp.empty()) warp = in(warp_of(otherwise));
    const TaskId next = after(warp);
    phase_ = crowd.task(next).phase;
    return next;
  }

  const InterleaveOptions& options_;
  const std::int64_t warp_;
  std::mt19937_64 random_;
  TaskId last_ = 0;
  flat::Phase phase_;  // its barriers, when it was chosen
};

}  // namespace

std::string_view show(Interleaving i) {
  static constexpr auto rows =
      table<Interleaving>({{Interleaving::Forward, "forward, with threads"},
                           {Interleaving::Reverse, "reverse, with threads"},
                           {Interleaving::Turns, "in turns at every access"},
                           {Interleaving::TurnsReverse, "in turns at every access, the last first"},
                           {Interleaving::Random, "at random at every access"},
                           {Interleaving::Warps, "warp by warp"},
                           {Interleaving::WarpsReverse, "warp by warp, the last first"}});
  return rows[i];
}

tl::expected<Buffers, Stop> run_interleaved(const Program& program, const SizeValues& sizes, const Buffers& inputs,
                                            const Domain& domain, const InterleaveOptions& options) {
  const flat::Code code = flat::flatten(program, sizes, domain, options.threads_per_block);
  flat::CrowdOptions how;
  how.races = options.detect_races ? flat::Races::Stop : flat::Races::Ignore;
  how.live = options.live;
  how.while_limit = options.while_limit;
  how.trap_meets_barriers = options.trap_meets_barriers;
  Crowd crowd(code, program, sizes, inputs, domain, how);
  Scheduler scheduler(program, options);
  while (!crowd.ready().empty()) crowd.step(scheduler.pick(crowd));
  return crowd.result();
}

}  // namespace lockstep::kernel
