// Private to the number domains: what a float's Scalar points to outside the IEEE domain. Each domain derives its own
// representation in its own file (exact.cpp, bounded.cpp), the only files that include Boost.Multiprecision.
#pragma once
#include "semantics/core/diagnostic.h"
#include "semantics/core/number.h"

namespace lockstep {

struct Real {
  enum class Home { Exact, Bounded };
  Home home;
};

// The representation R of s, or nothing where s is a number of the IEEE domain, which every domain takes as an input.
template <class R>
const R* real_of(const Scalar& s) {
  if (!s.real) return nullptr;
  if (s.real->home != R::own_home) throw Bug("a number of one domain was given to another");
  return static_cast<const R*>(s.real.get());
}

// Integers of type t lie below 2^power_above(t), and from its negative or 0 on.
inline int power_above(ScalarType t) { return bits_of(t) - (is_signed(t) ? 1 : 0); }

}  // namespace lockstep
