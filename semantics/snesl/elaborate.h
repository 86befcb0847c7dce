// Types (Fig. 2.1, 2.2), expansion of functions, and desugaring of surface programs into the core (§2.2.1).
#pragma once
#include <map>

#include "semantics/snesl/core.h"
#include "semantics/snesl/syntax.h"

namespace lockstep::snesl {

// The type of a function of the program where it can be an entry point: each parameter's type where only one fits,
// otherwise what is known of it.
//
// A type that nothing determines: where it may be any type at all, no value has it (it is that of the elements of what
// is always empty, as in #{}), and it is taken for Int. Where it is one of several prims, as in sum({}), the choice
// would show in the result and is an error. What a parameter leaves open is given with its value; in a value given, an
// Int fits a Real.
struct EntryPoint {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<std::string> types;  // as shown to a user: "[Char]", "Int", "{a}" with a, b, ... for what is open
  std::string result;
  bool closed = false;  // nothing is open
};

// Checks every function of the program: each on its own, for all its uses, and each call of it anew. Recursion, unknown
// names, wrong types are all reported together.
Checked<std::vector<EntryPoint>> check(const surface::Program& p);

// The entry point `function` (none: the last) with the parameter types given by name for those that are open; an open
// type that is not given, or one that does not fit, is a diagnostic.
Checked<core::Program> elaborate(const surface::Program& p, const std::string& function,
                                 const std::map<std::string, Type>& given);

}  // namespace lockstep::snesl
