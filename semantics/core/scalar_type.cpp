// The names of the scalar types.
#include "semantics/core/scalar_type.h"

namespace lockstep {

std::string names_of_scalars() {
  std::string out;
  for (const ScalarType t : scalar_types) out += (out.empty() ? "" : " ") + std::string(show(t));
  return out;
}

std::optional<ScalarType> scalar_named(std::string_view name) {
  for (const ScalarType t : scalar_types)
    if (show(t) == name) return t;
  return {};
}

}  // namespace lockstep
