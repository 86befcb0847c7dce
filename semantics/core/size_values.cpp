// What sizes are where their names stand for something: other sizes, or numbers.
#include <algorithm>

#include "semantics/core/diagnostic.h"
#include "semantics/core/size_terms.h"

namespace lockstep {

// Whether one of the names stands in it as it is written, or a division, whose parts have to be looked at.
static bool may_change(const Size& s, const SizeSubstitution& by) {
  return std::any_of(s.terms().begin(), s.terms().end(), [&](const SizeTerm& t) {
    return std::any_of(t.powers.begin(), t.powers.end(),
                       [&](const auto& p) { return p.first.division || by.contains(p.first.name); });
  });
}

Size substitute(const Size& s, const SizeSubstitution& by) {
  if (by.empty() || !may_change(s, by)) return s;
  Size out = 0;
  bool changed = false;
  for (const SizeTerm& t : s.terms()) {
    Size product = t.coefficient;
    for (const auto& [atom, power] : t.powers) {
      Size value = 0;
      if (atom.division) {
        value = floor_div(substitute(atom.division->first, by), substitute(atom.division->second, by));
        changed = true;
      } else if (const auto it = by.find(atom.name); it != by.end()) {
        value = it->second;
        changed = true;
      } else {
        value = Size::name(atom.name);
      }
      for (int k = 0; k < power; ++k) product = product * value;
    }
    out = out + product;
  }
  return changed ? out : s;
}

void collect_names(const Size& s, std::set<std::string>& into) {
  for (const SizeTerm& t : s.terms())
    for (const auto& [atom, power] : t.powers) {
      if (!atom.division) {
        into.insert(atom.name);
      } else {
        collect_names(atom.division->first, into);
        collect_names(atom.division->second, into);
      }
    }
}

bool mentions(const Size& s, const std::string& name) {
  return std::any_of(s.terms().begin(), s.terms().end(), [&](const SizeTerm& t) {
    return std::any_of(t.powers.begin(), t.powers.end(), [&](const auto& p) {
      const auto& division = p.first.division;
      return division ? mentions(division->first, name) || mentions(division->second, name) : p.first.name == name;
    });
  });
}

std::optional<std::int64_t> evaluate(const Size& s, const SizeValues& values) {
  __int128 sum = 0;
  for (const SizeTerm& t : s.terms()) {
    __int128 product = t.coefficient;
    for (const auto& [atom, power] : t.powers) {
      std::int64_t value = 0;
      if (atom.division) {
        const auto a = evaluate(atom.division->first, values), b = evaluate(atom.division->second, values);
        if (!a || !b || *b < 1) return {};
        value = floor_quotient(*a, *b);
      } else {
        const auto it = values.find(atom.name);
        if (it == values.end()) return {};
        value = it->second;
      }
      for (int k = 0; k < power; ++k) {
        product *= value;
        if (product > INT64_MAX || product < INT64_MIN) return {};
      }
    }
    sum += product;
    if (sum > INT64_MAX || sum < INT64_MIN) return {};
  }
  return static_cast<std::int64_t>(sum);
}

SizeFact substitute(const SizeFact& f, const SizeSubstitution& by) {
  return {substitute(f.left, by), f.relation, substitute(f.right, by)};
}
std::optional<bool> evaluate(const SizeFact& f, const SizeValues& values) {
  const auto a = evaluate(f.left, values), b = evaluate(f.right, values);
  if (!a || !b) return {};
  switch (f.relation) {
    case SizeRelation::Equal:
      return *a == *b;
    case SizeRelation::NotEqual:
      return *a != *b;
    case SizeRelation::LessEqual:
      return *a <= *b;
    case SizeRelation::Less:
      return *a < *b;
  }
  throw Bug("size relation");
}

}  // namespace lockstep
