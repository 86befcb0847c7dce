// What may be said at most of the work of a kernel with branches.
#pragma once
#include "semantics/kernel/syntax.h"

namespace lockstep::props {

// The work of one walk through the kernel at these sizes in which both sides of every branch are charged, and of loops'
// extents only what adds to them: the cost's maximum of two sides, coefficient by coefficient, is not more. Nothing for
// kernels with while loops or loops whose extents are no sizes.
std::optional<std::int64_t> work_of_both_sides(const kernel::Program& program, const SizeValues& sizes);

}  // namespace lockstep::props
