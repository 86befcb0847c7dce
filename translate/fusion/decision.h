// What became of an operation and one that goes over what it makes, in the words of the program that is fused.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "translate/fusion/reduction.h"

namespace lockstep::fusion {

struct Decision {
  std::string producer, consumer;  // what they are called: the names that they bind, "x, y", or the operations
  Region producer_at{}, consumer_at{};
  std::string rule{};                  // "map∘map", by which they were fused
  std::optional<Obstacle> obstacle{};  // why they were not
  bool interesting = false;            // Fig. 18
};

// What was decided of a producer before and did not fuse it is decided again.
void note(std::vector<Decision>& all, const std::vector<Decision>& next);
// By rule, as Fig. 18 has them; "interesting" beside them.
std::map<std::string, std::size_t> counts(const std::vector<Decision>& all);

}  // namespace lockstep::fusion
