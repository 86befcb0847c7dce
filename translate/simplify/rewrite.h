// How the optimisations of SVCODE go over a program: once, in order, each instruction seeing its arguments as they have
// become.
#pragma once
#include <functional>
#include <variant>

#include "semantics/svcode/program.h"

namespace lockstep::streaming {

// What becomes of an instruction: another in its place, or a stream that is there already.
using Rewritten = std::variant<svcode::Instr, svcode::StreamId>;
// Given the instruction with its arguments renamed, and the new program so far, where stream i is instruction i.
using Rewriting = std::function<Rewritten(const svcode::Instr&, const std::vector<svcode::Instr>&)>;
svcode::Program rewrite(const svcode::Program& p, const Rewriting& rule);

// Whether a stage may change the instruction; and a stage that asks it.
using MayChange = std::function<bool(svcode::StreamId)>;
using PartialStage = std::function<svcode::Program(const svcode::Program&, const MayChange&)>;
// The stage, and then what it leaves unused is dropped. Where a streamable program would become one that is not, the
// instructions are left as they are whose change does it, found by bisection.
svcode::Program run_keeping(const svcode::Program& p, const std::function<bool(const svcode::Program&)>& streamable,
                            const PartialStage& stage);

// How often each stream is used, the result included; by index.
std::vector<int> uses_of(const svcode::Program& p);

}  // namespace lockstep::streaming
