// What is known where something stands: the conditions of the branches around it, and the checks before it.
#pragma once
#include <memory>

#include "proofs/kernel/terms.h"

namespace lockstep::proofs::kernels {

struct Guard {
  Guard(Term condition, bool checked, int branch);
  kernel::ExprRef condition;
  bool on_data;          // each of its conjuncts: nothing in it is about sizes
  bool checked = false;  // by a check: where it does not hold the program has stopped
  int branch = -1;       // the branch of an if whose condition it is; 2*if + 1 for the else side
};
// The guards around something: what stands further in shares what is known further out.
class Guards {
 public:
  Guards() = default;
  Guards(const Guards&) = default;
  Guards(Guards&&) = default;
  Guards& operator=(Guards o) { return std::swap(last_, o.last_), *this; }
  ~Guards();  // one after the other: there may be many

  void push_back(Guard g);
  void pop_back() { last_ = std::shared_ptr<Node>(last_->outer); }
  template <class F>
  bool any_of(F f) const {
    for (const Node* n = last_.get(); n; n = n->outer.get())
      if (f(n->guard)) return true;
    return false;
  }
  std::vector<const Guard*> in_order() const;  // the outermost first
  std::vector<const Guard*> of_sizes() const;  // those that are not on_data

 private:
  struct Node {
    Guard guard;
    std::shared_ptr<Node> outer;
    const Node* outer_of_sizes;
  };
  std::shared_ptr<Node> last_;
};

}  // namespace lockstep::proofs::kernels
