// Optimisations of SVCODE (SNESL §4.3, §4.3.1), each a stage. A stage keeps the result and whether the program fails,
// never adds work, and keeps a streamable program streamable.
#pragma once
#include <functional>

#include "semantics/svcode/program.h"

namespace lockstep::streaming {

struct Stage {
  std::string name;
  std::string cite;
  std::function<svcode::Program(const svcode::Program&)> run;
};

// Whether a program may run with bounded buffers; none is taken for no. Asked before two traversals become one.
using Streamable = std::function<bool(const svcode::Program&)>;

Stage common_subexpressions();
Stage check_removal();
Stage constants();
Stage special_cases();
Stage normal_descriptors(const Streamable& streamable);
Stage dead_code();

// The stages in the order in which they are run.
std::vector<Stage> simplifications(const Streamable& streamable = {});
svcode::Program simplify(const svcode::Program& p, const Streamable& streamable = {});

}  // namespace lockstep::streaming
