// What every reader asks first of a source: whether it is text of an acceptable length.
#pragma once
#include "semantics/core/diagnostic.h"

namespace lockstep {

inline constexpr std::size_t source_limit = std::size_t{16} << 20;  // bytes

// No diagnostics where the source is UTF-8 text of at most source_limit bytes, else one; `what` it should be is said
// there: "a .dpia program".
Diagnostics refuse_non_text(const SourceRef& source, const std::string& what);

}  // namespace lockstep
