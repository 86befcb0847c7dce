// The checks that must have passed before the elements of a stream are there. What waits for one may stand in front of
// a trap that the source reports only where the check has passed; so nothing takes its place that does not wait for it.
#pragma once
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace lockstep::streaming {

// Sets of checks, each known by a number; 0 is the empty one.
class Gates {
 public:
  int both(int a, int b);
  int with(int gates, int check);
  bool has(int gates, int check) const { return sets_[gates].contains(check); }
  const std::set<int>& checks(int gates) const { return sets_[gates]; }
  bool includes(int all, int some) const;

 private:
  int numbered(std::set<int> checks);

  std::vector<std::set<int>> sets_{{}};
  std::map<std::set<int>, int> known_{{{}, 0}};
  std::map<std::pair<int, int>, int> both_;
};

}  // namespace lockstep::streaming
