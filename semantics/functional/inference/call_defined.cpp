// Calls of defined functions: expanded at once where they are few, else left for later.
#include <algorithm>

#include "semantics/functional/inference/advice.h"
#include "semantics/functional/inference/calls.h"
#include "semantics/functional/inference/refusals.h"
#include "semantics/functional/inference/sizes.h"

namespace lockstep::inference {
namespace {

std::vector<std::optional<Type>> parameters_of(const Defined& d) {
  std::vector<std::optional<Type>> out;
  for (const Defined::Parameter& p : d.parameters) out.push_back(p.type);
  return out;
}

// What its sizes and types are at a call.
struct DefinedAt {
  SizeSubstitution sizes;
  TypeSubstitution types;
};
DefinedAt defined_at(Work& w, const Defined& d, const std::vector<Argument>& arguments, const Region& region) {
  DefinedAt at;
  for (const std::string& s : d.implicit_sizes)
    at.sizes.insert_or_assign(s, w.types().fresh_size(region, "the size " + s + " of " + d.name));
  for (const std::string& t : d.type_variables)
    at.types.insert_or_assign(t, w.types().fresh_type(region, "the type '" + t + " of " + d.name));
  for (std::size_t k = 0; k < arguments.size(); ++k)
    if (!d.parameters[k].type)
      at.sizes.insert_or_assign(d.parameters[k].name, size_of_argument(w, arguments[k], d.name, region));
  return at;
}

}  // namespace

Typed call_defined(Work& w, const Defined& d, const std::vector<Argument>& arguments, const Region& region) {
  const Applied to{d.name, type_of(d), region};
  const std::vector<std::optional<Type>> written = parameters_of(d);
  if (arguments.size() != written.size()) wrong_count(w, to, written.size(), arguments);
  for (std::size_t k = 0; k < arguments.size(); ++k)
    if (!(written[k] && as<FunctionType>(*written[k])) && is_written_function(w, arguments[k]))
      refuse_other_order(w, to, arguments, written);
  const auto [sizes, types] = defined_at(w, d, arguments, region);
  std::vector<Type> parameters;
  std::vector<Defined::Parameter> of_values;
  for (const Defined::Parameter& p : d.parameters)
    if (p.type) {
      parameters.push_back(lockstep::substitute(*p.type, sizes, types));
      of_values.push_back(p);
    }
  Lets lets;
  std::vector<PhraseRef> values = arguments_in_order(w, arguments, written, parameters, to, lets);
  for (const SizeFact& f : d.facts)
    w.require(lockstep::substitute(f, sizes), region, "the fact " + show(f) + " of " + d.name);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!as<FunctionType>(*of_values[k].type))
      values[k] = atom(w, {values[k], parameters[k]}, of_values[k].name, lets).phrase;
  const Type result = lockstep::substitute(d.result, sizes, types);
  if (atomic(*d.body) || (!d.has_calls && d.nodes <= w.in.nodes_left)) {
    w.in.nodes_left -= std::min(w.in.nodes_left, d.nodes);
    return {wrap(lets, instance_of(d, sizes, types, values, w.in.names)), result};
  }
  std::vector<Size> size_arguments;
  std::vector<Type> type_arguments;
  for (const std::string& s : sizes_of(d)) size_arguments.push_back(sizes.at(s));
  for (const std::string& t : d.type_variables) type_arguments.push_back(types.at(t));
  return {wrap(lets, prim(d.call, size_arguments, type_arguments, std::move(values), result, region)), result};
}

}  // namespace lockstep::inference
