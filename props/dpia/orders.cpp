// Adversarial orders of one kernel (orders.h).
#include "props/dpia/orders.h"

namespace lockstep::props {
namespace {

std::string what_of(const kernel::Fault& f) { return std::string(kernel::show(f.kind)) + ": " + f.message; }

void explore(const kernel::Program& program, const SizeValues& sizes, const kernel::Buffers& inputs,
             const OrdersOptions& options, const Judge& judge, OrdersTried& out) {
  kernel::ExploreOptions how;
  how.threads_per_block = options.threads_per_block;
  how.while_limit = options.while_limit;
  how.most_orders = orders_explored;
  how.most_accesses = accesses_explored;
  const kernel::Exploration found = kernel::explore(program, sizes, inputs, ieee_domain(), how);
  out.runs += found.orders;
  out.every = found.complete;
  if (found.race) out.wrong = "in some order: " + what_of(*found.race);
  for (const auto& outcome : found.outcomes)
    if (!out.wrong)
      if (const auto wrong = judge(outcome)) out.wrong = "in some order: " + *wrong;
}

}  // namespace

OrdersTried try_orders(const kernel::Program& program, const SizeValues& sizes, const kernel::Buffers& inputs,
                       const OrdersOptions& options, const Judge& judge) {
  OrdersTried out;
  constexpr std::size_t all = std::size(kernel::all_interleavings);
  for (std::size_t k = 0; k < std::min(options.orders, all) && !out.wrong; ++k) {
    kernel::InterleaveOptions how;
    how.order = kernel::all_interleavings[(options.seed + k) % all];
    how.seed = options.seed;
    how.threads_per_block = options.threads_per_block;
    how.while_limit = options.while_limit;
    ++out.runs;
    if (const auto wrong = judge(kernel::run_interleaved(program, sizes, inputs, ieee_domain(), how)))
      out.wrong = std::string(show(how.order)) + ": " + *wrong;
  }
  if (options.explore && !out.wrong) explore(program, sizes, inputs, options, judge, out);
  return out;
}

}  // namespace lockstep::props
