// What branches and checks of a kernel say of its sizes.
#pragma once
#include <vector>

#include "semantics/kernel/syntax.h"

namespace lockstep::props {

// A size, and what is known where it is that.
struct ChosenSize {
  Size size;
  std::vector<SizeFact> given{};
  friend bool operator==(const ChosenSize&, const ChosenSize&) = default;
};
// What an expression is, by the choices in it; nothing where it is no size by one of them, or is more than eight.
std::vector<ChosenSize> sizes_by_choice(const kernel::Expr& e);
// What a branch's condition says of sizes.
void facts_of(const kernel::Expr& condition, bool holds, std::vector<SizeFact>& out);
// What is known behind a statement of a block: what a check has said, and the size that a variable has from there on.
void facts_behind(const kernel::Stmt& s, const kernel::Stmt& block, std::vector<SizeFact>& out);

}  // namespace lockstep::props
