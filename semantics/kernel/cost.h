// Work, depth and space of kernel programs, as polynomials over the program's sizes: upper bounds. Names beside the
// sizes: "#threads", the workers that each hold a parallel loop's scratch; "#iterations_k", the rounds of the k-th
// while loop (one of two rounds comes to its body half as often), and "extent_k" of a loop whose extent is read from
// data.
#pragma once
#include "semantics/kernel/syntax.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::kernel {

// Work: scalar operations, loads and stores, one for each lane; index arithmetic is free. Depth: the same along the
// longest path, all iterations of a parallel loop side by side. Space: scalars allocated, parameters not counted.
Cost cost(const Program& program);

// Of these the operations on floats, by their width, one for each lane: a product rounded with its sum is two. What no
// polynomial over the sizes bounds has names, as in Cost.
struct FloatOperations {
  Size f32, f64;
};
FloatOperations float_operations(const Program& program);

}  // namespace lockstep::kernel
