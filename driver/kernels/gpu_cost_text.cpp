// Costs on a GPU for people and for programs (gpu_cost_text.h).
#include "driver/kernels/gpu_cost_text.h"

#include "driver/units.h"
#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/check.h"

namespace lockstep::driver {
namespace {

using kernel::GpuAccess;
using kernel::GpuBranch;
using kernel::GpuCost;
using kernel::GpuKernel;
using kernel::GpuModel;
using kernel::Place;
using kernel::Times;

// Accesses to global memory and to the block's, of one place in the source that cost as much together.
struct AccessRow {
  GpuAccess access;
  bool for_all = false;  // what it costs is exact whatever the sizes
};
struct CostOnGpu {
  std::vector<GpuKernel> kernels;
  std::vector<AccessRow> accesses;
  std::vector<GpuBranch> branches;  // that may part a warp
};

std::string kind_of(const GpuAccess& a) { return a.atomic ? "update" : a.write ? "write" : "read"; }
bool same_row(const AccessRow& a, const AccessRow& b) {
  const GpuAccess &x = a.access, &y = b.access;
  return x.kernel == y.kernel && x.buffer == y.buffer && x.write == y.write && x.atomic == y.atomic &&
         x.cost == y.cost && x.lanes == y.lanes && a.for_all == b.for_all && position(x.region) == position(y.region);
}

std::optional<CostOnGpu> cost_on_gpu(const kernel::Program& p, const SizeValues& sizes) {
  if (!kernel::check(p).empty()) return {};
  const GpuCost at_sizes = gpu_cost(p, {}, sizes), at_all = gpu_cost(p);
  if (at_sizes.kernels.empty()) return {};
  CostOnGpu out{at_sizes.kernels, {}, {}};
  for (std::size_t k = 0; k < at_sizes.accesses.size(); ++k) {
    const AccessRow row{at_sizes.accesses[k],
                        at_all.accesses[k].cost.exact && at_all.accesses[k].cost == at_sizes.accesses[k].cost};
    if (!row.access.kernel || row.access.place == Place::Thread) continue;
    const auto same =
        std::find_if(out.accesses.begin(), out.accesses.end(), [&](const AccessRow& r) { return same_row(r, row); });
    if (same == out.accesses.end()) {
      out.accesses.push_back(row);
      continue;
    }
    Times& sum = same->access.issues;
    sum = {sum.n + row.access.issues.n, sum.exact && row.access.issues.exact};
  }
  for (const GpuBranch& b : at_sizes.branches)
    if (b.may_part) out.branches.push_back(b);
  return out;
}

std::string times_text(const Times& t) { return (t.exact ? "" : "at most ") + lockstep::show(t.n); }
bool is_zero(const Times& t) { return t.exact && t.n == Size(0); }

std::string takes(const GpuAccess& a) {
  const bool global = a.place == Place::Global;
  const std::string count =
      (a.cost.exact ? "" : "at most ") + show_count(static_cast<std::size_t>(a.cost.count), global ? "sector" : "turn");
  if (global || !a.cost.exact) return count;
  const std::int64_t fewest = kernel::fewest_turns(a.lanes, a.bytes * a.elements, GpuModel{});
  if (a.cost.count <= fewest) return count + ", no conflict";
  return count + (fewest == 1 ? "" : ", " + std::to_string(fewest) + " without conflicts");
}
std::string holds(const AccessRow& r, const SizeValues& sizes) {
  if (!r.access.cost.exact) return "a bound";
  return r.for_all ? "for all sizes" : "at " + lockstep::show(sizes);
}

std::string line_of(std::size_t number, const GpuKernel& k) {
  std::string out = "kernel " + std::to_string(number) + ": ";
  if (!(k.launches.exact && k.launches.n == Size(1))) out += times_text(k.launches) + " launches, ";
  out += "blocks " + times_text(k.blocks) + ", threads of a block " + std::to_string(k.threads) +
         ", bytes of a block " + times_text(k.block_bytes);
  if (!is_zero(k.thread_bytes)) out += ", of a thread " + times_text(k.thread_bytes);
  out += ", barriers of a block " + times_text(k.barriers);
  if (!is_zero(k.warp_barriers)) out += ", of its warps " + times_text(k.warp_barriers);
  if (!is_zero(k.shuffles)) out += ", shuffles of its warps " + times_text(k.shuffles);
  return out + "\n";
}

std::vector<Unit> units_of(const CostOnGpu& cost) {
  const GpuModel m;
  std::vector<Unit> out{{"times", "that a warp issues it, all warps of all launches together"}};
  const auto some = [&](Place p) {
    return std::any_of(cost.accesses.begin(), cost.accesses.end(),
                       [&](const AccessRow& r) { return r.access.place == p; });
  };
  if (some(Place::Global))
    out.push_back({"sectors", "of " + std::to_string(m.sector_bytes) +
                                  " bytes of global memory, where a buffer begins with one; of fewer lanes than can "
                                  "take part no more"});
  if (some(Place::Block))
    out.push_back({"turns", "of the " + std::to_string(m.banks) + " banks of a block's memory, " +
                                std::to_string(m.bank_bytes) + " bytes wide, until each lane is served"});
  return out;
}

Json json_of(const Times& t) { return Json{{"count", lockstep::show(t.n)}, {"exact", t.exact}}; }

Json json_of(const GpuKernel& k) {
  return Json{{"launches", json_of(k.launches)},
              {"blocks", json_of(k.blocks)},
              {"threads_of_block", k.threads},
              {"bytes_of_block", json_of(k.block_bytes)},
              {"bytes_of_thread", json_of(k.thread_bytes)},
              {"barriers_of_block", json_of(k.barriers)},
              {"barriers_of_warps", json_of(k.warp_barriers)},
              {"shuffles_of_warps", json_of(k.shuffles)}};
}
Json json_of(const AccessRow& r) {
  const GpuAccess& a = r.access;
  return Json{{"kernel", *a.kernel + 1},
              {"buffer", a.buffer},
              {"at", position(a.region)},
              {"access", kind_of(a)},
              {"memory", a.place == Place::Global ? "global" : "block"},
              {"lanes", a.lanes.size()},
              {"bytes_of_lane", a.bytes * a.elements},
              {"times", json_of(a.issues)},
              {a.place == Place::Global ? "sectors" : "turns",
               Json{{"count", a.cost.count}, {"exact", a.cost.exact}, {"for_all_sizes", r.for_all}}}};
}

}  // namespace

std::string gpu_cost_text(const kernel::Program& program, const SizeValues& sizes, bool colour) {
  const auto cost = cost_on_gpu(program, sizes);
  if (!cost) return "";
  Table table({"kernel", "a warp's", "at", ">times", "takes", "holds"});
  for (const AccessRow& r : cost->accesses)
    table.row({std::to_string(*r.access.kernel + 1), kind_of(r.access) + " of " + r.access.buffer,
               position(r.access.region), times_text(r.access.issues), takes(r.access), holds(r, sizes)});
  for (const GpuBranch& b : cost->branches)
    table.row({std::to_string(*b.kernel + 1), "branch", position(b.region), times_text(b.issues), "may part", ""});
  std::string out = "\non a GPU, in warps of " + std::to_string(program.launch.warp) + " threads\n";
  for (std::size_t k = 0; k < cost->kernels.size(); ++k) out += line_of(k + 1, cost->kernels[k]);
  if (const auto why = kernel::too_large(program, sizes)) out += "no GPU launches it: " + *why + "\n";
  return out + table.text(colour) + text_of(units_of(*cost));
}

std::optional<Json> gpu_cost_json(const kernel::Program& program, const SizeValues& sizes) {
  const auto cost = cost_on_gpu(program, sizes);
  if (!cost) return {};
  const GpuModel m;
  Json kernels = Json::array(), accesses = Json::array(), branches = Json::array();
  for (const GpuKernel& k : cost->kernels) kernels.push_back(json_of(k));
  for (const AccessRow& r : cost->accesses) accesses.push_back(json_of(r));
  for (const GpuBranch& b : cost->branches)
    branches.push_back(Json{{"kernel", *b.kernel + 1}, {"at", position(b.region)}, {"times", json_of(b.issues)}});
  const auto why = kernel::too_large(program, sizes);
  return Json{{"threads_of_warp", program.launch.warp},
              {"bytes_of_block_at_most", m.block_bytes},
              {"refused", why ? Json(*why) : Json()},
              {"bytes_of_sector", m.sector_bytes},
              {"banks", m.banks},
              {"bytes_of_bank", m.bank_bytes},
              {"units", driver::json_of(units_of(*cost))},
              {"kernels", std::move(kernels)},
              {"accesses", std::move(accesses)},
              {"branches_that_may_part", std::move(branches)}};
}

}  // namespace lockstep::driver
