// Equalities by substitution where one side is a name, by a condition elsewhere.
#include "translate/lowered/sizes.h"

#include <algorithm>

namespace lockstep::lowering {

void refuse(const Region& at, std::string why) { throw NotLowered{at, std::move(why)}; }

namespace {
// Whether it is a name that the other may stand for.
bool gives_way(const Size& from, const Size& to) {
  const auto name = from.as_name();
  return name && !mentions(to, *name);
}
}  // namespace

void Sizes::add(const std::string& name) { order_.push_back(name); }

bool Sizes::give_way(const Size& from, const Size& to) {
  if (!gives_way(from, to)) return false;
  const std::string name = *from.as_name();
  const SizeSubstitution one{{name, to}};
  for (auto& [n, s] : by_) s = substitute(s, one);
  by_.emplace(name, to);
  for (SizeFact& f : facts_) f = substitute(f, one);
  return changed_ = true;
}

// name == d * (name / d): the name gives way to d times a size of its own, which it is so many times.
bool Sizes::divides(const Size& multiple, const Size& of) {
  const auto name = of.as_name();
  if (!name || std::find(order_.begin(), order_.end(), *name) == order_.end()) return false;
  for (const SizeTerm& t : multiple.terms())
    for (const auto& [atom, power] : t.powers) {
      if (!atom.division || atom.division->first != of) continue;
      const Size& d = atom.division->second;
      if (mentions(d, *name) || multiple != d * floor_div(of, d)) continue;
      std::string parts = *name + "_parts";
      const auto known = [&] { return std::find(order_.begin(), order_.end(), parts) != order_.end(); };
      while (known()) parts += "_1";
      order_.push_back(parts);
      parts_.push_back(parts);
      return give_way(of, d * Size::name(parts));
    }
  return false;
}

Size Sizes::same(const Size& left, const Size& right, const Region& at) {
  Size a = current(left), b = current(right);
  if (a == b) return a;
  const auto place = [&](const Size& s) {
    const auto name = s.as_name();
    return name ? std::find(order_.begin(), order_.end(), *name) - order_.begin() : -1;
  };
  if (place(a) > place(b)) std::swap(a, b);  // the later one, and a name before what is none
  if ((a - b).constant())
    refuse(at, "the lengths " + show(a) + " and " + show(b) + " are never equal: where this is run it traps");
  if (give_way(b, a) || give_way(a, b)) return current(a);
  if (divides(a, b) || divides(b, a)) return current(a);
  require({a, SizeRelation::Equal, b});
  return a;
}

bool Sizes::may_be_same(const Size& left, const Size& right) const {
  const Size a = current(left), b = current(right);
  return a == b || gives_way(a, b) || gives_way(b, a);
}

void Sizes::at_most(const Size& left, const Size& right, const Region& at) {
  const Size a = current(left), b = current(right);
  if (SizeContext().proves({a, SizeRelation::LessEqual, b})) return;
  if (const auto n = (b - a).constant(); n && *n < 0)
    refuse(at, show(a) + " is more than " + show(b) + ": where this is run it traps");
  require({a, SizeRelation::LessEqual, b});
}

Size Sizes::natural(const Size& n, const Region& at) {
  const Size now = current(n), most = positive_part(now);
  at_most(most - now, most, at);
  return now;
}

void Sizes::require(SizeFact f) {
  if (std::find(facts_.begin(), facts_.end(), f) == facts_.end()) facts_.push_back(std::move(f));
}

}  // namespace lockstep::lowering
