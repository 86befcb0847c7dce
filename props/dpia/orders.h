// One kernel on one input in adversarial orders (semantics/kernel/interleave.h), each result held against what is
// expected.
#pragma once
#include <functional>
#include <optional>

#include "semantics/kernel/interleave.h"

namespace lockstep::props {

// Beyond these an exploration ends before every order was run.
inline constexpr std::size_t orders_explored = 60, accesses_explored = 200;

struct OrdersOptions {
  std::uint64_t seed = 1;  // of the random order, and of which order it is where there is one
  std::size_t orders = std::size(kernel::all_interleavings);  // of them, at most
  bool explore = false;                                       // every order up to equivalence too; for small inputs
  std::int64_t threads_per_block = 0;
  std::uint64_t while_limit = 0;
};
struct OrdersTried {
  std::size_t runs = 0;
  bool every = false;                // explored to the end: all orders there are give this
  std::optional<std::string> wrong;  // the order, and what is wrong: a race, another fault, another result
};
// Nothing, or how a result is not the expected one.
using Judge = std::function<std::optional<std::string>(const tl::expected<kernel::Buffers, kernel::Stop>&)>;
OrdersTried try_orders(const kernel::Program& program, const SizeValues& sizes, const kernel::Buffers& inputs,
                       const OrdersOptions& options, const Judge& judge);

}  // namespace lockstep::props
