// Every order up to equivalence (interleave.h). An order is run from the start each time: `path_` holds its choices,
// and at each of them what else has to be tried there.
#include <algorithm>
#include <set>

#include "semantics/kernel/crowd.h"
#include "semantics/kernel/interleave.h"

namespace lockstep::kernel {
namespace {

using flat::Access;
using flat::Crowd;
using flat::TaskId;

struct Choice {
  TaskId chosen = 0;
  Access access;      // of the chosen
  flat::Phase phase;  // of it
  std::vector<TaskId> ready;
  std::set<TaskId> to_try;  // backtrack set
  std::set<TaskId> tried;
  std::map<TaskId, Access> asleep;  // tasks whose access was tried here or earlier, and nothing since conflicts with it
};

// What can be told apart by who sees the result only.
std::string key_of(const tl::expected<Buffers, Stop>& result) {
  if (!result)
    return match(
        result.error(), [](const Trap&) { return std::string("trap"); },
        [](const Fault& f) { return std::string(show(f.kind)); },
        [](const UndecidedSignal&) { return std::string("undecided"); });
  std::string key;
  for (const auto& [name, scalars] : *result) {
    key += name + ":";
    for (const Scalar& s : scalars) key += std::to_string(s.bits) + ",";
  }
  return key;
}

class Explorer {
 public:
  Explorer(const Program& program, const SizeValues& sizes, const Buffers& inputs, const Domain& domain,
           const ExploreOptions& options)
      : program_(program),
        sizes_(sizes),
        inputs_(inputs),
        domain_(domain),
        options_(options),
        code_(flat::flatten(program, sizes, domain, options.threads_per_block)) {}

  Exploration all() {
    out_.complete = true;
    do {
      if (out_.orders == options_.most_orders) {
        out_.complete = false;
        break;
      }
      one();
    } while (next_path());
    return std::move(out_);
  }

 private:
  // Follows the path, then goes on in some order that is not known to be equivalent to one that was run.
  void one() {
    flat::CrowdOptions how;
    how.races = flat::Races::Record;
    how.live = static_cast<std::size_t>(-1);
    how.while_limit = options_.while_limit;
    Crowd crowd(code_, program_, sizes_, inputs_, domain_, how);
    for (std::size_t k = 0; !crowd.ready().empty(); ++k) {
      if (k == options_.most_accesses) {
        out_.complete = false;
        return;
      }
      if (k == path_.size() && !choose(crowd)) return turn_round(crowd);  // all that is left was run elsewhere
      path_[k].access = *crowd.task(path_[k].chosen).next;
      path_[k].phase = crowd.task(path_[k].chosen).phase;
      crowd.step(path_[k].chosen);
    }
    ++out_.orders;
    turn_round(crowd);
    if (!out_.race) out_.race = crowd.race();
    if (crowd.broken()) out_.complete = false;  // what would have followed the fault is not known
    auto result = crowd.result();
    if (keys_.insert(key_of(result)).second) out_.outcomes.push_back(std::move(result));
  }

  bool choose(const Crowd& crowd) {
    Choice c;
    c.ready = crowd.ready();
    if (options_.reduce && !path_.empty()) fall_asleep(crowd, c);
    const auto awake = std::find_if(c.ready.begin(), c.ready.end(), [&](TaskId t) { return !c.asleep.contains(t); });
    if (awake == c.ready.end()) return false;
    c.chosen = *awake;
    c.to_try = {c.chosen};
    if (!options_.reduce) c.to_try.insert(c.ready.begin(), c.ready.end());
    path_.push_back(std::move(c));
    return true;
  }

  // Of the tasks that sleep at the last choice, those that the access made there does not wake.
  void fall_asleep(const Crowd& crowd, Choice& c) const {
    const Choice& last = path_.back();
    for (const auto& [t, access] : last.asleep)
      if (t != last.chosen && !conflict(access, last.access)) c.asleep.emplace(t, *crowd.task(t).next);
  }

  // Where two concurrent accesses conflict with nothing between them, what came after the first without depending on it
  // may go on in its place, the second access last: one of those that begin so is to be tried there (a source set).
  void turn_round(const Crowd& crowd) {
    if (!options_.reduce) return;
    std::vector<std::pair<std::size_t, std::size_t>> races;
    for (std::size_t j = 0; j < path_.size(); ++j)
      for (std::size_t i = 0; i < j; ++i)
        if (conflict(path_[i].access, path_[j].access) && apart(crowd, i, j)) races.emplace_back(i, j);
    if (races.empty()) return;
    const std::vector<std::vector<bool>> before = happens_before(crowd);
    for (const auto& [i, j] : races) {
      bool between = false;
      for (std::size_t k = i + 1; k < j; ++k) between = between || (before[k][i] && before[j][k]);
      if (!between) try_others(i, j, before);
    }
  }

  bool apart(const Crowd& crowd, std::size_t i, std::size_t j) const {
    return crowd.concurrent(path_[i].chosen, path_[i].phase, path_[j].chosen, path_[j].phase);
  }

  // [j][i]: access i of this order stands before j in every equivalent one.
  std::vector<std::vector<bool>> happens_before(const Crowd& crowd) const {
    std::vector<std::vector<bool>> before(path_.size(), std::vector<bool>(path_.size(), false));
    for (std::size_t j = 0; j < path_.size(); ++j)
      for (std::size_t i = j; i-- > 0;) {
        if (before[j][i] || (!conflict(path_[i].access, path_[j].access) && apart(crowd, i, j))) continue;
        before[j][i] = true;
        for (std::size_t k = 0; k < i; ++k) before[j][k] = before[j][k] || before[i][k];
      }
    return before;
  }

  void try_others(std::size_t i, std::size_t j, const std::vector<std::vector<bool>>& before) {
    std::vector<std::size_t> rest;  // between i and j and not after i; and j
    std::vector<TaskId> first;      // who can begin it
    for (std::size_t k = i + 1; k <= j; ++k) {
      if (k < j && before[k][i]) continue;
      const bool begins = std::none_of(rest.begin(), rest.end(), [&](std::size_t r) { return before[k][r]; });
      rest.push_back(k);
      if (begins) first.push_back(path_[k].chosen);
    }
    // One that waits at a shuffle there is not ready: any of those that are may be what it waits for.
    Choice& c = path_[i];
    if (std::any_of(first.begin(), first.end(), [&](TaskId t) { return c.to_try.contains(t); })) return;
    const auto ready = std::find_if(first.begin(), first.end(), [&](TaskId t) {
      return std::find(c.ready.begin(), c.ready.end(), t) != c.ready.end();
    });
    if (ready != first.end())
      c.to_try.insert(*ready);
    else
      c.to_try.insert(c.ready.begin(), c.ready.end());
  }

  bool next_path() {
    while (!path_.empty()) {
      Choice& c = path_.back();
      c.tried.insert(c.chosen);
      c.asleep.emplace(c.chosen, c.access);
      for (const TaskId t : c.to_try)
        if (!c.tried.contains(t) && (!options_.reduce || !c.asleep.contains(t))) {
          c.chosen = t;
          return true;
        }
      path_.pop_back();
    }
    return false;
  }

  const Program& program_;
  const SizeValues& sizes_;
  const Buffers& inputs_;
  const Domain& domain_;
  const ExploreOptions& options_;
  const flat::Code code_;
  std::vector<Choice> path_;
  std::set<std::string> keys_;
  Exploration out_;
};

}  // namespace

Exploration explore(const Program& program, const SizeValues& sizes, const Buffers& inputs, const Domain& domain,
                    const ExploreOptions& options) {
  return Explorer(program, sizes, inputs, domain, options).all();
}

}  // namespace lockstep::kernel
