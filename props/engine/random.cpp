// splitmix64, and what is drawn with it (random.h).
#include "props/engine/random.h"

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

}  // namespace lockstep::props
