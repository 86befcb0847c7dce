// The list of all rows (float_function.h).
#include "semantics/core/float_rows.h"

#include <algorithm>

namespace lockstep {

const std::vector<const FloatFunction*>& float_functions() {
  static const std::vector<const FloatFunction*> all = [] {
    std::vector<const FloatFunction*> joined;
    for (const auto& family : {float_arithmetic(), float_whole(), float_powers(), float_curves(), float_angles()})
      joined.insert(joined.end(), family.begin(), family.end());
    return joined;
  }();
  return all;
}

const FloatFunction& float_function_named(std::string_view name) {
  const auto& all = float_functions();
  const auto found = std::find_if(all.begin(), all.end(), [&](const FloatFunction* f) { return f->name == name; });
  if (found == all.end()) throw Bug("no function of floats " + std::string(name));
  return **found;
}

}  // namespace lockstep
