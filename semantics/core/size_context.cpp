// What follows about sizes by normalisation alone: equalities become rewrites, ranges become bounds. No search beyond
// a fixed depth and no solver, so that it is cheap enough for every index of every program.
#include <algorithm>
#include <numeric>

#include "semantics/core/diagnostic.h"
#include "semantics/core/size.h"
#include "semantics/core/size_limit.h"
#include "semantics/core/size_refuted.h"
#include "semantics/core/size_terms.h"

namespace lockstep {
namespace {

// s = coefficient * atom + rest, by the terms that have the atom and those that have it not; nothing where one has a
// power of it.
template <class IsIt>
std::optional<std::pair<Size, Size>> linear_by(const Size& s, const IsIt& is_it) {
  Size coefficient = 0;
  SizeTerms rest;
  for (const SizeTerm& t : s.terms()) {
    const auto at = std::find_if(t.powers.begin(), t.powers.end(), [&](const auto& p) { return is_it(p.first); });
    if (at == t.powers.end()) {
      rest.push_back(t);
      continue;
    }
    if (at->second != 1) return {};
    SizeTerm without = t;
    without.powers.erase(without.powers.begin() + (at - t.powers.begin()));
    coefficient = coefficient + SizeMaker::make({std::move(without)});
  }
  return std::pair{coefficient, SizeMaker::make(std::move(rest))};
}

// ... neither of them mentioning the name, or nothing.
std::optional<std::pair<Size, Size>> linear_in(const Size& s, const std::string& name) {
  for (const SizeTerm& t : s.terms())
    for (const auto& [atom, power] : t.powers)
      if (atom.division && (mentions(atom.division->first, name) || mentions(atom.division->second, name))) return {};
  return linear_by(s, [&](const SizeAtom& a) { return !a.division && a.name == name; });
}

// ... of the division atom given; nothing where it occurs otherwise.
std::optional<std::pair<Size, Size>> linear_in(const Size& s, const SizeAtom& division) {
  return linear_by(s, [&](const SizeAtom& a) { return compare(a, division) == 0; });
}

bool has_division(const SizeTerm& t) {
  return std::any_of(t.powers.begin(), t.powers.end(), [](const auto& p) { return p.first.division != nullptr; });
}

// s with f(numerator, denominator) in the place of each division.
Size map_divisions(const Size& s, const std::function<Size(const Size&, const Size&)>& f) {
  if (std::none_of(s.terms().begin(), s.terms().end(), has_division)) return s;
  Size out = 0;
  for (const SizeTerm& t : s.terms()) {
    if (!has_division(t)) {
      out = out + SizeMaker::make({t});
      continue;
    }
    Size product = t.coefficient;
    for (const auto& [atom, power] : t.powers) {
      const Size value = atom.division ? f(atom.division->first, atom.division->second) : Size::name(atom.name);
      for (int k = 0; k < power; ++k) product = product * value;
    }
    out = out + product;
  }
  return out;
}

std::vector<SizeAtom> divisions_of(const Size& s) {
  std::vector<SizeAtom> out;
  for (const SizeTerm& t : s.terms())
    for (const auto& power : t.powers) {
      const SizeAtom& atom = power.first;
      if (atom.division &&
          std::none_of(out.begin(), out.end(), [&](const SizeAtom& a) { return compare(a, atom) == 0; }))
        out.push_back(atom);
    }
  return out;
}

// k with s = k * b, where the normal form shows it.
std::optional<Size> exact_quotient(const Size& s, const Size& b) {
  const Size k = floor_div(s, b);
  if (k * b == s) return k;
  return {};
}

bool plainly_nonnegative(const Size& s) {
  return std::all_of(s.terms().begin(), s.terms().end(), [](const SizeTerm& t) {
    return t.coefficient >= 0 && std::all_of(t.powers.begin(), t.powers.end(), [](const auto& p) {
             return !p.first.division || plainly_nonnegative(p.first.division->first);
           });
  });
}

// Lower bounds by elimination: each step replaces s by something no larger.
class Bounds {
 public:
  explicit Bounds(const SizeContext& context) : context_(context) {
    for (const SizeFact& f : context.facts())
      if (f.relation == SizeRelation::Less || f.relation == SizeRelation::LessEqual)
        natural_.push_back(f.right - f.left - Size(f.relation == SizeRelation::Less ? 1 : 0));
  }

  bool nonnegative(const Size& s, int fuel = 6) const {
    if (plainly_nonnegative(s)) return true;
    if (s.constant()) return *s.constant() >= 0;
    if (fuel <= 0) return false;
    // the same is asked again and again on the way: what was not shown with as much fuel is not
    const auto [tried, is_new] = not_shown_.try_emplace(s, 0);
    if (!is_new && tried->second >= fuel) return false;
    const bool shown = by_range(s, fuel) || by_division(s, fuel) || by_fact(s, fuel);
    if (!shown) not_shown_[s] = std::max(not_shown_[s], fuel);
    return shown;
  }

  // With b*q + r in the place of each name that is divided by b: n*n - 8*n*(n/4) + 16*(n/4)*(n/4) is r*r. A name below
  // k*b has a q below k.
  bool by_remainders(const Size& s, int fuel = 3) const {
    for (const SizeAtom& division : divisions_of(s)) {
      const auto& [x, b] = *division.division;
      const auto name = x.as_name();
      if (!name || mentions(b, *name)) continue;
      const Size q = Size::name(*name + " quotient"), r = Size::name(*name + " remainder");
      SizeContext inner;
      inner.range(*r.as_name(), b);
      if (const auto range = context_.ranges().find(*name); range != context_.ranges().end()) {
        const auto exact = exact_quotient(range->second, b);
        inner.range(*q.as_name(), exact ? *exact : floor_div(range->second - Size(1), b) + Size(1));
      }
      take_over(inner, {{*name, b * q + r}});
      const Size t = inner.simplify(substitute(s, {{*name, b * q + r}}));
      const Bounds bounds(inner);
      return bounds.nonnegative(t) || (fuel > 0 && bounds.by_remainders(t, fuel - 1));
    }
    return false;
  }

  // With n + 1 in the place of each name without which a fact would not be, and that is in a product or a division, of
  // s or of a fact: where a name stands alone facts are enough. Ranges say nothing of that: who binds them may keep
  // them when the loop has ended.
  bool by_positive_names(const Size& s) const {
    if (context_.facts().empty()) return false;
    std::set<std::string> names;
    collect_names(s, names);
    SizeSubstitution above;
    for (const std::string& n : names)
      if (!stands_alone(s, n) && is_positive(n)) above.emplace(n, Size::name(n) + Size(1));
    if (above.empty()) return false;
    SizeContext inner;
    take_over(inner, above);
    const Size t = inner.simplify(substitute(s, above));
    const Bounds bounds(inner);
    return bounds.nonnegative(t) || bounds.by_remainders(t);
  }

 private:
  // What is known, with values in the place of names.
  void take_over(SizeContext& inner, const SizeSubstitution& by) const {
    for (const auto& [name, bound] : context_.ranges())
      if (!by.contains(name)) inner.range(name, substitute(bound, by));
    for (const SizeFact& f : context_.facts()) inner.assume(substitute(f, by));
    for (const auto& [name, value] : by)
      if (const auto range = context_.ranges().find(name); range != context_.ranges().end())
        inner.assume({value, SizeRelation::Less, substitute(range->second, by)});
  }
  static bool is_linear(const Size& s, const std::string& name) {
    const auto split = linear_in(s, name);
    return split && split->first.constant();
  }
  bool stands_alone(const Size& s, const std::string& name) const {
    return is_linear(s, name) && std::all_of(context_.facts().begin(), context_.facts().end(),
                                             [&](const SizeFact& f) { return is_linear(f.right - f.left, name); });
  }
  bool is_positive(const std::string& name) const {
    const SizeSubstitution nothing{{name, Size(0)}};
    const auto negative = [&](const Size& s) {
      const auto c = substitute(s, nothing).constant();
      return c && *c < 0;
    };
    return std::any_of(context_.facts().begin(), context_.facts().end(), [&](const SizeFact& f) {
      const Size difference = f.right - f.left;
      return (f.relation == SizeRelation::Less && negative(difference - Size(1))) ||
             (f.relation == SizeRelation::LessEqual && negative(difference)) ||
             (f.relation == SizeRelation::Equal && (negative(difference) || negative(Size(0) - difference)));
    });
  }

  bool by_range(const Size& s, int fuel) const {
    if (context_.ranges().empty()) return false;
    std::set<std::string> names;
    collect_names(s, names);
    for (const std::string& name : names) {
      const auto it = context_.ranges().find(name);
      if (it == context_.ranges().end()) continue;
      const auto split = linear_in(s, name);
      if (!split) continue;
      const auto& [coefficient, rest] = *split;
      if (nonnegative(coefficient, fuel - 1)) return nonnegative(rest, fuel);
      if (nonnegative(Size(0) - coefficient, fuel - 1))
        return nonnegative(coefficient * (it->second - Size(1)) + rest, fuel - 1);
    }
    return false;
  }

  // q = x/b satisfies x - b + 1 <= b*q <= x, and q >= 0 for x >= 0.
  bool by_division(const Size& s, int fuel) const {
    for (const SizeAtom& q : divisions_of(s)) {
      const auto split = linear_in(s, q);
      if (!split) continue;
      const auto& [x, b] = *q.division;
      if (const auto k = exact_quotient(split->first, b)) {
        if (nonnegative(Size(0) - *k, fuel - 1) && nonnegative(split->second + *k * x, fuel - 1)) return true;
        if (nonnegative(*k, fuel - 1) && nonnegative(split->second + *k * (x - b + Size(1)), fuel - 1)) return true;
      }
      if (nonnegative(split->first, fuel - 1) && nonnegative(x, fuel - 1) && nonnegative(split->second, fuel - 1))
        return true;
      // A negative coefficient: q <= x where x is natural.
      if (nonnegative(Size(0) - split->first, fuel - 2) && nonnegative(x, fuel - 2) &&
          nonnegative(split->second + split->first * x, fuel - 2))
        return true;
    }
    return false;
  }

  bool by_fact(const Size& s, int fuel) const {
    for (const Size& known : natural_) {
      if (s == known) return true;
      const Size left = s - known;
      if (left.terms().size() <= s.terms().size() && nonnegative(left, fuel - 2)) return true;
    }
    return false;
  }

  const SizeContext& context_;
  std::vector<Size> natural_;  // by the facts
  struct Before {
    bool operator()(const Size& a, const Size& b) const { return compare(a, b) < 0; }
  };
  mutable std::map<Size, int, Before> not_shown_;  // with so much fuel
};

bool is_shown_natural(const SizeContext& known, const Size& simple) {
  const Bounds bounds(known);
  return bounds.nonnegative(simple) || bounds.by_remainders(simple) || bounds.by_positive_names(simple);
}

}  // namespace

void SizeContext::range(const std::string& name, Size bound) { ranges_.insert_or_assign(name, std::move(bound)); }

void SizeContext::assume(SizeFact fact) try {
  facts_.push_back(fact);
  if (fact.relation != SizeRelation::Equal) return;
  const Size zero = substitute(fact.left - fact.right, rewrites_);
  std::optional<std::pair<std::string, Size>> rewrite;
  for (const SizeTerm& t : zero.terms()) {
    if (rewrite || (t.coefficient != 1 && t.coefficient != -1) || t.powers.size() != 1 || t.powers[0].second != 1)
      continue;
    const std::string& name = t.powers[0].first.name;
    if (name.empty()) continue;
    if (const auto split = linear_in(zero, name); split && split->first.constant()) {
      // name = -rest / coefficient, coefficient being 1 or -1
      rewrite = {name, split->first.constant() == 1 ? Size(0) - split->second : split->second};
    } else {
      // name == b*(name/b), or b*(name/b) == name: name is a multiple of b
      const Size multiple = Size::name(name) - (t.coefficient == 1 ? zero : Size(0) - zero);
      if (multiple.terms().size() == 1 && mentions(multiple, name)) {
        const SizeTerm& m = multiple.terms().front();
        for (const auto& [atom, power] : m.powers)
          if (atom.division && power == 1 && atom.division->first == Size::name(name) &&
              !mentions(atom.division->second, name) &&
              multiple == atom.division->second * floor_div(Size::name(name), atom.division->second))
            rewrite = {name, multiple};
      }
    }
  }
  if (!rewrite) return;
  SizeSubstitution rewrites = rewrites_;
  for (auto& [name, value] : rewrites) value = substitute(value, {{rewrite->first, rewrite->second}});
  rewrites.insert_or_assign(rewrite->first, rewrite->second);
  rewrites_ = std::move(rewrites);
  // The name was natural; what stands for it is.
  const auto& terms = rewrite->second.terms();
  if (std::any_of(terms.begin(), terms.end(), [](const SizeTerm& t) { return t.coefficient < 0; }))
    facts_.push_back({0, SizeRelation::LessEqual, rewrite->second});
} catch (const SizeTooLarge&) {
  // A fact that no rewriting follows from.
}

// Where a normal form would leave 64 bits it is not used: what is not simplified is as true, and nothing is shown.
Size SizeContext::simplify(const Size& s) const try {
  const Size rewritten = substitute(s, rewrites_);
  if (ranges_.empty() && facts_.empty()) return rewritten;
  return settle(rewritten);
} catch (const SizeTooLarge&) {
  return s;
}

// Inside a division nothing is rewritten again: n -> 64*(n/64) holds its own left side.
Size SizeContext::settle(const Size& s) const {
  return map_divisions(s, [this](const Size& x, const Size& b) { return settle(settle(x), settle(b)); });
}

// x / b with x, b simplified already: a division of what is known to lie below its divisor is 0.
Size SizeContext::settle(const Size& x, const Size& b) const {
  const Size value = floor_div(x, b);
  if (value.constant()) return value;
  const auto divisions = divisions_of(value);
  if (divisions.empty()) return value;
  const auto& [r, d] = *divisions.front().division;
  if (divisions.size() == 1 && value == floor_div(r, d) && value.terms().front().powers.size() == 1) {
    if (is_refuted(*this, {r, SizeRelation::Less, d})) return value;
    const Bounds bounds(*this);
    if (bounds.nonnegative(r) && bounds.nonnegative(d - Size(1) - r)) return 0;
    return value;
  }
  // floor_div took something out: what is left is smaller.
  return map_divisions(value, [this](const Size& r2, const Size& d2) { return settle(r2, d2); });
}

bool SizeContext::proves_nonnegative(const Size& s) const try {
  if (plainly_nonnegative(s)) return true;
  return !is_refuted(*this, {0, SizeRelation::LessEqual, s}) && is_shown_natural(*this, simplify(s));
} catch (const SizeTooLarge&) {
  return false;
}

// s without the greatest number that divides it: of the same sign, and 0 or at least 1 where s is.
static Size without_factor(const Size& s) {
  std::int64_t g = 0;
  for (const SizeTerm& t : s.terms()) g = std::gcd(g, t.coefficient);
  return g > 1 ? floor_div(s, Size(g)) : s;
}

bool SizeContext::proves(const SizeFact& goal) const try {
  for (const SizeFact& f : facts_)
    if (f == goal) return true;
  if (is_refuted(*this, goal)) return false;
  const Size difference = without_factor(simplify(goal.right - goal.left));
  const auto is_natural = [&](const Size& s) { return is_shown_natural(*this, s); };
  switch (goal.relation) {
    case SizeRelation::Equal:
      return difference.terms().empty() ||
             (Bounds(*this).nonnegative(difference) && Bounds(*this).nonnegative(Size(0) - difference));
    case SizeRelation::LessEqual:
      return is_natural(difference);
    case SizeRelation::Less:
      return is_natural(difference - Size(1));
    case SizeRelation::NotEqual:
      return is_natural(difference - Size(1)) || is_natural(Size(0) - difference - Size(1));
  }
  throw Bug("size relation");
} catch (const SizeTooLarge&) {
  return false;
}

}  // namespace lockstep
