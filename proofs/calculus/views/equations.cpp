// One line a view. xs, ys: array arguments, i, j: indices of the result, l: a lane.
#include "proofs/calculus/views/equations.h"

namespace lockstep::proofs {

Term ElementAt::i(std::size_t k) const {
  return place.lanes > 0 && k == place.indices.size() ? number(lane) : place.indices.at(k);
}
int ElementAt::component() const {
  if (place.projections.empty()) throw Bug("an equation of pairs for a result without them");
  return place.projections.front();
}
Term ElementAt::size(std::string_view name) const {
  const auto& names = view.entry->sizes;
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) throw Bug("an equation speaks of a size that its view has not: " + std::string(name));
  return term_of(view.instance.sizes.at(static_cast<std::size_t>(it - names.begin())));
}

Term ElementAt::of(std::size_t k, std::vector<Term> indices, std::vector<int> projections) const {
  Type t = view.arguments.at(k);
  for (std::size_t p = 0;;) {
    if (const auto* a = as<ArrayType>(t))
      t = Type(*a->element);
    else if (const auto* v = as<VectorType>(t))
      t = Type(*v->element);
    else if (const auto* b = as<PairType>(t))
      t = projections.at(p++) == 1 ? Type(*b->first) : Type(*b->second);
    else
      break;
  }
  const auto* unknown = as<TypeVariable>(t);
  if (unknown && !view.scalars.contains(unknown->name))
    indices.push_back(place.indices.back());  // the rest of the path
  return element(view, k, Place{{}, std::move(projections), std::move(indices), {}, t, 0});
}

const std::vector<ViewEquation>& view_equations() {
  using At = const ElementAt&;
  static const std::vector<ViewEquation> table = {
      {"zip", "zip xs ys ! i = (xs ! i, ys ! i)", [](At a) { return a.of(a.component() == 1 ? 0 : 1, {a.i()}); }},
      {"unzip", "fst (unzip xs) ! i = fst (xs ! i)", [](At a) { return a.of(0, {a.i()}, {a.component()}); }},
      {"split", "split k xs ! i ! j = xs ! (i*k + j)", [](At a) { return a.of(0, {a.i(0) * a.size("k") + a.i(1)}); }},
      {"join", "join xs ! i = xs ! (i/k) ! (i%k)",
       [](At a) {
         return a.of(0, {quotient(a.i(), a.size("k")), remainder(a.i(), a.size("k"))});
       }},
      {"transpose", "transpose xs ! i ! j = xs ! j ! i",
       [](At a) {
         return a.of(0, {a.i(1), a.i(0)});
       }},
      {"pair", "fst (pair x y) = x", [](At a) { return a.of(a.component() == 1 ? 0 : 1); }},
      {"fst", "fst x is its first component", [](At a) { return a.of(0, {}, {1}); }},
      {"snd", "snd x is its second component", [](At a) { return a.of(0, {}, {2}); }},
      {"idx", "idx xs x = xs ! x", [](At a) { return a.of(0, {a.of(1)}); }},
      {"!", "(!) xs x = xs ! x", [](At a) { return a.of(0, {a.of(1)}); }},
      {"iota", "iota n ! i = i", [](At a) { return a.i(); }},
      {"replicate", "replicate n x ! i = x", [](At a) { return a.of(0); }},
      {"reverse", "reverse xs ! i = xs ! (n-1-i)", [](At a) { return a.of(0, {a.size("n") - number(1) - a.i()}); }},
      {"take", "take k xs ! i = xs ! i", [](At a) { return a.of(0, {a.i()}); }},
      {"drop", "drop k xs ! i = xs ! (k+i)", [](At a) { return a.of(0, {a.size("k") + a.i()}); }},
      {"concat", "concat xs ys ! i = xs ! i where i < n, ys ! (i-n) elsewhere",
       [](At a) { return choose(less(a.i(), a.size("n")), a.of(0, {a.i()}), a.of(1, {a.i() - a.size("n")})); }},
      {"slide", "slide w s xs ! i ! j = xs ! (i*s + j)", [](At a) { return a.of(0, {a.i(0) * a.size("s") + a.i(1)}); }},
      {"pad", "pad l r x xs ! i = xs ! (i-l) where 0 <= i-l < n, x elsewhere",
       [](At a) {
         const Term from = a.i() - a.size("l");
         return choose(within(from, a.size("n")), a.of(1, {from}), a.of(0));
       }},
      {"gather", "gather is xs ! i = xs ! (is ! i)", [](At a) { return a.of(1, {a.of(0, {a.i()})}); }},
      {"select", "select b x y = x where b, y elsewhere", [](At a) { return choose(a.of(0), a.of(1), a.of(2)); }},
      {"asVector", "lane l of asVector w xs ! i = xs ! (i*w + l)",
       [](At a) { return a.of(0, {a.i(0) * a.size("w") + a.i(1)}); }},
      {"asScalar", "asScalar xs ! i = lane i%w of xs ! (i/w)",
       [](At a) {
         return a.of(0, {quotient(a.i(), a.size("w")), remainder(a.i(), a.size("w"))});
       }},
      {"splat", "lane l of splat w x = x", [](At a) { return a.of(0); }},
      {"lanes", "lanes x ! i = lane i of x", [](At a) { return a.of(0, {a.i()}); }},
      {"stream", "stream x = x", [](At a) { return a.of(0); }},
  };
  return table;
}

const ViewEquation* equation_of(std::string_view view) {
  for (const ViewEquation& e : view_equations())
    if (e.view == view) return &e;
  return nullptr;
}

}  // namespace lockstep::proofs
