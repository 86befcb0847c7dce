// The rules by which array operations are fused (translate/fusion; Henriksen, Oancea, FHPC 2013, Fig. 14, amended), as
// equations for all lengths and functions: element by element, or of folds by induction with base and step. F: the
// producer's function, g: the consumer's, h: that of what they become, which its definition says; c, d: what filters
// ask; bs: what the consumer goes over beside; e, z: starts. A redomap's parts are joined by j, whose law is
// j (y, g (z, x)) = g (j (y, z), x).
#include "proofs/calculus/strategies/folds.h"

namespace lockstep::proofs {
namespace {
namespace fusing {

using namespace folds;

const Term i = name("i"), n = name("n"), m = name("m"), k = name("k"), zero = number(0), one = number(1);
const ArrayTerm xs = array_named("xs"), ys = array_named("ys"), bs = array_named("bs");

Term element(const std::string& of) { return name(of, element_sort); }
const Term a = element("a"), b = element("b"), x = element("x"), y = element("y"), z = element("z"), e = element("e");

Term F(const Term& p) { return call("F", element_sort, {p}); }
Term g(std::vector<Term> p) { return call("g", element_sort, std::move(p)); }
Term h(std::vector<Term> p) { return call("h", element_sort, std::move(p)); }
Term j(const Term& p, const Term& q) { return call("j", element_sort, {p, q}); }
Term c(const Term& p) { return call("c", boolean, {p}); }
Term d(const Term& p) { return call("d", boolean, {p}); }

Case goal(std::vector<Term> hypotheses, const Term& claim, std::string about = "",
          std::vector<std::string> sizes = {}) {
  return {{std::move(hypotheses), claim, std::move(sizes)}, std::move(about)};
}
Obligation rule(const std::string& subject, const std::string& text, std::vector<Case> cases, bool wrong = false) {
  return {"fusion", subject, text,
          [cases = std::move(cases)](const Solver& solver) { return decide_all(cases, 10000, solver); }, wrong};
}

// ------------------------------------------------------------------------------------------------- maps
const Term fused_fold = for_all({a, x, b}, equal(h({a, x, b}), g({a, F(x), b})));

std::vector<Obligation> map_rules() {
  const auto made = [](const Term& at) { return F(xs({at})); };
  const Term law = for_all({y, z, x, b}, equal(j(y, g({z, x, b})), g({j(y, z), x, b})));
  const ArrayTerm mapped_xs = mapped("F", xs);
  const auto both = [&](const std::string& view, const std::map<std::string, Term>& sizes, const Term& within_it) {
    return goal({within_it},
                equal(through(view, sizes, {mapped_xs})({i}), mapped("F", through(view, sizes, {xs}))({i})), view,
                {"k", "m"});
  };
  return {
      rule("map∘map", "map g (map F xs) bs is map h xs bs, h x b = g (F x) b",
           {goal({for_all({x, b}, equal(h({x, b}), g({F(x), b}))), within(i, n)},
                 equal(g({made(i), bs({i})}), h({xs({i}), bs({i})})), "", {"n"})}),
      rule("reduce∘map, redomap∘map", "fold g z (map F xs) bs is fold h z xs bs, h a x b = g a (F x) b",
           {goal({begins("R", z), begins("S", z)}, equal(fold("R", zero), fold("S", zero)), "base"),
            goal({fused_fold, equal(fold("R", i), fold("S", i)),
                  equal(fold("R", i + one), g({fold("R", i), made(i), bs({i})})),
                  equal(fold("S", i + one), h({fold("S", i), xs({i}), bs({i})}))},
                 equal(fold("R", i + one), fold("S", i + one)), "step")}),
      rule("redomap∘map", "the law of g is one of h",
           {goal({fused_fold, law}, equal(j(y, h({z, x, b})), h({j(y, z), x, b})))}),
      rule("any∘replicate", "replicate n y is map (\\_ -> y) (iota n)",
           {goal({for_all({k}, equal(call("constant", element_sort, {k}), y)), within(i, n)},
                 equal(call("constant", element_sort, {i}),
                       through("replicate", {{"n", n}}, {[](const std::vector<Term>&) { return y; }})({i})),
                 "", {"n"})}),
      rule("split, flatten of map", "take, drop and join of map F xs are map F of those of xs",
           {both("take", {{"k", k}, {"m", m}}, within(i, k)), both("drop", {{"k", k}, {"m", m}}, within(i, m)),
            both("join", {{"k", k}, {"m", m}}, all_of({at_most(one, k), within(i, m * k)}))}),
  };
}

// ------------------------------------------------------------------------------------------------- filters
// `ranks` counts the elements before one that pass; `array` is what is left, so that one that passes is at its rank.
Term rank(const std::string& ranks, const Term& at) { return call(ranks, integer, {at}); }
Term left(const std::string& array, const Term& at) { return call(array, element_sort, {at}); }
Term counts(const std::string& ranks, const Term& at, const Term& passes) {
  return equal(rank(ranks, at + one), choose(passes, rank(ranks, at) + one, rank(ranks, at)));
}
Term stands(const std::string& array, const Term& at, const Term& passes, const Term& element_here) {
  return implies(passes, equal(left(array, at), element_here));
}

std::vector<Obligation> filter_rules() {
  const Term here = xs({i}), seldom = for_all({a, x}, equal(h({a, x}), choose(c(x), g({a, x}), a)));
  const Term law = for_all({y, z, x}, equal(j(y, g({z, x})), g({j(y, z), x})));
  // of the second filter, over what the first leaves
  const Term first = rank("C", i), there = left("ys", first), both = all_of({c(here), d(here)});
  const std::vector<Term> two = {counts("C", i, c(here)), stands("ys", first, c(here), here),
                                 counts("D", first, d(there)), counts("B", i, both),
                                 equal(rank("B", i), rank("D", first))};
  std::vector<Term> elements = two;
  elements.push_back(stands("ws", rank("D", first), d(there), there));
  elements.push_back(stands("vs", rank("B", i), both, here));
  elements.push_back(both);
  return {
      rule("reduce∘filter, redomap∘filter", "fold g z (filter c xs) is fold h z xs, h a x = if c x then g a x else a",
           {goal({begins("R", z), begins("S", z), equal(rank("C", zero), zero)},
                 equal(fold("S", zero), fold("R", rank("C", zero))), "base"),
            goal({seldom, counts("C", i, c(here)), stands("ys", first, c(here), here),
                  equal(fold("R", first + one), g({fold("R", first), there})),
                  equal(fold("S", i + one), h({fold("S", i), here})), equal(fold("S", i), fold("R", first))},
                 equal(fold("S", i + one), fold("R", rank("C", i + one))), "step")}),
      rule("redomap∘filter", "the law of g is one of h",
           {goal({seldom, law}, equal(j(y, h({z, x})), h({j(y, z), x})))}),
      rule("filter∘filter", "filter d (filter c xs) is filter (\\x -> if c x then d x else false) xs",
           {goal({equal(rank("B", zero), zero), equal(rank("C", zero), zero), equal(rank("D", zero), zero)},
                 equal(rank("B", zero), rank("D", rank("C", zero))), "base"),
            goal(two, equal(rank("B", i + one), rank("D", rank("C", i + one))), "step"),
            goal(elements, equal(left("vs", rank("B", i)), left("ws", rank("B", i))), "elements")}),
  };
}

// ------------------------------------------------------------------------------------------------- redomap
// S: the fold of xs and then ys from z; P: that of ys from `from`.
std::vector<Case> in_parts(const Term& from, std::vector<Term> hypotheses) {
  hypotheses.push_back(for_all({y, z, x}, equal(j(y, g({z, x})), g({j(y, z), x}))));
  std::vector<Term> base = hypotheses, step = hypotheses;
  base.push_back(begins("P", from));
  step.insert(step.end(), {equal(fold("S", n + i), j(fold("S", n), fold("P", i))),
                           equal(fold("S", n + i + one), g({fold("S", n + i), ys({i})})),
                           equal(fold("P", i + one), g({fold("P", i), ys({i})}))});
  return {goal(base, equal(fold("S", n), j(fold("S", n), fold("P", zero))), "base"),
          goal(step, equal(fold("S", n + i + one), j(fold("S", n), fold("P", i + one))), "step")};
}
const Term neutral_to_the_right = for_all({y}, equal(j(y, e), y));

std::vector<Obligation> rules() {
  std::vector<Obligation> all = map_rules();
  for (Obligation& o : filter_rules()) all.push_back(std::move(o));
  all.push_back(rule("redomap", "fold g z (concat xs ys) is j (fold g z xs, fold g e ys), e neutral to the right of j",
                     in_parts(e, {neutral_to_the_right})));
  all.push_back(
      rule("reduce", "of an associative j the law holds with j for g",
           {goal({for_all({y, z, x}, equal(j(y, j(z, x)), j(j(y, z), x))), for_all({y, z}, equal(g({y, z}), j(y, z)))},
                 equal(j(y, g({z, x})), g({j(y, z), x})))}));
  return all;
}

std::vector<Obligation> wrong_rules() {
  const Term p = name("p"), q = name("q"), s = name("s");
  const auto printed = [](const Term& left_side, const Term& right_side) {  // x + y if y passes, else x
    return choose(call("c", boolean, {right_side}), left_side + right_side, left_side);
  };
  return {
      rule("reduce∘filter", "Fig. 14: of an associative sum that of what passes is associative",
           {goal({}, equal(printed(printed(p, q), s), printed(p, printed(q, s))), "", {"p", "q", "s"})}, true),
      rule("filter", "§4.1: what a filter leaves is as long as what it goes over",
           {goal({counts("C", i, c(xs({i}))), equal(rank("C", i), i)}, equal(rank("C", i + one), i + one))}, true),
      rule("map∘map", "map g (map F xs) is map h xs, h x = F (g x)",
           {goal({for_all({x}, equal(h({x}), F(g({x}))))}, equal(g({F(xs({i}))}), h({xs({i})})))}, true),
      rule("redomap", "fold g z (concat xs ys) is j (fold g z xs, fold g z ys), whatever z is", in_parts(z, {}), true),
  };
}

}  // namespace fusing
}  // namespace

std::vector<Obligation> fusion_laws() { return fusing::rules(); }
std::vector<Obligation> wrong_fusion_laws() { return fusing::wrong_rules(); }

}  // namespace lockstep::proofs
