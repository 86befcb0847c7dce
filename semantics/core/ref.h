// Ref<T>: a shared pointer to const with structural equality, the edge of every tree in this project.
#pragma once
#include <memory>
#include <utility>

namespace lockstep {

template <class T>
class Ref {
 public:
  Ref(T value) : p_(std::make_shared<const T>(std::move(value))) {}
  const T& operator*() const { return *p_; }
  const T* operator->() const { return p_.get(); }
  const T* get() const { return p_.get(); }
  friend bool operator==(const Ref& a, const Ref& b) { return a.p_ == b.p_ || *a.p_ == *b.p_; }

 private:
  std::shared_ptr<const T> p_;
};

// One function object out of several lambdas: a case for each alternative of a std::variant.
template <class... F>
struct Cases : F... {
  using F::operator()...;
};
template <class... F>
Cases(F...) -> Cases<F...>;

}  // namespace lockstep
