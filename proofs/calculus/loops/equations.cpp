// The equations that the translation rests on (DPIA §5.3), each by induction with its base and step: mapI (4), new (5),
// reduceI (6) as design.md amends it, and scanI, iterateI and whileI after it. Commands change a store, an array of
// places. A translated function is right, by hypothesis, where its acceptor is apart from what it reads.
// What is proved of loops is proved of what the loops stage makes (loop_terms).
// s, s0: stores, p: place, E: the array read, F: the function, T: its translation, k: how many iterations are done.
#include "proofs/calculus/loops/equations.h"

#include "proofs/calculus/list.h"
#include "proofs/calculus/loops/terms.h"

namespace lockstep::proofs {
namespace {

const Term s = name("s", element_store), s0 = name("s0", element_store);
const Term k = name("k"), n = name("n"), acc = name("acc"), next = name("next"), again = name("again");

// Bound in hypotheses.
const Term at_s = name("t", element_store), at_p = name("p"), at_i = name("i"), at_y = name("y"), at_o = name("o"),
           at_v = name("v", element_sort);

Term element_at(const std::string& function, const std::vector<Term>& arguments) {
  return call(function, element_sort, arguments);
}
Term E(const Term& store, const Term& i) { return element_at("E", {store, i}); }
Term apart(const Term& place) { return call("apart from E", boolean, {place}); }

// E reads nothing at a place that is apart from it.
Term reads_elsewhere() {
  return for_all({at_s, at_p, at_v, at_i},
                 implies(apart(at_p), equal(E(store(at_s, at_p, at_v), at_i), E(at_s, at_i))));
}
Term reads_as_at_first(const Term& now) { return for_all({at_i}, equal(E(now, at_i), E(s0, at_i))); }
// The same where a goal speaks of one index.
Term reads_as_at_first(const Term& now, const Term& i) { return equal(E(now, i), E(s0, i)); }

Obligation claim(const std::string& subject, const std::string& text, std::vector<Term> hypotheses,
                 std::vector<Term> goals) {
  return {"translation", subject, text, [=](const Solver& solver) {
            std::vector<Case> cases;
            for (const Term& g : goals) cases.push_back({{hypotheses, g, {}}});
            return decide_all(cases, 5000, solver);
          }};
}
// A claim about what the loops stage makes of a combinator.
using LoopGoals = std::function<std::vector<Term>(const LoopTerms&)>;
Obligation claim(const std::string& subject, const std::string& text,
                 const std::function<tl::expected<LoopTerms, std::string>()>& loop, std::vector<Term> hypotheses,
                 const LoopGoals& goals) {
  return {"translation", subject, text, [=](const Solver& solver) -> Outcome {
            const auto terms = loop();
            if (!terms) return {Standing::Unknown, "", "the loops stage makes " + terms.error()};
            return claim(subject, text, hypotheses, goals(*terms)).decide(solver);
          }};
}
std::vector<Term> with(std::vector<Term> hypotheses, const std::vector<Term>& more) {
  hypotheses.insert(hypotheses.end(), more.begin(), more.end());
  return hypotheses;
}

// ------------------------------------------------------------------------------------------------- mapI
// parfor n A (\i o. T (idx E i) o): iteration i writes the place A + i.
const Term A = name("A"), one = number(1), zero = number(0);

Term map_element(const Term& store, const Term& i) { return element_at("F", {E(store, i)}); }

std::vector<Term> map_hypotheses() {
  const Term step = call("T", element_store, {at_s, at_i, at_p});
  const Term right =
      for_all({at_s, at_i, at_p}, implies(apart(at_p), equal(step, store(at_s, at_p, map_element(at_s, at_i)))));
  const Term disjoint = for_all({at_p}, implies(all_of({at_most(A, at_p), less(at_p, A + n)}), apart(at_p)));
  return {reads_elsewhere(), right, disjoint};
}
// After k iterations: the first k elements are there, the rest of the store is as it was.
Term map_done(const Term& store, const Term& count, const Term& p) {
  return equal(select(store, p),
               choose(all_of({at_most(A, p), less(p, A + count)}), map_element(s0, p - A), select(s0, p)));
}

std::vector<Obligation> map_equations(const Stage& loops) {
  const Term p = name("q"), i = name("h"), j = name("j");
  const auto step = with(map_hypotheses(), {within(k, n), for_all({at_p}, map_done(s, k, at_p)), reads_as_at_first(s)});
  const auto two = with(map_hypotheses(), {within(k, n), within(j, n), unequal(k, j)});
  std::vector<Obligation> out;
  for (const Level level : {Level::Par, Level::Seq}) {
    const std::string subject = level == Level::Par ? "mapI" : "mapI Seq";
    const auto loop = [=] { return loop_terms(loops, imp::MapI{level}); };
    out.push_back(claim(subject, "(4) base: nothing is done after 0 iterations", loop, map_hypotheses(),
                        [=](const LoopTerms& l) -> std::vector<Term> { return {map_done(l.begun, zero, p)}; }));
    out.push_back(claim(subject, "(4) step: iteration k writes element k of map F E, and nothing else", loop, step,
                        [=](const LoopTerms& l) -> std::vector<Term> {
                          return {map_done(l.after, k + one, p), reads_as_at_first(l.after, i)};
                        }));
    if (level == Level::Par)
      out.push_back(claim(subject, "(4) two iterations of parfor may change places", loop, two,
                          [=](const LoopTerms& l) -> std::vector<Term> {
                            const Term with_j = substitute(l.after, {{"k", j}});
                            const Term one_way = substitute(with_j, {{"s", l.after}});
                            const Term other_way = substitute(l.after, {{"s", with_j}});
                            return {equal(select(one_way, p), select(other_way, p))};
                          }));
  }
  return out;
}

// ------------------------------------------------------------------------------------------------- reduceI and its kin
// The fold after i elements; the translated step T: F of element i and the state at y, written at o.
Term fold(const Term& i) { return element_at("fold", {i}); }
const Term start = name("I", element_sort);

std::vector<Term> fold_hypotheses() {
  const auto F = [](const Term& element, const Term& state) { return element_at("F", {element, state}); };
  const Term step = call("T", element_store, {at_s, at_i, at_y, at_o});
  const Term right =
      for_all({at_s, at_i, at_y, at_o}, implies(all_of({apart(at_o), unequal(at_y, at_o)}),
                                                equal(step, store(at_s, at_o, F(E(at_s, at_i), select(at_s, at_y))))));
  const Term folds = for_all({at_i}, implies(at_most(zero, at_i), equal(fold(at_i + one), F(E(s0, at_i), fold(at_i)))));
  return {reads_elsewhere(), right, folds, equal(fold(zero), start), apart(acc), apart(next), unequal(acc, next)};
}
// Where nothing but the variables of the loop is written.
Term untouched(const Term& now, const Term& p) {
  return implies(all_of({unequal(p, acc), unequal(p, next)}), equal(select(now, p), select(s0, p)));
}
// C uses the value that it is given: D of it.
Term uses_its_value() {
  return for_all({at_s, at_y},
                 equal(call("C", element_store, {at_s, at_y}), call("D", element_store, {at_s, select(at_s, at_y)})));
}
Term continued(const Term& result) { return call("D", element_store, {s, result}); }

std::vector<Obligation> reduce_equations(const Stage& loops) {
  const Term p = name("q"), i = name("h");
  const auto loop = [=] { return loop_terms(loops, imp::ReduceI{}); };
  const auto step = with(fold_hypotheses(), {within(k, n), equal(select(s, acc), fold(k)), reads_as_at_first(s),
                                             for_all({at_p}, untouched(s, at_p))});
  return {
      claim("reduceI", "(6) base: acc.1 := I is the fold of no element", loop, fold_hypotheses(),
            [=](const LoopTerms& l) -> std::vector<Term> {
              return {equal(select(l.begun, acc), fold(zero)), reads_as_at_first(l.begun, i), untouched(l.begun, p)};
            }),
      claim("reduceI", "(6) step: through a temporary, acc holds the fold of one element more", loop, step,
            [=](const LoopTerms& l) -> std::vector<Term> {
              return {equal(select(l.after, acc), fold(k + one)), reads_as_at_first(l.after, i), untouched(l.after, p)};
            }),
      claim("reduceI", "(6) end: C is given reduce F I E", loop, {equal(select(s, acc), fold(n)), uses_its_value()},
            [=](const LoopTerms& l) -> std::vector<Term> { return {equal(l.ended, continued(fold(n)))}; })};
}

// The k first elements of the output hold the folds, of j + 1 elements at j, or of j where exclusive.
Term scanned(const Term& now, const Term& count, const Term& j, bool exclusive) {
  return implies(within(j, count), equal(select(now, A + j), fold(exclusive ? j : j + one)));
}

std::vector<Obligation> scan_equations(const Stage& loops, bool exclusive) {
  const Term j = name("h"), i = name("g");
  const auto outside = [&](const Term& p) { return any_of({less(p, A), at_most(A + n, p)}); };
  const auto step =
      with(fold_hypotheses(),
           {within(k, n), equal(select(s, acc), fold(k)), reads_as_at_first(s), outside(acc), outside(next),
            for_all({at_p}, implies(all_of({at_most(A, at_p), less(at_p, A + n)}), apart(at_p))),
            for_all({at_i}, scanned(s, k, at_i, exclusive))});
  const std::string subject = exclusive ? "scanI exclusive" : "scanI";
  const auto loop = [=] { return loop_terms(loops, imp::ScanI{exclusive}); };
  return {
      claim(subject, "base: acc.1 := I is the fold of no element", loop, fold_hypotheses(),
            [=](const LoopTerms& l) -> std::vector<Term> {
              return {equal(select(l.begun, acc), fold(zero)), scanned(l.begun, zero, j, exclusive)};
            }),
      claim(subject,
            std::string("step: element k of the output is the fold of ") + (exclusive ? "k" : "k + 1") + " elements",
            loop, step, [=](const LoopTerms& l) -> std::vector<Term> {
              return {equal(select(l.after, acc), fold(k + one)), scanned(l.after, k + one, j, exclusive),
                      reads_as_at_first(l.after, i)};
            })};
}

// iterateI, whileI: the function reads its state alone. Q: the condition; `again` holds what it says of the state.
Term iterated(const Term& i) { return element_at("F^", {i}); }
Term asked(const Term& x) { return element_at("Q", {x}); }

std::vector<Term> state_hypotheses() {
  const auto F = [](const Term& x) { return element_at("F", {x}); };
  const auto right = [](const char* t, const std::function<Term(const Term&)>& f) {
    return for_all({at_s, at_y, at_o}, implies(unequal(at_y, at_o), equal(call(t, element_store, {at_s, at_y, at_o}),
                                                                          store(at_s, at_o, f(select(at_s, at_y))))));
  };
  const Term iterates = for_all({at_i}, implies(at_most(zero, at_i), equal(iterated(at_i + one), F(iterated(at_i)))));
  return {right("T", F),       right("TQ", asked),  iterates, equal(iterated(zero), start), unequal(acc, next),
          unequal(again, acc), unequal(again, next)};
}

std::vector<Obligation> state_equations(const Stage& loops) {
  const auto step = with(state_hypotheses(), {at_most(zero, k), equal(select(s, acc), iterated(k))});
  std::vector<Obligation> out;
  for (const Combinator& of : {Combinator(imp::IterateI{}), Combinator(imp::WhileI{})}) {
    const bool conditional = std::holds_alternative<imp::WhileI>(of);
    const std::string subject = conditional ? "whileI" : "iterateI";
    const auto loop = [=] { return loop_terms(loops, of); };
    const auto holds = [=](const Term& now, const Term& count) -> std::vector<Term> {
      std::vector<Term> all = {equal(select(now, acc), iterated(count))};
      if (conditional) all.push_back(equal(select(now, again), asked(iterated(count))));
      return all;
    };
    const std::string of_state = conditional ? ", and the condition is of it" : "";
    out.push_back(claim(subject, "base: the state is F^0 I" + of_state, loop, state_hypotheses(),
                        [=](const LoopTerms& l) { return holds(l.begun, zero); }));
    out.push_back(claim(subject, "step: through a temporary, the state is F^(k+1) I" + of_state, loop, step,
                        [=](const LoopTerms& l) { return holds(l.after, k + one); }));
    out.push_back(
        claim(subject, "end: C is given the state", loop, {equal(select(s, acc), iterated(n)), uses_its_value()},
              [=](const LoopTerms& l) -> std::vector<Term> { return {equal(l.ended, continued(iterated(n)))}; }));
  }
  return out;
}

// ------------------------------------------------------------------------------------------------- new
// (5) new d (\tmp. tmp.1 := E; C(tmp.2)) is C(E), C a sequence of commands c that use what they are given, do not touch
// tmp otherwise, and do not write what E reads. The two runs differ in tmp alone.
std::vector<Obligation> new_equations() {
  const Term tmp = name("tmp"), j = name("j"), at_w = name("w", element_sort);
  const auto value = [](const Term& store) { return element_at("E", {store}); };
  const auto c = [](const Term& i, const Term& store, const Term& x) {
    return call("c", element_store, {i, store, x});
  };
  const std::vector<Term> hypotheses = {// E does not read tmp
                                        for_all({at_s, at_v}, equal(value(store(at_s, tmp, at_v)), value(at_s))),
                                        // c neither reads nor writes tmp
                                        for_all({at_i, at_s, at_v, at_w}, equal(c(at_i, store(at_s, tmp, at_w), at_v),
                                                                                store(c(at_i, at_s, at_v), tmp, at_w))),
                                        // c writes nothing that E reads
                                        for_all({at_i, at_s, at_v}, equal(value(c(at_i, at_s, at_v)), value(at_s)))};
  // s: the run by name, t: the run with tmp
  const auto same = [&](const Term& by_name, const Term& with_tmp) {
    return equal(with_tmp, store(by_name, tmp, value(by_name)));
  };
  const Term t = name("u", element_store), first = store(s0, tmp, value(s0));
  std::vector<Term> step = hypotheses;
  step.push_back(same(s, t));
  return {claim("new", "(5) base: after tmp.1 := E the runs differ in tmp alone, which holds E", hypotheses,
                {same(s0, first)}),
          claim("new", "(5) step: a command that is given tmp.2 does what it does given E", step,
                {same(c(j, s, value(s)), c(j, t, select(t, tmp)))})};
}

// ------------------------------------------------------------------------------------------------- compound state
std::vector<Obligation> compound_equations() {
  const auto component = [](const char* f) -> Component {
    return [f](const Term& a, const Term& b) { return element_at(f, {a, b}); };
  };
  const Component F1 = component("F1"), F2 = component("F2");
  const Term y = name("y"), o = name("o"), after = by_components(s, y, o, F1, F2), a = select(s, y),
             b = select(s, y + one);
  return {claim("pair", "component by component, F is written right where the acceptor is apart from what F reads",
                {any_of({less(y + one, o), less(o + one, y)})},
                {equal(select(after, o), F1(a, b)), equal(select(after, o + one), F2(a, b))})};
}

}  // namespace

Term by_components(const Term& in, const Term& y, const Term& o, const Component& f1, const Component& f2) {
  const auto written = [&](const Component& f, const Term& now) {
    return f(select(now, y), select(now, y + number(1)));
  };
  const Term half = store(in, o, written(f1, in));
  return store(half, o + number(1), written(f2, half));
}

std::vector<Obligation> translation_obligations(const Stage& loops) {
  std::vector<Obligation> all;
  for (const auto& more : {map_equations(loops), new_equations(), compound_equations(), reduce_equations(loops),
                           scan_equations(loops, false), scan_equations(loops, true), state_equations(loops)})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace lockstep::proofs
