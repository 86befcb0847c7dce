// The list of optimisations, in the order in which they run (simplify.h).
#include "translate/simplify/simplify.h"

namespace lockstep::streaming {

// Special cases first: they look at how streams are made, which is gone once they are constants.
std::vector<Stage> simplifications(const Streamable& streamable) {
  return {common_subexpressions(streamable), common_traversals(streamable), check_removal(streamable),
          special_cases(streamable),         constants(streamable),         normal_descriptors(streamable),
          common_traversals(streamable),     check_removal(streamable),     special_cases(streamable),
          common_subexpressions(streamable), dead_code(streamable)};
}

svcode::Program simplify(const svcode::Program& p, const Streamable& streamable) {
  svcode::Program result = p;
  for (const Stage& s : simplifications(streamable)) result = s.run(result);
  return result;
}

}  // namespace lockstep::streaming
