// Random programs of L0 (l0.md §3): typed, with unique arrays, updates, loops, branches, filters, sizes, tuples; made
// to have producers and consumers, some of which fuse.
#pragma once
#include <cstdint>

#include "semantics/l0/syntax.h"
#include "semantics/l0/value.h"

namespace lockstep::props::l0 {

// The last function is the entry point. Typed; its uses are right.
lockstep::l0::Program generate_program(std::uint64_t seed, int statements);

// Arguments of the entry point: arrays are short, most of them equally long, some empty. A number that a program takes
// is often their length.
lockstep::l0::Values random_arguments(const lockstep::l0::Function& f, std::uint64_t seed);

}  // namespace lockstep::props::l0
