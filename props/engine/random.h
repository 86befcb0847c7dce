// Random numbers as a function of a 64-bit seed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace lockstep::props {

template <class F>
struct Way {
  int weight;
  F make;
};
template <class F>
Way(int, F) -> Way<F>;

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
  // One of several ways, each as often as it weighs: Way{6, [&] { return ...; }}, ...
  template <class... F>
  auto one_of(const Way<F>&... ways) {
    using Made = std::common_type_t<decltype(ways.make())...>;
    int k = below((ways.weight + ...));
    if constexpr (std::is_void_v<Made>) {
      (void)(((k -= ways.weight) < 0 && (ways.make(), true)) || ...);
    } else {
      std::optional<Made> made;
      (void)(((k -= ways.weight) < 0 && (made.emplace(ways.make()), true)) || ...);
      return Made(std::move(*made));
    }
  }

 private:
  std::uint64_t state_;
};
// The seed of the k-th of many draws.
std::uint64_t seed_of(std::uint64_t seed, std::uint64_t k);
// A float of 64 bits, or of 32: infinite, no number, around the least and the greatest that there are, a zero of either
// sign.
double special_float(Random& random, bool single = false);

}  // namespace lockstep::props
