// Growing sizes (growing.h).
#include "driver/growing.h"

#include <algorithm>

namespace lockstep::driver {

std::optional<std::int64_t> largest_size(const std::function<TriedSize(std::int64_t n)>& attempt) {
  std::optional<std::int64_t> best;
  double before = 0;
  for (std::int64_t n = 1; n < std::int64_t{1} << 40; n *= 2) {
    const TriedSize tried = attempt(n);
    if (tried.became == TriedSize::Became::TooLarge) break;
    if (tried.became == TriedSize::Became::Trapped && n > small_size) break;
    if (tried.became != TriedSize::Became::Ran) continue;
    best = n;
    // The next one is assumed to grow as this one did, and at least as a square.
    if (tried.seconds * std::max(4.0, before > 1e-4 ? tried.seconds / before : 0) > 1) break;
    before = tried.seconds;
  }
  return best;
}

}  // namespace lockstep::driver
