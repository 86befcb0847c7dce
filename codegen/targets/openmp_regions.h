// One parallel region for consecutive parallel loops, and for the rounds of a loop that does nothing else: threads come
// once, each goes through what is between the loops by itself, and all wait for each other behind a loop.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "semantics/kernel/syntax.h"

namespace lockstep {

struct ParallelRegion {
  std::size_t statements;  // of a block, that are in it
  std::string condition;   // under which it is worth threads, in C; "" where it always is
};
// The region that begins with a block's statement; nothing where there is one loop, or none. `may_join`: whether a loop
// may stand in it, in rounds of these variables; `shown`: an expression as text.
std::optional<ParallelRegion> region_at(
    const kernel::Block& block, std::size_t from,
    const std::function<bool(const kernel::ParallelFor&, const std::vector<std::string>& rounds)>& may_join,
    const std::function<std::string(const kernel::Expr&)>& shown);

}  // namespace lockstep
