// A program of another language as one of the calculus: what its arguments and results are there, and on what
// condition.
#pragma once
#include <tl/expected.hpp>

#include "semantics/functional/inference/infer.h"

namespace lockstep {

// A leaf of an argument or of the result.
struct LoweredLeaf {
  std::string name;      // of the parameter; "" where it is none: its value follows from `number`
  std::string source{};  // of an argument, in the program that was lowered
  ScalarType scalar = ScalarType::I64;
  std::vector<Size> lengths{};   // outermost first, over the sizes of the definition
  std::optional<Size> number{};  // of an int that is a size
};
struct LoweredProgram {
  surface::Definition definition;
  std::vector<surface::Definition> called{};    // by it
  std::vector<LoweredLeaf> arguments, results;  // in order
  std::vector<Region> bijections{};  // that its lowering relies on, of functions that give elements their places
};
struct NotLowered {
  Region region;
  std::string why;  // "the length of iota is known only when it runs"
};
surface::Program program_of(const LoweredProgram& l);

// The same with the types of the calculus. What is wrong with those is a Bug, but for a condition that the solver does
// not decide.
struct InCalculus {
  LoweredProgram lowered;
  PhraseProgram program;
  std::vector<SizeObligation> sizes;  // that it owed
};
tl::expected<InCalculus, NotLowered> with_types(LoweredProgram lowered, const Calculus& calculus,
                                                const SizeSolver& solver);

}  // namespace lockstep
