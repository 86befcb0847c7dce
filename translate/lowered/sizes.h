// The lengths of arrays over the sizes of an entry point, and what has to hold of these.
#pragma once
#include "translate/lowered/in_calculus.h"

namespace lockstep::lowering {

// Ends the lowering.
[[noreturn]] void refuse(const Region& at, std::string why);

class Sizes {
 public:
  // A size that may give way to another that it has to be equal to; those that were added first stay.
  void add(const std::string& name);
  // They have to be equal: a name gives way, or it is a condition. One of them, as it is known now. Where it takes a
  // condition that holds nowhere, that is refused.
  Size same(const Size& a, const Size& b, const Region& at);
  bool may_be_same(const Size& a, const Size& b) const;  // without a condition that says more than a name
  void at_most(const Size& a, const Size& b, const Region& at);
  Size natural(const Size& n, const Region& at);  // at least 0; n
  Size current(const Size& s) const { return substitute(s, by_); }
  const std::vector<SizeFact>& facts() const { return facts_; }
  // Whether a name gave way since this was asked last: what was made before is of other types.
  bool changed() { return std::exchange(changed_, false); }

  // Names of its own: d*NAME stands for a name that d divides.
  const std::vector<std::string>& parts() const { return parts_; }

 private:
  bool divides(const Size& multiple, const Size& of);
  bool give_way(const Size& name, const Size& to);
  void require(SizeFact f);

  std::vector<std::string> order_, parts_;
  SizeSubstitution by_;
  std::vector<SizeFact> facts_;
  bool changed_ = false;
};

}  // namespace lockstep::lowering
