// Arguments of a program that was lowered into the calculus, as its own.
#pragma once
#include "props/dpia/inputs.h"
#include "translate/lowered/in_calculus.h"

namespace lockstep::props {

// Sizes of a lowered program, from what is said of lengths and numbers: those that it determines.
class LearntSizes {
 public:
  void learn(const Size& s, std::int64_t n) { said_.emplace_back(s, n); }
  void learn(const LoweredLeaf& leaf, const LeafArray& value);
  void set(const std::string& name, std::int64_t n) { known_.insert_or_assign(name, n); }
  SizeValues all() const;

 private:
  std::vector<std::pair<Size, std::int64_t>> said_;
  SizeValues known_;
};

Leaves one_after_the_other(const std::vector<Leaves>& arguments);  // the leaves of all
// Of each leaf in order, as the source has it; why the program is made for others, where it is.
tl::expected<Arguments, std::string> arguments_in_calculus(const InCalculus& program, const Leaves& leaves);

Type type_of(const LoweredLeaf& leaf);
// At these sizes of the program: a number that is a size is that; the rest is drawn, as random_leaves does.
tl::expected<LeafArray, std::string> drawn_leaf(const LoweredLeaf& leaf, const SizeValues& sizes, std::uint64_t seed,
                                                Integers integers = Integers::Small, RandomKind kind = RandomKind::Any);

}  // namespace lockstep::props
