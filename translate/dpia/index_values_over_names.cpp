// Values as arithmetic over the kernel's names (index_values.h).
#include "translate/dpia/index_values.h"

namespace lockstep {

using namespace kernel;

// s, where a variable that may be negative stands for it: such a value is a difference of two names.
static Size over_differences(const IndexValues::Variables& variables, Size s) {
  for (const auto& [name, x] : variables) {
    if (!(x.type == KType{}) || !x.value || x.value->as_name()) continue;
    std::set<std::string> names;
    collect_names(*x.value, names);
    for (const std::string& n : names) {
      const auto less = (Size::name(n) - *x.value).as_name();
      if (!n.starts_with('#') || !less || !less->starts_with('#') || !mentions(s, n)) continue;
      s = substitute(s, {{n, Size::name(name) + Size::name(*less)}});
      break;
    }
  }
  return s;
}

std::optional<Size> IndexValues::over(const Variables& variables, const Size& of) {
  const Size s = over_differences(variables, of);
  std::set<std::string> names;
  collect_names(s, names);
  SizeSubstitution by;
  for (const std::string& n : names) {
    if (!n.starts_with('#')) continue;
    const auto variable = std::find_if(variables.begin(), variables.end(), [&](const auto& v) {
      return v.second.type == KType{} && v.second.value && v.second.value->as_name() == n;
    });
    if (variable == variables.end()) return {};
    by.emplace(n, Size::name(variable->first));
  }
  return substitute(s, by);
}

std::optional<Expr> IndexValues::as_index(const Expr& e) try {
  const Value found = value(e);
  if (!found) return {};
  const Size simple = now_.facts.simplify(*found);
  if (!within(positive_part(simple), ScalarType::I64)) return {};
  const auto named = over(now_.variables, simple);
  return named ? std::optional(size_expr(*named)) : std::nullopt;
} catch (const SizeTooLarge&) {
  return {};
}

}  // namespace lockstep
