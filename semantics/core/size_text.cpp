// Sizes as text, with % recognised.
#include <algorithm>

#include "semantics/core/size_terms.h"
#include "semantics/core/table.h"

namespace lockstep {
namespace {

std::string show_factor(const SizeAtom& a) {
  if (!a.division) return a.name;
  return show_atomic(a.division->first) + "/" + show_atomic(a.division->second);
}

std::string show_powers(const SizePowers& powers) {
  std::string out;
  for (const auto& [atom, power] : powers)
    for (int k = 0; k < power; ++k) {
      // A division after another factor is parenthesised: a*(b/c) is not a*b/c.
      std::string text = show_factor(atom);
      if (atom.division && powers.size() + static_cast<std::size_t>(power) > 2) text = "(" + text + ")";
      out += (out.empty() ? "" : "*") + text;
    }
  return out;
}

// k * (a % b) where the terms of s contain k*a - k*b*(a/b): the remainder's text, and what is left of s.
std::optional<std::pair<std::string, Size>> take_remainder(const Size& s) {
  for (const SizeTerm& t : s.terms()) {
    for (const auto& [atom, power] : t.powers) {
      if (!atom.division || power != 1) continue;
      const auto& [a, b] = *atom.division;
      if (b.terms().size() != 1) continue;
      // t = -k * b * (a/b): find k.
      const SizeTerm& bt = b.terms().front();
      SizePowers others;
      for (const auto& p : t.powers)
        if (compare(p.first, atom) != 0) others.push_back(p);
      const auto kp = divide(others, bt.powers);
      if (!kp || t.coefficient % bt.coefficient != 0 || t.coefficient / bt.coefficient >= 0) continue;
      const Size k = SizeMaker::make({{-(t.coefficient / bt.coefficient), *kp}});
      const Size left = s - k * modulo(a, b);
      if (left.terms().size() + 2 > s.terms().size() + (a.terms().size() > 1 ? 1U : 0U)) continue;
      const std::string remainder = show_atomic(a) + "%" + show_atomic(b);
      const bool one = k.constant() == 1;
      return std::pair{one ? remainder : show_atomic(k) + "*(" + remainder + ")", left};
    }
  }
  return {};
}

// A sum, whose first term is subtracted from 0 where it is below it.
struct Sum {
  std::string text;
  bool from_zero = false;
};

Sum sum_of(const Size& s) {
  if (s.terms().empty()) return {"0"};
  if (const auto r = take_remainder(s)) {
    if (r->second.terms().empty()) return {r->first};
    const Sum rest = sum_of(r->second);
    if (rest.from_zero) return {r->first + " - " + rest.text};
    return {rest.text + " + " + r->first};
  }
  Sum out;
  std::vector<SizeTerm> terms = s.terms();
  std::stable_partition(terms.begin(), terms.end(), [](const SizeTerm& t) { return t.coefficient > 0; });
  for (const SizeTerm& t : terms) {
    const std::string magnitude = std::to_string(t.coefficient < 0 ? -t.coefficient : t.coefficient);
    const std::string powers = show_powers(t.powers);
    const bool division_alone = t.powers.size() == 1 && t.powers[0].second == 1 && t.powers[0].first.division;
    const std::string body = powers.empty()     ? magnitude
                             : magnitude == "1" ? powers
                                                : magnitude + "*" + (division_alone ? "(" + powers + ")" : powers);
    if (out.text.empty())
      out = {body, t.coefficient < 0};
    else
      out.text += (t.coefficient < 0 ? " - " : " + ") + body;
  }
  return out;
}

}  // namespace

std::string show(const Size& s) {
  const Sum sum = sum_of(s);
  return (sum.from_zero ? "0 - " : "") + sum.text;
}

std::string show(const SizeValues& values) {
  std::string out;
  for (const auto& [name, n] : values) out += (out.empty() ? "" : ", ") + name + " = " + std::to_string(n);
  return out;
}

std::string show_atomic(const Size& s) {
  if (s.as_name()) return *s.as_name();
  if (const auto c = s.constant(); c && *c >= 0) return std::to_string(*c);
  std::string text = show(s);
  return "(" + text + ")";
}

std::string_view show(SizeRelation r) {
  static constexpr auto rows = table<SizeRelation>({{SizeRelation::Equal, "=="},
                                                    {SizeRelation::NotEqual, "!="},
                                                    {SizeRelation::LessEqual, "<="},
                                                    {SizeRelation::Less, "<"}});
  return rows[r];
}
std::string show(const SizeFact& f) { return show(f.left) + " " + std::string(show(f.relation)) + " " + show(f.right); }

}  // namespace lockstep
