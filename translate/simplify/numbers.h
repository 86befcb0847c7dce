// Numbers that are not known until the program runs: how many elements a stream has, or what Int all of them are. Each
// has a name; sums, differences and products of named numbers are polynomials over the names, and two that are one
// polynomial are one number, as integers or, where they wrap, modulo 2^64.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "semantics/core/size.h"

namespace lockstep::streaming {

class Numbers {
 public:
  using Key = std::vector<std::int64_t>;
  // The same number for the same key, which says all that it depends on.
  int named(Key key);
  int fresh() { return next_++; }
  int exactly(std::int64_t n);
  int plus(int a, int b) { return combine('+', a, b); }
  int minus(int a, int b) { return combine('-', a, b); }
  int times(int a, int b) { return combine('*', a, b); }
  std::optional<std::int64_t> constant(int a) const;
  bool is_name(int a) const { return !polynomials_.contains(a); }

 private:
  struct Before {
    bool operator()(const Size& a, const Size& b) const { return compare(a, b) < 0; }
  };
  Size polynomial(int a) const;
  int combine(char symbol, int a, int b);
  int numbered(const Size& s);

  int next_ = 0;
  std::map<Key, int> names_;
  std::map<int, Size> polynomials_;  // of those that are no name
  std::map<Size, int, Before> numbers_;
};

}  // namespace lockstep::streaming
