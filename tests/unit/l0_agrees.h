// Programs of L0 through all of their stages.
#pragma once
#include <catch2/catch.hpp>

#include "proofs/sizes/solver.h"
#include "props/l0/check.h"
#include "tests/unit/l0_program.h"

namespace lockstep::test {

// On so many random inputs, for the CPU and again for the GPU, as far as it is taken there.
inline props::l0::CheckCounts l0_agrees(const std::string& text, std::size_t inputs) {
  INFO(text);
  props::l0::CheckCounts counts;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const auto found = props::l0::check_program(
        l0_program(text), seed, props::l0::Toolchain::standard(proofs::z3_size_solver()), {.inputs = inputs}, counts);
    INFO((found ? found->property + " at " + found->stage + " on " + found->input + ": " + found->detail : ""));
    CHECK_FALSE(found);
  }
  return counts;
}

}  // namespace lockstep::test
