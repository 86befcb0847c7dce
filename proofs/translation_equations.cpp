// The equations that the translation rests on (DPIA §5.3), each by induction with its base and step: mapI (4), new (5),
// reduceI (6) as design.md amends it, and scanI, iterateI and whileI after it. Commands change a store, an array of
// places. A translated function is right, by hypothesis, where its acceptor is apart from what it reads.
// s, s0: stores, p: place, E: the array read, F: the function, T: its translation, k: how many iterations are done.
#include "proofs/translation_equations.h"

#include "proofs/calculus_proofs.h"

namespace lockstep::proofs {
namespace {

const Term s = name("s", element_store), s0 = name("s0", element_store);
const Term k = name("k"), n = name("n"), acc = name("acc"), next = name("next"), out = name("out");

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
  return {"translation", subject, text, [=] {
            std::vector<Case> cases;
            for (const Term& g : goals) cases.push_back({{hypotheses, g, {}}});
            return decide_all(cases);
          }};
}

// ------------------------------------------------------------------------------------------------- mapI
// parfor n A (\i o. T (idx E i) o): iteration i writes the place A + i.
const Term A = name("A"), one = number(1);

Term map_element(const Term& store, const Term& i) { return element_at("F", {E(store, i)}); }
Term map_step(const Term& store_, const Term& i, const Term& place) {
  return call("T", element_store, {store_, i, place});
}

std::vector<Term> map_hypotheses() {
  const Term right =
      for_all({at_s, at_i, at_p},
              implies(apart(at_p), equal(map_step(at_s, at_i, at_p), store(at_s, at_p, map_element(at_s, at_i)))));
  const Term disjoint = for_all({at_p}, implies(all_of({at_most(A, at_p), less(at_p, A + n)}), apart(at_p)));
  return {reads_elsewhere(), right, disjoint};
}
// After k iterations: the first k elements are there, the rest of the store is as it was.
Term map_done(const Term& store, const Term& count, const Term& p) {
  return equal(select(store, p),
               choose(all_of({at_most(A, p), less(p, A + count)}), map_element(s0, p - A), select(s0, p)));
}

std::vector<Obligation> map_equations() {
  std::vector<Term> step = map_hypotheses();
  step.insert(step.end(), {within(k, n), for_all({at_p}, map_done(s, k, at_p)), reads_as_at_first(s)});
  const Term after = map_step(s, k, A + k), j = name("j");
  std::vector<Term> two = map_hypotheses();
  two.insert(two.end(), {within(k, n), within(j, n), unequal(k, j)});
  const Term one_way = map_step(map_step(s, k, A + k), j, A + j), other_way = map_step(map_step(s, j, A + j), k, A + k);
  const Term p = name("q"), i = name("h");
  return {claim("mapI", "(4) base: nothing is done after 0 iterations", map_hypotheses(), {map_done(s0, number(0), p)}),
          claim("mapI", "(4) step: iteration k writes element k of map F E, and nothing else", step,
                {map_done(after, k + one, p), reads_as_at_first(after, i)}),
          claim("mapI", "(4) two iterations of parfor may change places", two,
                {equal(select(one_way, p), select(other_way, p))})};
}

// ------------------------------------------------------------------------------------------------- reduceI and its kin
// The fold after i elements, and the translated step: F of element i and the state at y, written at o.
Term fold(const Term& i) { return element_at("fold", {i}); }
Term fold_element(const Term& element, const Term& state) { return element_at("F", {element, state}); }
Term fold_step(const Term& store_, const Term& i, const Term& y, const Term& o) {
  return call("T", element_store, {store_, i, y, o});
}

std::vector<Term> fold_hypotheses() {
  const Term right = for_all({at_s, at_i, at_y, at_o},
                             implies(all_of({apart(at_o), unequal(at_y, at_o)}),
                                     equal(fold_step(at_s, at_i, at_y, at_o),
                                           store(at_s, at_o, fold_element(E(at_s, at_i), select(at_s, at_y))))));
  const Term folds = for_all(
      {at_i}, implies(at_most(number(0), at_i), equal(fold(at_i + one), fold_element(E(s0, at_i), fold(at_i)))));
  return {reads_elsewhere(), right, folds, equal(fold(number(0)), name("I", element_sort)), apart(acc), apart(next),
          unequal(acc, next)};
}
// new (\next. T .. acc.2 next.1; acc.1 := next.2), design.md's amendment
Term amended_step(const Term& store_, const Term& i) {
  const Term written = fold_step(store_, i, acc, next);
  return store(written, acc, select(written, next));
}
// Where nothing but the variables of the loop is written.
Term untouched(const Term& now, const Term& p) {
  return implies(all_of({unequal(p, acc), unequal(p, next)}), equal(select(now, p), select(s0, p)));
}

std::vector<Obligation> reduce_equations() {
  const Term first = store(s0, acc, name("I", element_sort)), p = name("q"), i = name("h");
  std::vector<Term> step = fold_hypotheses();
  step.insert(step.end(), {within(k, n), equal(select(s, acc), fold(k)), reads_as_at_first(s),
                           for_all({at_p}, untouched(s, at_p))});
  const Term after = amended_step(s, k);
  return {claim("reduceI", "(6) base: acc.1 := I is the fold of no element", fold_hypotheses(),
                {equal(select(first, acc), fold(number(0))), reads_as_at_first(first, i), untouched(first, p)}),
          claim("reduceI", "(6) step: through a temporary, acc holds the fold of one element more", step,
                {equal(select(after, acc), fold(k + one)), reads_as_at_first(after, i), untouched(after, p)})};
}

// The k first elements of the output hold the folds, of j + 1 elements at j, or of j where exclusive.
Term scanned(const Term& now, const Term& count, const Term& j, bool exclusive) {
  return implies(within(j, count), equal(select(now, out + j), fold(exclusive ? j : j + one)));
}

std::vector<Obligation> scan_equations(bool exclusive) {
  const Term j = name("h"), i = name("g");
  std::vector<Term> step = fold_hypotheses();
  const auto outside = [&](const Term& p) { return any_of({less(p, out), at_most(out + n, p)}); };
  step.insert(step.end(),
              {within(k, n), equal(select(s, acc), fold(k)), reads_as_at_first(s), outside(acc), outside(next),
               for_all({at_p}, implies(all_of({at_most(out, at_p), less(at_p, out + n)}), apart(at_p))),
               for_all({at_i}, scanned(s, k, at_i, exclusive))});
  const Term before = exclusive ? store(s, out + k, select(s, acc)) : s;
  const Term stepped = amended_step(before, k);
  const Term after = exclusive ? stepped : store(stepped, out + k, select(stepped, acc));
  const std::string subject = exclusive ? "scanI exclusive" : "scanI";
  const Term first = store(s0, acc, name("I", element_sort));
  return {
      claim(subject, "base: acc.1 := I is the fold of no element", fold_hypotheses(),
            {equal(select(first, acc), fold(number(0))), scanned(first, number(0), j, exclusive)}),
      claim(subject,
            std::string("step: element k of the output is the fold of ") + (exclusive ? "k" : "k + 1") + " elements",
            step,
            {equal(select(after, acc), fold(k + one)), scanned(after, k + one, j, exclusive),
             reads_as_at_first(after, i)})};
}

// iterateI, whileI: the function reads its state alone.
Term iterated(const Term& i) { return element_at("F^", {i}); }
Term state_step(const Term& store_, const Term& y, const Term& o) { return call("T", element_store, {store_, y, o}); }
std::vector<Term> state_hypotheses() {
  const auto F = [](const Term& x) { return element_at("F", {x}); };
  const Term right = for_all(
      {at_s, at_y, at_o},
      implies(unequal(at_y, at_o), equal(state_step(at_s, at_y, at_o), store(at_s, at_o, F(select(at_s, at_y))))));
  const Term iterates =
      for_all({at_i}, implies(at_most(number(0), at_i), equal(iterated(at_i + one), F(iterated(at_i)))));
  return {right, iterates, equal(iterated(number(0)), name("I", element_sort)), unequal(acc, next)};
}

std::vector<Obligation> state_equations() {
  const Term first = store(s0, acc, name("I", element_sort));
  std::vector<Term> step = state_hypotheses();
  step.insert(step.end(), {at_most(number(0), k), equal(select(s, acc), iterated(k))});
  const Term written = state_step(s, acc, next), after = store(written, acc, select(written, next));
  // whileI: `again` is a place that holds, as an element, what the condition's translation Q finds of the state.
  const Term again = name("again");
  const auto Q = [](const Term& x) { return element_at("Q", {x}); };
  const auto test = [&](const Term& in) { return call("TQ", element_store, {in, acc, again}); };
  std::vector<Term> looping = step;
  looping.insert(
      looping.end(),
      {for_all({at_s, at_y, at_o}, implies(unequal(at_y, at_o), equal(call("TQ", element_store, {at_s, at_y, at_o}),
                                                                      store(at_s, at_o, Q(select(at_s, at_y)))))),
       unequal(again, acc), unequal(again, next), equal(select(s, again), Q(iterated(k)))});
  const Term tested = test(after);
  return {claim("iterateI", "base: the state is F^0 I", state_hypotheses(),
                {equal(select(first, acc), iterated(number(0)))}),
          claim("iterateI", "step: through a temporary, the state is F^(k+1) I", step,
                {equal(select(after, acc), iterated(k + one))}),
          claim("whileI", "step: the state is F^(k+1) I, and the condition is of that state", looping,
                {equal(select(tested, acc), iterated(k + one)), equal(select(tested, again), Q(iterated(k + one)))})};
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

std::vector<Obligation> translation_obligations() {
  std::vector<Obligation> all;
  for (const auto& more : {map_equations(), new_equations(), compound_equations(), reduce_equations(),
                           scan_equations(false), scan_equations(true), state_equations()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace lockstep::proofs
