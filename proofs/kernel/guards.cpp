// Guards, as a list that what stands further in shares.
#include "proofs/kernel/guards.h"

#include <algorithm>

namespace lockstep::proofs::kernels {

Guard::Guard(Term c, bool is_checked, int of_branch)
    : condition(std::move(c)), on_data(true), checked(is_checked), branch(of_branch) {
  for (const Term& t : conjuncts(*condition)) on_data = on_data && mentions_data(t);
}

Guards::~Guards() {
  while (last_ && last_.use_count() == 1) last_ = std::shared_ptr<Node>(std::move(last_->outer));
}

void Guards::push_back(Guard g) {
  const Node* of_sizes = last_ && last_->guard.on_data ? last_->outer_of_sizes : last_.get();
  last_ = std::make_shared<Node>(Node{std::move(g), std::move(last_), of_sizes});
}

std::vector<const Guard*> Guards::in_order() const {
  std::vector<const Guard*> out;
  for (const Node* n = last_.get(); n; n = n->outer.get()) out.push_back(&n->guard);
  std::reverse(out.begin(), out.end());
  return out;
}

std::vector<const Guard*> Guards::of_sizes() const {
  std::vector<const Guard*> out;
  for (const Node* n = last_.get(); n; n = n->outer_of_sizes)
    if (!n->guard.on_data) out.push_back(&n->guard);
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace lockstep::proofs::kernels
