// How often what a campaign is there to meet occurred in what it drew, whatever the language.
#pragma once
#include <cstdint>
#include <map>
#include <string>

namespace lockstep::props {

struct Share {
  std::size_t count = 0, all = 0;
  double part() const { return all == 0 ? 0 : static_cast<double>(count) / static_cast<double>(all); }
};

class Statistics {
 public:
  using Shares = std::map<std::string, std::map<std::string, Share>>;  // "GPU kernel", "a barrier"
  void count(const std::string& of, const std::string& what, bool occurred);
  const Shares& shares() const { return shares_; }
  double part(const std::string& of, const std::string& what) const;  // 0 where nothing was asked about

 private:
  Shares shares_;
};

// Of the floats of an input or a result: which special ones are there.
class Specials {
 public:
  void see(double x, bool single);
  void count(const std::string& of, Statistics& into) const;

 private:
  bool nan_ = false, infinite_ = false, subnormal_ = false, negative_zero_ = false;
};

// What is asked of every program in whatever language, and how it was run.
struct Drawn {
  bool reads = false;       // what it computes with, its inputs
  bool varies = false;      // its result, with them
  std::int64_t length = 0;  // the greatest of a size or a sequence
};
void count(const Drawn& drawn, Statistics& into);

}  // namespace lockstep::props
