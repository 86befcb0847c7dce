// Kernel text (print.h) back to trees. Types of names come from their declarations, so a name that is not declared is
// an error here. Scalar operators are looked up by name in the function given.
#pragma once
#include <functional>

#include "semantics/core/diagnostic.h"
#include "semantics/kernel/syntax.h"

namespace lockstep::kernel {

using PrimitiveLookup = std::function<const std::shared_ptr<const Primitive>*(std::string_view name)>;
Checked<Program> parse(SourceRef source, const PrimitiveLookup& primitive);

}  // namespace lockstep::kernel
