// What the built-ins and operators of SNESL are called, take and give, for people.
#pragma once
#include <string_view>
#include <vector>

#include "semantics/snesl/atom.h"

namespace lockstep::snesl::elaboration {

// In types, a and b are any, t has no sequences in it, n is Int or Real, i Int or Bool, p any scalar.
struct BuiltinNote {
  std::string_view name;
  std::string_view type;
  std::string_view summary;
};
std::vector<BuiltinNote> builtin_notes();  // of all, the operators last

// The built-ins that are operators of semantics/scalars on Reals alone or on Ints alone: sqrt, rotl ...
struct ScalarFunction {
  std::string_view name;
  std::vector<Prim> operands;
  Prim result;
};
const std::vector<ScalarFunction>& scalar_functions();

}  // namespace lockstep::snesl::elaboration
