// Decisions of one pass after another.
#include "translate/fusion/decision.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace lockstep::fusion {

void note(std::vector<Decision>& all, const std::vector<Decision>& next) {
  const auto place = [](const Decision& d) { return std::tuple(d.producer, d.producer_at.begin, d.producer_at.end); };
  std::set<decltype(place(next.front()))> again;
  for (const Decision& d : next) again.insert(place(d));
  std::erase_if(all, [&](const Decision& d) { return d.obstacle && again.contains(place(d)); });
  all.insert(all.end(), next.begin(), next.end());
}

std::map<std::string, std::size_t> counts(const std::vector<Decision>& all) {
  std::map<std::string, std::size_t> out;
  for (const Decision& d : all) {
    if (d.obstacle) continue;
    ++out[d.rule];
    if (d.interesting) ++out["interesting"];
  }
  return out;
}

}  // namespace lockstep::fusion
