// How large what `bench` draws is to be: a run is tried at larger and larger sizes, until it takes about a second.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>

namespace lockstep::driver {

struct TriedSize {
  enum class Became { None, TooLarge, Trapped, Ran } became = Became::None;  // None: there is nothing of this size
  double seconds = 0;
};
inline constexpr std::int64_t small_size = 1024;  // what traps at such may run at larger ones
inline constexpr double most_bytes = 256e6;       // of what is drawn, and of what it needs

// Of the powers of two the last at which it ran, and the next would take more than a second or is too large; nothing
// where it ran at none.
std::optional<std::int64_t> largest_size(const std::function<TriedSize(std::int64_t n)>& attempt);

}  // namespace lockstep::driver
