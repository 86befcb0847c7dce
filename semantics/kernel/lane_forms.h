// Index arithmetic as polynomials over the sizes, the lane, and a name for the iteration of each loop around: what of
// an expression is the same for all lanes of a warp, and how often a loop runs.
#pragma once
#include <map>
#include <set>

#include "semantics/kernel/gpu_cost.h"

namespace lockstep::kernel {

class LaneForms {
 public:
  // Sizes that are given are numbers.
  LaneForms(const Program& program, const SizeValues& sizes);

  static const std::string lane;  // the name of the lane

  using Scope = std::map<std::string, std::optional<Size>>;
  Scope scope() const { return values_; }
  void leave(Scope outer) { values_ = std::move(outer); }

  // Of index arithmetic over names that are known; nothing where it is read from data or varies.
  std::optional<Size> form(const Expr& e) const;
  // Of a condition that is the same everywhere, or everywhere in this lane.
  std::optional<bool> decided(const Expr& condition, std::optional<std::int64_t> in_lane = {}) const;
  // How often a loop of this extent runs, over the sizes only: a loop's variable by its greatest value.
  Times natural(const Expr& extent);
  Size fresh(const std::string& base) { return Size::name(base + "_" + std::to_string(++used_[base])); }

  // A variable of a loop that all lanes are in together; of one that is dealt out to lanes, whose iterations in a warp
  // begin at a multiple of `multiple`.
  void same_for_all(const std::string& name, const Expr& extent, const Times& n);
  void dealt_to_lanes(const std::string& name, const Expr& extent, const Times& n, std::int64_t multiple,
                      std::int64_t lanes);
  void declare(const Declare& d);

  bool varies(const std::string& variable) const;  // or is not known not to
  const SizeContext& known() const { return known_; }
  // Names without which a buffer of so many scalars is empty.
  std::set<std::string> positive_in(const std::optional<Size>& count) const;
  Size at_sizes(const Size& s) const { return substitute(s, sizes_); }

 private:
  Size symbol(const std::string& name, const std::optional<Size>& below, const Size& most);

  Scope values_;
  SizeSubstitution sizes_, most_;  // most_: of a symbol, the greatest value over the sizes
  std::set<std::string> assigned_;
  SizeContext known_;
  std::map<std::string, int> used_;
};

}  // namespace lockstep::kernel
