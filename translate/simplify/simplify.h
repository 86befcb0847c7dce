// Optimisations of SVCODE (SNESL §4.3, §4.3.1), each a stage. A stage keeps the result and whether the program fails,
// never adds work, and keeps a streamable program streamable.
#pragma once
#include "semantics/svcode/language.h"
#include "semantics/svcode/rows.h"
#include "translate/pipeline/stage.h"

namespace lockstep::streaming {

// Whether a program may run with bounded buffers (streamable.h).
using Streamable = std::function<bool(const svcode::Program&)>;

// With `streamable`, a stage leaves instructions as they are whose change would make a streamable program another.
Stage common_subexpressions(const Streamable& streamable = {}, svcode::Rows rows = {});
Stage common_traversals(const Streamable& streamable, svcode::Rows rows = {});
Stage check_removal(const Streamable& streamable = {});
Stage special_cases(const Streamable& streamable = {});
Stage constants(const Streamable& streamable = {});
Stage normal_descriptors(const Streamable& streamable);
Stage dead_code(const Streamable& streamable = {});
// Never without what may fail or touches a file. The control stream stays: a program begins with it.
svcode::Program without_dead_code(const svcode::Program& p);

// A stage from SVCODE to itself that adds no work.
Stage svcode_stage(std::string name, std::string cite, std::function<svcode::Program(const svcode::Program&)> run);
svcode::Program apply(const Stage& stage, const svcode::Program& p);

// The stages in the order in which they are run.
std::vector<Stage> simplifications(const Streamable& streamable = {}, svcode::Rows rows = {});
svcode::Program simplify(const svcode::Program& p, const Streamable& streamable = {});

}  // namespace lockstep::streaming
