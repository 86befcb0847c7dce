// splitmix64, and what is drawn with it (random.h).
#include "props/engine/random.h"

#include <cmath>

namespace lockstep::props {

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

std::uint64_t seed_of(std::uint64_t seed, std::uint64_t k) {
  Random first(seed);
  Random second(first.next() ^ (k * 0xd1342543de82ef95U));
  return second.next();
}

double special_float(Random& random, bool single) {
  const double least = single ? 0x1p-126 : 0x1p-1022, tiny = single ? 0x1p-149 : 0x1p-1074;
  const double greatest = single ? 0x1.fffffep127 : 0x1.fffffffffffffp1023;
  const std::vector<double> all = {std::nan(""), HUGE_VAL, -HUGE_VAL, tiny, -3 * tiny, least / 2, least - tiny,
                                   least,        0.0,      -0.0,      -0.0, greatest,  -greatest, 1e10};
  return random.among(all);
}

}  // namespace lockstep::props
