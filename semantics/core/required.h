// A field that has to be given: Required<F> does not compile without one.
#pragma once
#include <concepts>
#include <type_traits>
#include <utility>

namespace lockstep {

template <class F>
class Required {
 public:
  template <class G>
  requires(!std::same_as<std::remove_cvref_t<G>, Required>) Required(G&& g) : f_(std::forward<G>(g)) {}
  operator const F&() const { return f_; }
  template <class... A>
  decltype(auto) operator()(A&&... a) const {
    return f_(std::forward<A>(a)...);
  }

 private:
  F f_;
};

}  // namespace lockstep
