// Closure<R(A...)>: a function whose copies share what it holds. A copy of a std::function copies all that it holds, so
// a tree of closures that was built by copying them would cost the square of its depth.
#pragma once
#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace lockstep {

template <class Signature>
class Closure;

template <class R, class... A>
class Closure<R(A...)> {
 public:
  Closure() = default;  // holds nothing, and is not to be called
  template <class F>
  requires(!std::same_as<std::remove_cvref_t<F>, Closure> && std::is_invocable_r_v<R, const std::decay_t<F>&, A...>)
      Closure(F&& f)
      : held_(std::make_shared<const Holding<std::decay_t<F>>>(std::forward<F>(f))) {}

  R operator()(A... arguments) const { return held_->call(std::forward<A>(arguments)...); }
  explicit operator bool() const { return held_ != nullptr; }

 private:
  struct Held {
    virtual ~Held() = default;
    virtual R call(A... arguments) const = 0;
  };
  template <class F>
  struct Holding final : Held {
    explicit Holding(F f) : function(std::move(f)) {}
    R call(A... arguments) const override { return function(std::forward<A>(arguments)...); }
    F function;
  };

  std::shared_ptr<const Held> held_;
};

}  // namespace lockstep
