#include "props/engine/statistics.h"

#include <cmath>

namespace lockstep::props {

void Statistics::count(const std::string& of, const std::string& what, bool occurred) {
  Share& share = shares_[of][what];
  ++share.all;
  share.count += occurred ? 1 : 0;
}

double Statistics::part(const std::string& of, const std::string& what) const {
  const auto all = shares_.find(of);
  if (all == shares_.end()) return 0;
  const auto share = all->second.find(what);
  return share == all->second.end() ? 0 : share->second.part();
}

void Specials::see(double x, bool single) {
  const double least = single ? 0x1p-126 : 0x1p-1022;
  nan_ = nan_ || std::isnan(x);
  infinite_ = infinite_ || std::isinf(x);
  subnormal_ = subnormal_ || (x != 0 && std::fabs(x) < least);
  negative_zero_ = negative_zero_ || (x == 0 && std::signbit(x));
}

void Specials::count(const std::string& of, Statistics& into) const {
  into.count(of, "a NaN", nan_);
  into.count(of, "an infinity", infinite_);
  into.count(of, "a subnormal", subnormal_);
  into.count(of, "a negative zero", negative_zero_);
}

void count(const Drawn& drawn, Statistics& into) {
  into.count("program", "reads its inputs", drawn.reads);
  into.count("program", "gives other results on other inputs", drawn.varies);
  for (const int n : {64, 1024, 4096}) into.count("program", "a size over " + std::to_string(n), drawn.length > n);
}

}  // namespace lockstep::props
