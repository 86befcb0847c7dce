// Values of FCL as the command line gives them and as results are printed; types that values decide.
#pragma once
#include <map>

#include "semantics/core/type.h"
#include "semantics/core/value.h"
#include "semantics/fcl/syntax.h"

namespace lockstep::fcl {

// What a type leaves open, as far as values said what it is. An int stands for a double, too, where a value has one.
using Bound = std::map<std::string, Type>;

// Looks at a value's text (12, -1.5, true, (1,2), [1,2]) as one of the given type, and notes what it says of what that
// leaves open; then reads it at a type that leaves nothing open. Nested arrays are regular. Diagnostics point into the
// value's own source.
std::optional<Diagnostics> note_types(const SourceRef& source, const Type& type, Bound& bound);
Checked<Value> parse_value(const SourceRef& source, const Type& type);

// With what is bound in the place of names; what nothing said is an int.
Type closed(const Type& t, const Bound& bound);
// As data of the calculus' types: push arrays as pull arrays are, and lengths those of this value. Regular.
lockstep::Type shaped(const Type& t, const Value& v);

}  // namespace lockstep::fcl
