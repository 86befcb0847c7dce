// scatterI, permuteI and updateI (design.md; the paper has none of them): what one iteration of the loops that the
// paths stage makes of them does, for all lengths, indices and values. scatter by an invariant with its base and step,
// permute by its step, and that its iterations may come in any order where the function allows it; update as a whole.
// is: indices, xs: values, A: the output, A0: what it was before the loop, k: the iteration, J: who wrote a place.
#include "proofs/calculus/list.h"
#include "proofs/calculus/scattered/terms.h"

namespace lockstep::proofs {
namespace {

const Term k = name("k"), h = name("h"), q = name("q"), j = name("j"), m = name("m"), n = name("n");
const Term zero = number(0), one = number(1);
const Term is = name("is", integer_store), marks = name("marks", integer_store);
const Term xs = name("xs", element_store), A = name("A", element_store), A0 = name("A0", element_store);
// Bound in hypotheses.
const Term at_j = name("t"), at_p = name("p");

using Goals = std::function<std::vector<Term>(const ScatteredTerms&)>;
Obligation claim(const std::string& loop, const std::string& text, const Stage& stage, const ScatteredParts& parts,
                 const std::function<std::vector<Term>(const ScatteredTerms&)>& hypotheses, const Goals& goals,
                 const std::vector<std::string>& sizes = {}) {
  return {"translation", loop + "I", text, [=](const Solver& solver) -> Outcome {
            const auto terms = scattered_terms(loop, parts, stage);
            if (!terms) return {Standing::Unknown, "", "the paths stage makes " + terms.error()};
            std::vector<Case> cases;
            for (const Term& g : goals(*terms)) cases.push_back({{hypotheses(*terms), g, sizes}});
            return decide_all(cases, 5000, solver);
          }};
}

Term index_of(const Term& i) { return select(is, i); }
Term writer(const Term& p) { return call("J", integer, {p}); }

// ------------------------------------------------------------------------------------------------- scatterI
// What holds after `count` iterations without a trap.
Term written(const Term& a, const Term& marked, const Term& count, const Term& i) {
  return implies(all_of({within(i, count), at_most(zero, index_of(i))}),
                 all_of({less(index_of(i), m), equal(select(a, index_of(i)), select(xs, i)),
                         equal(select(marked, index_of(i)), one)}));
}
Term by_someone(const Term& p, const Term& count) {
  return all_of({within(writer(p), count), equal(index_of(writer(p)), p)});
}
Term untouched(const Term& a, const Term& marked, const Term& p) {
  return implies(all_of({within(p, m), unequal(select(marked, p), one)}), equal(select(a, p), select(A0, p)));
}
std::vector<Term> invariant() {
  return {within(k, n), for_all({at_j}, written(A, marks, k, at_j)),
          for_all({at_p}, implies(all_of({within(at_p, m), equal(select(marks, at_p), one)}), by_someone(at_p, k))),
          for_all({at_p}, untouched(A, marks, at_p))};
}

std::vector<Obligation> scatter_equations(const Stage& stage) {
  const ScatteredParts parts;
  const auto not_trapped = [](const ScatteredTerms& t) {
    std::vector<Term> all = invariant();
    all.push_back(negation(t.traps));
    return all;
  };
  const auto any = [](const ScatteredTerms&) { return invariant(); };
  const std::string loop = "scatter";
  return {
      claim(
          loop, "base: before the first index no place is marked", stage, parts,
          [](const ScatteredTerms&) -> std::vector<Term> {
            return {for_all({at_p}, implies(within(at_p, k), equal(select(marks, at_p), zero)))};
          },
          [](const ScatteredTerms& t) -> std::vector<Term> {
            return {implies(within(q, k + one), equal(select(t.unmarked, q), zero))};
          }),
      claim(loop, "step: A (is j) is xs j for one j more, the rest of A is as it was", stage, parts, not_trapped,
            [](const ScatteredTerms& t) -> std::vector<Term> {
              const Term marked = all_of({within(q, m), equal(select(t.marks, q), one)});
              return {written(t.A, t.marks, k + one, h), untouched(t.A, t.marks, q),
                      implies(marked, any_of({equal(index_of(k), q), by_someone(q, k)}))};
            }),
      claim(loop, "traps where an index is outside or was there before, and nowhere else", stage, parts, any,
            [](const ScatteredTerms& t) -> std::vector<Term> {
              const Term natural = at_most(zero, index_of(k)), outside = at_most(m, index_of(k));
              const Term before = all_of({within(h, k), equal(index_of(h), index_of(k))});
              return {implies(t.traps, all_of({natural, any_of({outside, by_someone(index_of(k), k)})})),
                      implies(all_of({natural, any_of({outside, before})}), t.traps)};
            }),
      claim(
          loop, "two iterations of different indices may change places", stage, parts,
          [](const ScatteredTerms&) -> std::vector<Term> { return {unequal(index_of(j), index_of(k))}; },
          [](const ScatteredTerms& t) -> std::vector<Term> {
            const Term with_j = substitute(t.A, {{"k", j}});
            return {equal(select(substitute(with_j, {{"A", t.A}}), q), select(substitute(t.A, {{"A", with_j}}), q))};
          }),
  };
}

// ------------------------------------------------------------------------------------------------- permuteI
Term F(const Term& x, const Term& y) { return call("F", element_sort, {x, y}); }

// permuteI, or one whose iterations are threads' and whose steps are atomic.
std::vector<Obligation> permute_equations(const std::string& loop, const Stage& stage) {
  const ScatteredParts parts{element_sort, element_store, F};
  const auto none = [](const ScatteredTerms&) -> std::vector<Term> { return {}; };
  return {
      claim(loop, "step: V (is k) becomes F (xs k) (V (is k)), and nothing else changes", stage, parts, none,
            [](const ScatteredTerms& t) -> std::vector<Term> {
              const Term hit = all_of({at_most(zero, index_of(k)), equal(q, index_of(k))});
              return {equal(select(t.A, q), choose(hit, F(select(xs, k), select(A, q)), select(A, q)))};
            }),
      claim(loop, "traps where an index is outside, and nowhere else", stage, parts, none,
            [](const ScatteredTerms& t) -> std::vector<Term> {
              return {equal(t.traps, at_most(m, choose(at_most(zero, index_of(k)), index_of(k), m - one)))};
            }),
      claim(
          loop, "two iterations may change places where F x (F y z) is F y (F x z)", stage, parts,
          [](const ScatteredTerms&) -> std::vector<Term> {
            const Term x = name("x", element_sort), y = name("y", element_sort), z = name("z", element_sort);
            return {for_all({x, y, z}, equal(F(x, F(y, z)), F(y, F(x, z))))};
          },
          [](const ScatteredTerms& t) -> std::vector<Term> {
            const Term with_j = substitute(t.A, {{"k", j}});
            return {equal(select(substitute(with_j, {{"A", t.A}}), q), select(substitute(t.A, {{"A", with_j}}), q))};
          }),
  };
}

// ------------------------------------------------------------------------------------------------- updateI
std::vector<Obligation> update_equations(const Stage& stage) {
  const ScatteredParts parts;
  const Term at = index_of(zero);
  const auto inside = [at](const ScatteredTerms&) -> std::vector<Term> { return {within(at, m)}; };
  const auto any = [](const ScatteredTerms&) -> std::vector<Term> { return {}; };
  return {
      claim("update", "A i is x, and the rest of A is as it was", stage, parts, inside,
            [at](const ScatteredTerms& t) -> std::vector<Term> {
              return {equal(select(t.A, q), choose(equal(q, at), select(xs, zero), select(A, q)))};
            }),
      claim("update", "traps where the index is outside, and nowhere else", stage, parts, any,
            [at](const ScatteredTerms& t) -> std::vector<Term> { return {equal(t.traps, negation(within(at, m)))}; }),
  };
}

Stage standard_stage() {
  return paths(dpia_languages(std::make_shared<const Calculus>(standard_calculus())), Machine::Cpu);
}

}  // namespace

std::vector<Obligation> scattered_obligations() {
  std::vector<Obligation> all = scatter_equations(standard_stage());
  for (Obligation& o : update_equations(standard_stage())) all.push_back(std::move(o));
  for (const char* loop : {"permute", "permuteGlobal", "permuteLocal"})
    for (Obligation& o : permute_equations(loop, standard_stage())) all.push_back(std::move(o));
  return all;
}

// On whole numbers, so that a counterexample can be read.
std::vector<Obligation> wrong_scattered() {
  const auto none = [](const ScatteredTerms&) -> std::vector<Term> { return {}; };
  const auto swapped = [](const ScatteredTerms& t) -> std::vector<Term> {
    const Term with_j = substitute(t.A, {{"k", j}});
    return {equal(select(substitute(with_j, {{"A", t.A}}), q), select(substitute(t.A, {{"A", with_j}}), q))};
  };
  const ScatteredParts numbers{integer, integer_store, {}};
  const ScatteredParts difference{integer, integer_store, [](const Term& x, const Term& y) { return x - y; }};
  std::vector<Obligation> all = {
      claim("scatter", "two iterations of equal indices may change places, too", standard_stage(), numbers, none,
            swapped, {"j", "k"}),
      claim("scatter", "index 0 is ignored, as negative ones are", standard_stage(), numbers, none,
            [](const ScatteredTerms& t) -> std::vector<Term> {
              const Term before = name("A", integer_store);
              return {implies(at_most(index_of(k), zero), equal(select(t.A, q), select(before, q)))};
            },
            {"k"}),
      claim("update", "an index that is outside is ignored", standard_stage(), numbers, none,
            [](const ScatteredTerms& t) -> std::vector<Term> { return {negation(t.traps)}; }, {"m"}),
      claim(
          "update", "all of A is as it was", standard_stage(), numbers,
          [](const ScatteredTerms&) -> std::vector<Term> { return {within(index_of(zero), m)}; },
          [](const ScatteredTerms& t) -> std::vector<Term> {
            return {equal(select(t.A, q), select(name("A", integer_store), q))};
          },
          {"m"}),
      claim("permute", "two iterations may change places with (\\x y -> x - y)", standard_stage(), difference, none,
            swapped, {"j", "k"}),
      claim("permuteGlobal", "two threads may change places with (\\x y -> x - y)", standard_stage(), difference, none,
            swapped, {"j", "k"}),
  };
  for (Obligation& o : all) o.wrong = true;
  return all;
}

}  // namespace lockstep::proofs
