#include "driver/kernels/costs.h"

#include <nlohmann/json.hpp>

#include "driver/kernels/gpu_cost_text.h"
#include "driver/kernels/kernels.h"
#include "driver/units.h"
#include "proofs/laws/compiling.h"

namespace lockstep::driver {
namespace {

// At the sizes given; names such as threads and iterations stay.
Size at(const Size& s, const SizeValues& sizes) {
  SizeSubstitution by;
  for (const auto& [name, n] : sizes) by.emplace(name, Size(n));
  return substitute(s, by);
}

// Of the names in a cost that are no sizes, too.
std::vector<Unit> units_of(const DpiaTrace& trace) {
  std::vector<Unit> out{
      {"work", "scalar operations, reads and writes, one for each lane"},
      {"depth", "the same one after another, iterations of parallel loops and of loops without a level side by side"},
      {"space", "scalars that are stored, without parameters and result"}};
  std::set<std::string> names;
  for (const Step& s : trace.steps) {
    const Cost cost = s.program.language().cost(s.program);
    for (const Size& x : {cost.work, cost.depth, cost.space}) collect_names(x, names);
  }
  const auto occurs = [&](const std::string& start) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& n) { return n.starts_with(start); });
  };
  if (occurs("#iterations"))
    out.push_back({"#iterations_k", "rounds of the k-th `while`, in the order of the program"});
  if (occurs("#extent")) out.push_back({"#extent_k", "iterations of the k-th loop whose number is read from data"});
  if (occurs("#threads")) out.push_back({"#threads", "threads that each have such memory of their own"});
  return out;
}

// The kernel whose cost on a GPU is said beside: of every target but another machine's that was asked for.
std::optional<kernel::Program> gpu_kernel(const CostedProgram& of, const DpiaTrace& trace, const Options& options) {
  if (trace.machine == Machine::Gpu) return trace.kernel();
  if (!options.target.empty()) return {};
  return proofs::lawful_trace(of.program, of.calculus, Machine::Gpu).kernel();
}

}  // namespace

Said costs_of(const CostedProgram& of, const SizeValues& sizes, const Options& options) {
  const DpiaTrace trace = proofs::lawful_trace(of.program, of.calculus, target_with_text(options.target).machine);
  const auto on_gpu = gpu_kernel(of, trace, options);
  if (options.json) {
    Json stages = Json::array();
    for (const Step& s : trace.steps) {
      const Cost cost = s.program.language().cost(s.program);
      Json j{{"stage", s.name}, {"cite", s.cite}};
      j["work"] = show(cost.work), j["depth"] = show(cost.depth), j["space"] = show(cost.space);
      if (!sizes.empty())
        j["at"] = {{"work", show(at(cost.work, sizes))},
                   {"depth", show(at(cost.depth, sizes))},
                   {"space", show(at(cost.space, sizes))}};
      stages.push_back(std::move(j));
    }
    Json json{{"language", of.language},
              {"function", of.program.name},
              {"sizes", sizes_json(sizes)},
              {"units", json_of(units_of(trace))},
              {"stages", std::move(stages)}};
    if (auto gpu = on_gpu ? gpu_cost_json(*on_gpu, sizes) : std::nullopt) json["gpu"] = std::move(*gpu);
    return {"", std::move(json)};
  }
  Table table({"stage", "paper", sizes.empty() ? "work" : ">work", sizes.empty() ? "depth" : ">depth",
               sizes.empty() ? "space" : ">space"});
  for (const Step& s : trace.steps) {
    const Cost cost = s.program.language().cost(s.program);
    table.row({s.name,
               {s.cite, Tone::Faint},
               show(at(cost.work, sizes)),
               show(at(cost.depth, sizes)),
               show(at(cost.space, sizes))});
  }
  const bool colour = on_terminal(1);
  return {(sizes.empty() ? "" : "at " + show(sizes) + "\n") + table.text(colour) + text_of(units_of(trace)) +
              (on_gpu ? gpu_cost_text(*on_gpu, sizes, colour) : ""),
          {}};
}

}  // namespace lockstep::driver
