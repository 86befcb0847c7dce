// Dealing elements and chunks to units, and counting.
#include "semantics/fcl/cost_machine.h"

#include <algorithm>

namespace lockstep::fcl::costing {
namespace {

Clock later(const Clock& a, const Clock& b) { return {a.depth + b.depth, a.dealt + b.dealt, a.rounds + b.rounds}; }
Clock longer(const Clock& a, const Clock& b) {
  return {std::max(a.depth, b.depth), std::max(a.dealt, b.dealt), std::max(a.rounds, b.rounds)};
}
// After the rounds before, another one: side by side where there is a unit for each.
void add_round(Clock& all, const Clock& round, std::int64_t rounds_of_each) {
  all.depth = std::max(all.depth, round.depth);
  all.dealt += round.dealt;
  all.rounds += round.rounds + rounds_of_each;
}

constexpr auto private_memory = static_cast<std::size_t>(Memory::Private);
constexpr auto shared_memory = static_cast<std::size_t>(Memory::Shared);

}  // namespace

Memory Machine::memory() const {
  if (level_ == most_above) return Memory::Global;
  return level_ == thread_level.above ? Memory::Private : Memory::Shared;
}

void Machine::limit(std::int64_t work) const {
  if (limit_ > 0 && work > limit_) throw TrapSignal{{"cost", std::string(work_limit_message), {}}};
}
void Machine::work() {
  ++clock_.depth, ++clock_.dealt;
  limit(++done_);
}

void Machine::operation() {
  ++costs_.operations;
  costs_.of_units += does_ == nullptr;
  work();
}

std::size_t Machine::row_of(const Place& place, std::size_t leaf, bool is_store) {
  for (std::size_t k = 0; k < costs_.accesses.size(); ++k) {
    const ArrayAccesses& a = costs_.accesses[k];
    if (a.leaf == leaf && a.is_store == is_store && a.memory == place.memory && a.array == place.array &&
        a.region.begin == place.region.begin && a.region.source == place.region.source)
      return k;
  }
  costs_.accesses.push_back({place.array, place.region, leaf, place.memory, is_store});
  return costs_.accesses.size() - 1;
}

void Machine::access(const Place& place, std::size_t leaf, std::int64_t index, std::int64_t bytes, bool is_store,
                     bool alone) {
  ++(is_store ? costs_.stores : costs_.loads)[static_cast<std::size_t>(place.memory)];
  work();
  if (place.memory == Memory::Private) return;
  const Access a{row_of(place, leaf, is_store), place.id, index, bytes};
  if (does_ && !alone)
    does_->push_back({a});
  else
    issue_alone(a, costs_);
}

void Machine::branch(std::int64_t way, const std::function<void()>& inside) {
  if (!does_) return inside();
  Branch made{way, {}};
  Does* const outside = std::exchange(does_, &made.inside);
  inside();
  does_ = outside;
  does_->push_back({std::move(made)});
}

void Machine::rounds(bool is_while, const std::function<bool()>& round) {
  if (!does_) {
    while (round()) continue;
    return;
  }
  Loop made{is_while, {}};
  Does* const outside = does_;
  for (bool goes_on = true; goes_on;) {
    Does inside;
    does_ = &inside;
    goes_on = round();
    made.rounds.push_back(std::move(inside));
  }
  does_ = outside;
  does_->push_back({std::move(made)});
}

void Machine::hold(Memory memory, const std::function<std::int64_t()>& make) {
  const auto m = static_cast<std::size_t>(memory);
  const std::int64_t before = held_[m], most = std::exchange(most_held_[m], before);
  const std::int64_t bytes = make();
  most_held_[m] = std::max(most, most_held_[m] + bytes);
  held_[m] = before + bytes;
}

void Machine::scope(const std::function<void()>& what) {
  const ByMemory held = held_;
  what();
  held_ = held;
}

void Machine::made() {
  if (level_ == most_above)
    ++costs_.launches;
  else if (level_ == block_level.above)
    ++costs_.barriers;
  else if (level_ == warp_level.above)
    ++costs_.warp_barriers;
}

void Machine::deal_elements(int level, std::int64_t n, const Each& element) {
  const std::int64_t block = launch_.block;
  if (level == thread_level.above) return one_after_another(n, element);
  if (level == warp_level.above) return to_threads(std::min<std::int64_t>(launch_.warp, block), n, element, 1);
  to_threads(level == block_level.above ? block : block * launch_.grid, n, element, 1);
}
void Machine::deal_chunks(int level, std::int64_t n, const Each& chunk) {
  if (level == thread_level.above) return to_threads(std::min(launch_.warp, launch_.block), n, chunk, 0);
  to_units(level, level == warp_level.above ? warps_of(launch_) : launch_.grid, n, chunk);
}

void Machine::as_thread(const Each& each, std::int64_t i, Does& does) {
  does_ = &does;
  const std::int64_t held = held_[private_memory];
  each(i);
  held_[private_memory] = held;
}

void Machine::to_threads(std::int64_t units, std::int64_t n, const Each& each, std::int64_t rounds_of_each) {
  const Clock before = clock_;
  const int outside = std::exchange(level_, thread_level.above);
  Clock all;
  std::vector<std::pair<std::int64_t, Does>> warp;
  const auto issue = [&] {
    std::vector<Lane> lanes;
    for (const auto& [lane, does] : warp) lanes.push_back({lane, &does});
    issue_together(lanes, costs_);
    warp.clear();
  };
  for (std::int64_t first = 0; first < n; first += units) {
    Clock round;
    for (std::int64_t i = first; i < std::min(n, first + units); ++i) {
      const std::int64_t lane = (i - first) % launch_.block % launch_.warp;
      if (lane == 0) issue();
      clock_ = {};
      as_thread(each, i, warp.emplace_back(lane, Does{}).second);
      round = longer(round, clock_);
    }
    issue();
    add_round(all, round, rounds_of_each);
  }
  does_ = nullptr;
  level_ = outside;
  clock_ = later(before, all);
}

void Machine::one_after_another(std::int64_t n, const Each& element) {
  if (n == 0) return;
  clock_.rounds += n;
  const int outside = std::exchange(level_, thread_level.above);
  Does alone;
  Does* const thread = does_;
  if (!thread) does_ = &alone;
  std::int64_t i = 0;
  rounds(false, [&] {
    as_thread(element, i, *does_);
    return ++i < n;
  });
  does_ = thread;
  level_ = outside;
  if (!thread) issue_together({{0, &alone}}, costs_);
}

// A block has shared memory of its own; warps of a block have theirs at once, in the block's.
void Machine::to_units(int level, std::int64_t units, std::int64_t n, const Each& chunk) {
  const Clock before = clock_;
  const int outside = std::exchange(level_, level);
  const std::int64_t held = held_[shared_memory], most = most_held_[shared_memory];
  std::vector<std::int64_t> of_unit(static_cast<std::size_t>(std::min(units, n)));
  Clock all;
  for (std::int64_t first = 0; first < n; first += units) {
    Clock round;
    for (std::int64_t i = first; i < std::min(n, first + units); ++i) {
      clock_ = {};
      held_[shared_memory] = most_held_[shared_memory] = 0;
      chunk(i);
      round = longer(round, clock_);
      std::int64_t& unit = of_unit[static_cast<std::size_t>(i - first)];
      unit = std::max(unit, most_held_[shared_memory]);
    }
    add_round(all, round, 0);
  }
  std::int64_t together = 0;
  for (const std::int64_t bytes : of_unit)
    together = level == block_level.above ? std::max(together, bytes) : together + bytes;
  held_[shared_memory] = held;
  most_held_[shared_memory] = std::max(most, held + together);
  level_ = outside;
  clock_ = later(before, all);
}

void Machine::unseen(const std::function<void()>& what) {
  const Costs costs = costs_;
  const Clock clock = clock_;
  const ByMemory held = held_, most = most_held_;
  Does nowhere;
  Does* const outside = does_;
  if (does_) does_ = &nowhere;
  const bool was = std::exchange(unseen_, true);
  what();
  unseen_ = was;
  does_ = outside;
  held_ = held, most_held_ = most;
  clock_ = clock;
  costs_ = costs;
}

void Machine::finish() {
  costs_.depth = clock_.depth, costs_.dealt_depth = clock_.dealt, costs_.rounds = clock_.rounds;
  costs_.bytes = most_held_;
}

}  // namespace lockstep::fcl::costing
