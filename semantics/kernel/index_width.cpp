// The width of index arithmetic at a run's sizes (index_width.h).
#include "semantics/kernel/index_width.h"

#include <algorithm>

namespace lockstep::kernel {

IndexRange index_range(const Program& p, const SizeValues& sizes) {
  if (!p.narrow) return {};
  const IndexRange narrow{p.launch.index};
  const auto fits = [&](const Size& s) {
    const auto value = evaluate(s, sizes);
    return value && narrow.holds(*value);
  };
  const bool all = std::all_of(p.narrow->begin(), p.narrow->end(), fits) &&
                   std::all_of(p.sizes.begin(), p.sizes.end(), [&](const auto& n) { return fits(Size::name(n)); });
  return all ? narrow : IndexRange{};
}

std::string beyond(const IndexRange& r) { return "index arithmetic leaves " + std::to_string(r.bits) + " bits"; }

}  // namespace lockstep::kernel
