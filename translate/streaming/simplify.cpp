#include "translate/streaming/simplify.h"

namespace lockstep::streaming {

namespace {

// A stage that would make a streamable program one that is not leaves it as it is: two streams of one content become one
// traversal, and constants lose what they were counted by.
Stage keeping(Stage stage, const Streamable& streamable) {
  return {stage.name, stage.cite, [run = std::move(stage.run), streamable](const svcode::Program& p) {
            svcode::Program after = run(p);
            return streamable(after) || !streamable(p) ? after : p;
          }};
}

}  // namespace

std::vector<Stage> simplifications(const Streamable& streamable) {
  std::vector<Stage> all{common_subexpressions(), check_removal(),   constants(),
                         special_cases(),         normal_descriptors(streamable), check_removal(),
                         special_cases(),         common_subexpressions(),        dead_code()};
  if (streamable)
    for (Stage& s : all) s = keeping(std::move(s), streamable);
  return all;
}

svcode::Program simplify(const svcode::Program& p, const Streamable& streamable) {
  svcode::Program result = p;
  for (const Stage& s : simplifications(streamable)) result = s.run(result);
  return result;
}

}  // namespace lockstep::streaming
