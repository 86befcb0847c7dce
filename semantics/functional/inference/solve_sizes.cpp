// Sizes of an entry point from the arrays that it is given.
#include <algorithm>

#include "semantics/core/size_limit.h"
#include "semantics/functional/inference/infer.h"

namespace lockstep {
namespace {

struct Known {
  Size left;           // as in the parameter's type
  std::int64_t right;  // as in the array
  std::string where;   // "dimension 1 of xs"
};

// The one unknown of a linear size, solved; nothing where there is none or several.
std::optional<std::pair<std::string, tl::expected<std::int64_t, std::string>>> solve(const Known& k,
                                                                                     const SizeValues& values) {
  std::set<std::string> names;
  collect_names(k.left, names);
  std::string unknown;
  for (const std::string& n : names) {
    if (values.contains(n)) continue;
    if (!unknown.empty()) return {};
    unknown = n;
  }
  if (unknown.empty()) return {};
  for (const SizeTerm& t : k.left.terms())  // linear: in no division
    for (const auto& [atom, power] : t.powers)
      if (atom.division && (mentions(atom.division->first, unknown) || mentions(atom.division->second, unknown)))
        return {};
  SizeValues at = values;
  const auto value_at = [&](std::int64_t x) {
    at[unknown] = x;
    return evaluate(k.left, at);
  };
  const auto zero = value_at(0), one = value_at(1), two = value_at(2);
  if (!zero || !one || !two || *two - *one != *one - *zero) return {};  // not linear (a division inside)
  const std::int64_t slope = *one - *zero;
  if (slope == 0) return {};
  const std::int64_t rest = k.right - *zero;
  if (rest % slope != 0 || rest / slope < 0)
    return std::pair{unknown, tl::expected<std::int64_t, std::string>(
                                  tl::unexpected(k.where + " is " + std::to_string(k.right) + ", but no size " +
                                                 unknown + " makes " + show(k.left) + " equal to it"))};
  return std::pair{unknown, tl::expected<std::int64_t, std::string>(rest / slope)};
}

// A size of the program that has no value within 64 bits, as text; "" where all have.
std::string overflowing_size(const PhraseProgram& program, const SizeValues& values) {
  std::string bad;
  const auto size = [&](const Size& s) {
    const auto v = evaluate(s, values);
    if (bad.empty() && (!v || *v < 0 || *v > largest_size)) bad = show(s);
  };
  const auto type = [&](const Type& t) {
    if (is_data(t))
      for (const Leaf& leaf : leaves_of(t)) size(element_count(leaf));
  };
  const std::function<void(const Phrase&)> go = [&](const Phrase& p) {
    if (const auto* e = as<ExpType>(p.type)) type(e->data);
    if (const auto* n = as<NatPhrase>(p)) size(n->size);
    for_each_child(p, [&](const PhraseRef& c) { go(*c); });
  };
  for (const auto& [name, t] : program.parameters) type(t);
  type(program.result);
  go(*program.body);
  return bad;
}

bool all_known(const std::vector<Size>& sizes, const SizeValues& values) {
  std::set<std::string> names;
  for (const Size& s : sizes) collect_names(s, names);
  return std::all_of(names.begin(), names.end(), [&](const std::string& n) { return values.contains(n); });
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string out = "[";
  for (std::size_t k = 0; k < shape.size(); ++k) out += (k ? ", " : "") + std::to_string(shape[k]);
  return out + "]";
}

}  // namespace

tl::expected<SizeSolution, std::string> solve_sizes(
    const PhraseProgram& program, const SizeValues& given,
    const std::map<std::string, std::vector<std::vector<std::int64_t>>>& shapes, OpenSizes open) {
  SizeValues values = given;
  for (const auto& [name, value] : given)
    if (value < 0)
      return tl::unexpected("the size " + name + " is " + std::to_string(value) + ", but sizes are natural numbers");
  std::vector<Known> known;
  for (const auto& [name, type] : program.parameters) {
    const auto it = shapes.find(name);
    if (it == shapes.end()) continue;
    const std::vector<Leaf> leaves = leaves_of(type);
    for (std::size_t k = 0; k < leaves.size() && k < it->second.size(); ++k) {
      const std::string leaf = leaves.size() == 1 ? name : name + "." + std::to_string(k);
      const auto& shape = it->second[k];
      if (shape.size() != leaves[k].dims.size())
        return tl::unexpected(leaf + " has the shape " + shape_text(shape) + ", but the type " + show(type) + " has " +
                              std::to_string(leaves[k].dims.size()) +
                              (leaves[k].dims.size() == 1 ? " dimension" : " dimensions"));
      for (std::size_t d = 0; d < shape.size(); ++d)
        known.push_back(
            {leaves[k].dims[d], shape[d],
             shape.size() == 1 ? "the length of " + leaf : "dimension " + std::to_string(d + 1) + " of " + leaf});
    }
  }
  for (bool progress = true; progress;) {
    progress = false;
    for (const Known& k : known)
      if (const auto s = solve(k, values)) {
        if (!s->second) return tl::unexpected(s->second.error());
        values[s->first] = *s->second;
        progress = true;
      }
  }
  for (const std::string& n : program.sizes)
    if (!values.contains(n) && open == OpenSizes::Refused)
      return tl::unexpected("the size " + n + " follows from no argument: give it by name, " + n + "=...");
  for (const Known& k : known) {
    if (!all_known({k.left}, values)) continue;
    const auto v = evaluate(k.left, values);
    if (!v)
      return tl::unexpected("the size " + show(k.left) + " of " + k.where + " overflows 64 bits or divides by zero");
    if (*v != k.right) {
      std::set<std::string> names;
      collect_names(k.left, names);
      std::string with;
      for (const std::string& n : names)
        with += (with.empty() ? " with " : ", ") + n + " = " + std::to_string(values[n]);
      return tl::unexpected(k.where + " is " + std::to_string(k.right) + ", but " + show(k.left) + with + " makes it " +
                            std::to_string(*v));
    }
  }
  for (const SizeFact& f : program.facts) {
    const auto holds = evaluate(f, values);
    if (holds == true || !all_known({f.left, f.right}, values)) continue;
    std::set<std::string> names;
    collect_names(f.left, names);
    collect_names(f.right, names);
    std::string with;
    for (const std::string& n : names) with += (with.empty() ? "" : ", ") + n + " = " + std::to_string(values[n]);
    return tl::unexpected(program.name + " asks for " + show(f) + ", which does not hold with " + with);
  }
  if (values.size() < program.sizes.size()) return SizeSolution{std::move(values)};
  if (const std::string bad = overflowing_size(program, values); !bad.empty()) {
    std::string with;
    for (const auto& [n, v] : values) with += (with.empty() ? "" : ", ") + n + " = " + std::to_string(v);
    return tl::unexpected("the size " + bad + " is too large with " + with);
  }
  return SizeSolution{std::move(values)};
}

}  // namespace lockstep
