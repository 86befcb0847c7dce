// Results, compared and shown.
#include "props/l0/outcomes.h"

#include <algorithm>

#include "semantics/core/memory_limit.h"

namespace lockstep::props::l0 {

Outcome outcome(const AnyProgram& p, const language::Values& leaves, const language::Evaluation& how) {
  language::Values own;
  for (const language::Value& leaf : leaves) own.push_back(language::copied(leaf));
  return language::language()->meaning(p, own, how);
}

std::optional<Outcome> outcome_within_memory(const AnyProgram& p, const language::Values& leaves,
                                             const language::Evaluation& how) {
  try {
    return outcome(p, leaves, how);
  } catch (const NotEnoughMemory&) {
    return std::nullopt;
  }
}

std::string shown(const Outcome& o, const language::Function& f) {
  if (!o) return "trap: " + o.error().primitive + ": " + o.error().message;
  std::size_t next = 0;
  std::string out = language::show(language::value_of_leaves(f.result, *o, next), f.result, ieee_domain());
  for (const language::Value& v : *o)
    if (const auto* a = std::get_if<language::Array>(&v.node)) out += " " + language::show(a->shape.dimensions());
  return out;
}

bool same(const Outcome& a, const Outcome& b) {
  if (!a || !b) return !a && !b;
  return std::equal(a->begin(), a->end(), b->begin(), b->end(), language::same_value);
}

std::string shown_arguments(const language::Function& f, const language::Values& leaves) {
  std::string out;
  std::size_t next = 0;
  for (const language::Parameter& p : f.parameters)
    out += (out.empty() ? "" : " ") + p.name + "=" +
           language::show(language::value_of_leaves(p.type, leaves, next), p.type, ieee_domain());
  return out;
}

}  // namespace lockstep::props::l0
