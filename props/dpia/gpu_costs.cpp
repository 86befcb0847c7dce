// Costs on a GPU, said and counted (gpu_costs.h).
#include "props/dpia/gpu_costs.h"

namespace lockstep::props {
namespace {

using kernel::AccessCount;
using kernel::GpuAccess;
using kernel::GpuCost;
using kernel::GpuKernel;
using kernel::Times;
using kernel::WarpCounts;

class Refutation {
 public:
  explicit Refutation(const SizeValues& sizes) : sizes_(sizes) {}

  void all_of(const GpuCost& said, const WarpCounts& counted) {
    number("accesses", {Size(static_cast<std::int64_t>(said.accesses.size()))},
           static_cast<std::int64_t>(counted.accesses.size()));
    number("branches", {Size(static_cast<std::int64_t>(said.branches.size()))},
           static_cast<std::int64_t>(counted.branches.size()));
    if (!out.empty()) return;
    for (std::size_t k = 0; k < said.accesses.size(); ++k) access(said.accesses[k], counted.accesses[k]);
    for (std::size_t k = 0; k < said.branches.size(); ++k) {
      const std::string what = "branch" + in_parentheses(said.branches[k].region);
      number("issues of " + what, said.branches[k].issues, counted.branches[k].issues);
      if (!said.branches[k].may_part && counted.branches[k].parted > 0) out.push_back(what + " parts a warp");
    }
    number("barriers", everywhere(said, &GpuKernel::barriers), counted.barriers);
    number("barriers of warps", everywhere(said, &GpuKernel::warp_barriers), counted.warp_barriers);
    number("shuffles", everywhere(said, &GpuKernel::shuffles), counted.shuffles);
  }
  std::vector<std::string> out;

 private:
  void number(const std::string& what, const Times& said, std::int64_t counted) {
    const auto n = evaluate(said.n, sizes_);
    if (!n || (said.exact ? *n == counted : counted <= *n)) return;
    out.push_back(what + ": " + (said.exact ? "" : "at most ") + show(said.n) + " = " + std::to_string(*n) +
                  ", counted " + std::to_string(counted));
  }

  void access(const GpuAccess& said, const AccessCount& counted) {
    const std::string what = std::string(said.atomic  ? "update of "
                                         : said.write ? "write to "
                                                      : "read of ") +
                             said.buffer + in_parentheses(said.region);
    number("issues of " + what, said.issues, counted.issues());
    if (counted.place && *counted.place != said.place) out.push_back(what + " is of another memory");
    const auto all = static_cast<std::int64_t>(said.lanes.size());
    for (const auto& [lanes, c] : counted.by_lanes) {
      const std::string so_many = what + " by " + std::to_string(lanes) + " lanes";
      if (lanes > all) out.push_back(so_many + ", said of " + std::to_string(all));
      number(so_many, {Size(said.cost.count), false}, c.most);
      if (lanes != all || !said.cost.exact) continue;
      number(so_many + ", the most", {Size(said.cost.count)}, c.most);
      number(so_many + ", the least", {Size(said.cost.count)}, c.least);
    }
  }

  // Of all blocks of all launches.
  static Times everywhere(const GpuCost& said, Times GpuKernel::*of_block) {
    Times sum{0};
    for (const GpuKernel& k : said.kernels) {
      const Times& each = k.*of_block;
      if (each.exact && each.n == Size(0)) continue;
      sum = {sum.n + k.launches.n * k.blocks.n * each.n, sum.exact && k.launches.exact && k.blocks.exact && each.exact};
    }
    return sum;
  }

  const SizeValues& sizes_;
};

}  // namespace

std::vector<std::string> refuted_gpu_costs(const GpuCost& said, const WarpCounts& counted, const SizeValues& sizes) {
  Refutation r(sizes);
  r.all_of(said, counted);
  return std::move(r.out);
}

std::optional<std::vector<std::string>> gpu_cost_differences(const kernel::Program& program, const SizeValues& sizes,
                                                             const kernel::Buffers& inputs, const Domain& domain,
                                                             const kernel::GpuModel& said_of) {
  const auto counted = kernel::count_warps(program, sizes, inputs, domain, {}, 10000);
  if (!counted) return {};
  std::vector<std::string> out = refuted_gpu_costs(kernel::gpu_cost(program, said_of), *counted, sizes);
  for (std::string& line : refuted_gpu_costs(kernel::gpu_cost(program, said_of, sizes), *counted, sizes))
    out.push_back("at the sizes: " + line);
  return out;
}

}  // namespace lockstep::props
