// A function of .l0 on a target.
#include "driver/languages/l0/compiled.h"

#include "proofs/sizes/solver.h"
#include "props/l0/compiled.h"

namespace lockstep::driver {
MadeInCalculus in_calculus(const L0File& file, const l0::Entry& last) {
  auto made = l0::in_calculus(last, *lowered_calculus(), proofs::z3_size_solver());
  if (!made) return made;
  set_launch(made->program.launch, file.asked);
  // Told by the names that the file has.
  std::size_t next = 0;
  for (const l0::Parameter& p : l0::function_named(file.program, last.function)->parameters)
    for (std::size_t n = l0::leaf_count(p.type), k = 0; k < n; ++k)
      made->lowered.arguments.at(next++).source = n == 1 ? p.name : p.name + "." + std::to_string(k);
  return made;
}

ProvedProgram proved(const L0File& file, const l0::Function& entry, const InCalculus& program) {
  return {"l0", file.source->name, entry.name, program.program, *lowered_calculus(), program.sizes};
}

l0::Value result_from(const l0::Function& entry, const Leaves& leaves) {
  std::size_t next = 0;
  return l0::value_of_leaves(entry.result, props::l0::values_from(leaves), next);
}

SourceRun source_run(const L0File& file, const l0::Function& entry) {
  return {[&](const std::vector<Leaves>& arguments) -> props::LeafOutcome {
            const auto found = l0::evaluate(file.program, entry, values_from(entry, arguments));
            if (!found) return tl::unexpected(found.error());
            return leaves_of_each({*found})[0];
          },
          [&](const Leaves& result) { return l0::show(result_from(entry, result), entry.result, ieee_domain()); }};
}

std::vector<Leaves> leaves_of_each(const l0::Values& values) {
  std::vector<Leaves> out;
  for (const l0::Value& v : values) out.push_back(props::l0::leaves_from(leaves_of_all({v})));
  return out;
}

l0::Values values_from(const l0::Function& entry, const std::vector<Leaves>& arguments) {
  l0::Values out;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    std::size_t next = 0;
    out.push_back(l0::value_of_leaves(entry.parameters[k].type, props::l0::values_from(arguments[k]), next));
  }
  return out;
}

ToDraw to_draw(const l0::Function& entry, const L0Arguments& bound) {
  ToDraw out{entry.name, {}, bound.sizes, {}};
  std::size_t before = 0;
  for (std::size_t k = 0; k < entry.parameters.size(); ++k) {
    const l0::Parameter& p = entry.parameters[k];
    const std::size_t leaves = l0::leaf_count(p.type);
    out.parameters.push_back({p.name, l0::show(l0::without_stars(p.type)), leaves,
                              bound.values[k] ? std::optional(leaves_of_each({*bound.values[k]})[0]) : std::nullopt,
                              bound.random[k].value_or(props::RandomAsked{})});
    each_equal_length(p.type, [&](std::size_t leaf, std::size_t other, std::size_t d) {
      out.ties.push_back({before + leaf, before + other, d});
    });
    before += leaves;
  }
  return out;
}

}  // namespace lockstep::driver
