// Gathers whose indices are piecewise straight lines in each segment: `{v ! (i < m ? m - 1 - i : i) : i in &n}` is two
// slices of v, one of them backwards, whatever n is. Nothing is stored for the indices, and nothing checked for each
// element: a step evaluates them once for each piece.
#pragma once
#include <functional>

#include "codegen/streaming/plan.h"

namespace lockstep::engine {

// What a plan has found so far.
struct SlicesQuery {
  const svcode::Program& program;
  const Plan& plan;
  // A descriptor as kernels read it.
  std::function<Operand(StreamId)> segments;
};

// The gathers of the program that can be made so, with all that each needs; a check is made by one of them only.
std::vector<Slices> find_slices(const SlicesQuery& q);
// The text of a step's function.
std::string slices_body(const Plan& plan, const Step& step);

}  // namespace lockstep::engine
