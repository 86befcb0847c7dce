// The meaning of FCL without levels: big steps, call by value, pull arrays as functions of an index (fcl.md §1 and 2).
#pragma once
#include <tl/expected.hpp>

#include "semantics/core/launch.h"
#include "semantics/core/value.h"
#include "semantics/fcl/infer.h"

namespace lockstep::fcl {

inline constexpr std::string_view round_limit_message = "more rounds than the limit";  // of the trap of `while`
struct Evaluation {
  const Domain& domain = ieee_domain();
  Launch launch{};           // #BlockSize and #WarpSize
  std::uint64_t rounds = 0;  // of all `while` together; 0: no limit
};

// A definition of the program, behind the prelude, on a value for each parameter that is no level; of a push array its
// elements. What the domain cannot decide is an UndecidedSignal.
tl::expected<Value, Trap> evaluate(const Inferred& program, std::string_view definition, std::vector<Value> arguments,
                                   const Evaluation& how = {});

}  // namespace lockstep::fcl
