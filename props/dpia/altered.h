// A well-typed program with one change: a size, a type, a name, an argument left out or exchanged. Most are ill-typed.
#pragma once
#include <cstdint>

#include "semantics/functional/syntax/syntax.h"

namespace lockstep::props {

surface::Program altered(surface::Program p, std::uint64_t seed);

}  // namespace lockstep::props
