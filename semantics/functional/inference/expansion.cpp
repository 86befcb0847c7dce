// Entry points with their calls expanded.
#include "semantics/functional/inference/expansion.h"

#include <algorithm>

#include "semantics/functional/inference/elaborate.h"
#include "semantics/functional/inference/hierarchy.h"

namespace lockstep::inference {
namespace {

// What every stage can take, in time and in depth of recursion.
constexpr std::size_t most_nodes = 2'000'000, deepest = 25'000;

std::size_t height(const Phrase& p) {
  std::size_t inside = 0;
  for_each_child(p, [&](const PhraseRef& c) { inside = std::max(inside, height(*c)); });
  return inside + 1;
}

}  // namespace

void error_if_large(const Region& region, const std::string& name, const PhraseRef& body, Diagnostics& out) {
  if (node_count(*body) > most_nodes)
    out.push_back({region, name + " has more than " + std::to_string(most_nodes) + " nodes, its calls expanded",
                   "a program of reasonable size", ""});
  else if (height(*body) > deepest)
    out.push_back({region, name + " is more than " + std::to_string(deepest) + " operations deep, its calls expanded",
                   "fewer operations of which each takes the result of the one before", "use iterate or reduce"});
}

PhraseRef renamed(const PhraseProgram& p) {
  Names names;
  for (const std::string& s : p.sizes) names.reserve(s);
  for (const auto& [name, type] : p.parameters) names.reserve(name);
  return refresh(p.body, names);
}

Checked<PhraseProgram> expanded_within(const Elaboration& elaboration, std::size_t entry, const Calculus& calculus,
                                       std::size_t nodes) {
  PhraseProgram out = elaboration.entries.at(entry);
  Diagnostics errors;
  Names names;
  std::size_t none = 0;
  Work w({calculus, *elaboration.definitions, names, elaboration.implied, none, out.name}, errors);
  for (const SizeFact& f : out.facts) w.context.assume(f);
  for (const std::string& s : out.sizes) names.reserve(s);
  for (const auto& [name, type] : out.parameters) names.reserve(name);
  out.body = refresh(out.body, names);
  try {
    out.body = expanded(w, out.body, nodes);
  } catch (const Failure&) {
    return tl::unexpected(errors);
  }
  error_if_large(elaboration.entry_regions.at(entry), out.name, out.body, errors);
  if (errors.empty()) errors = hierarchy_errors(out.body);
  if (errors.empty())
    if (auto outside = outside_blocks(out.body)) errors.push_back(std::move(*outside));
  if (!errors.empty()) return tl::unexpected(errors);
  out.body = renamed(out);
  return out;
}

}  // namespace lockstep::inference

namespace lockstep {

Checked<PhraseProgram> expanded(const Elaboration& elaboration, std::size_t entry, const Calculus& calculus) {
  const PhraseProgram& out = elaboration.entries.at(entry);
  const Region& region = elaboration.entry_regions.at(entry);
  const inference::Defined* defined = elaboration.definitions ? elaboration.definitions->find(out.name) : nullptr;
  if (!defined || !defined->has_calls) return out;
  if (defined->expanded_nodes > inference::most_nodes)
    return tl::unexpected(Diagnostics{
        {region, out.name + " has at least " + std::to_string(defined->expanded_nodes) + " nodes, its calls expanded",
         "at most " + std::to_string(inference::most_nodes), "a function that calls another one twice doubles it"}});
  try {
    return inference::expanded_within(elaboration, entry, calculus, inference::most_nodes);
  } catch (const inference::TooManyNodes& at) {
    return tl::unexpected(
        Diagnostics{{at.region, out.name + " expands to more than " + std::to_string(inference::most_nodes) + " nodes",
                     "", "name what is computed twice: let y = f x in ..."}});
  }
}

}  // namespace lockstep
