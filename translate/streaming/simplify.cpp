#include "translate/streaming/simplify.h"

namespace lockstep::streaming {

std::vector<Stage> simplifications(const Streamable& streamable) {
  return {common_subexpressions(),
          check_removal(),
          constants(),
          special_cases(),
          normal_descriptors(streamable),
          check_removal(),
          special_cases(),
          common_subexpressions(),
          dead_code()};
}

svcode::Program simplify(const svcode::Program& p, const Streamable& streamable) {
  svcode::Program result = p;
  for (const Stage& s : simplifications(streamable)) result = s.run(result);
  return result;
}

}  // namespace lockstep::streaming
