// The list of optimisations, in the order in which they run (simplify.h).
#include "translate/simplify/simplify.h"

namespace lockstep::streaming {

Stage svcode_stage(std::string name, std::string cite, std::function<svcode::Program(const svcode::Program&)> run) {
  const auto& language = svcode::languages().svcode;
  return stage_of<svcode::Program, svcode::Program>(
      std::move(name), std::move(cite), language, language,
      [run = std::move(run)](const svcode::Program& p, Owed*) { return run(p); },
      {.work = CostRelation::Change::NotMore});
}

svcode::Program apply(const Stage& stage, const svcode::Program& p) {
  return lockstep::apply<svcode::Program>(stage, p);
}

// Special cases first: they look at how streams are made, which is gone once they are constants.
std::vector<Stage> simplifications(const Streamable& streamable, svcode::Rows rows) {
  return {common_subexpressions(streamable, rows),
          common_traversals(streamable, rows),
          check_removal(streamable),
          special_cases(streamable),
          constants(streamable),
          normal_descriptors(streamable),
          common_traversals(streamable, rows),
          check_removal(streamable),
          special_cases(streamable),
          common_subexpressions(streamable, rows),
          dead_code(streamable)};
}

svcode::Program simplify(const svcode::Program& p, const Streamable& streamable) {
  svcode::Program result = p;
  for (const Stage& s : simplifications(streamable)) result = apply(s, result);
  return result;
}

}  // namespace lockstep::streaming
