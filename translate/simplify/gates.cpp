// Sets of checks (gates.h).
#include "translate/simplify/gates.h"

#include <algorithm>

namespace lockstep::streaming {

int Gates::numbered(std::set<int> checks) {
  const auto [at, is_new] = known_.try_emplace(std::move(checks), static_cast<int>(sets_.size()));
  if (is_new) sets_.push_back(at->first);
  return at->second;
}

int Gates::both(int a, int b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  const auto [at, is_new] = both_.try_emplace(std::minmax(a, b), 0);
  if (is_new) {
    std::set<int> all = sets_[a];
    all.insert(sets_[b].begin(), sets_[b].end());
    at->second = numbered(std::move(all));
  }
  return at->second;
}

int Gates::with(int gates, int check) {
  if (has(gates, check)) return gates;
  std::set<int> all = sets_[gates];
  all.insert(check);
  return numbered(std::move(all));
}

bool Gates::includes(int all, int some) const {
  return all == some || std::includes(sets_[all].begin(), sets_[all].end(), sets_[some].begin(), sets_[some].end());
}

}  // namespace lockstep::streaming
