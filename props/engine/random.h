// Random numbers as a function of a 64-bit seed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::props {

// splitmix64: the same numbers on every machine and with every library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  bool percent(int p) { return below(100) < p; }
  template <class T>
  const T& among(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
  }

 private:
  std::uint64_t state_;
};
// The seed of the k-th of many draws.
std::uint64_t seed_of(std::uint64_t seed, std::uint64_t k);

}  // namespace lockstep::props
