// The laws that strategies and rewrites rely on: equations between programs, at each element of the result or, for
// reductions, by induction with base and step. f, g: functions, xs: an array, e: a neutral element, z: a start.
#include "proofs/calculus/strategies/folds.h"

namespace lockstep::proofs {
namespace {

using namespace folds;

const Term i = name("i"), j = name("j"), b = name("b"), k = name("k"), m = name("m"), n = name("n"), zero = number(0),
           one = number(1);
const ArrayTerm xs = array_named("xs"), ys = array_named("ys");

Case element_case(std::vector<Term> hypotheses, const Term& left, const Term& right, std::vector<std::string> sizes,
                  std::string about = "") {
  return {{std::move(hypotheses), equal(left, right), std::move(sizes)}, std::move(about)};
}

// ------------------------------------------------------------------------------------------------- element by element
std::vector<Obligation> map_laws() {
  const Term some_k = at_most(one, k);
  const auto split = [&](const ArrayTerm& a) { return through("split", {{"k", k}, {"m", m}}, {a}); };
  const auto join = [&](const ArrayTerm& a) { return through("join", {{"m", m}, {"k", k}}, {a}); };
  const std::vector<Term> in_all = {some_k, within(i, m * k)}, in_rows = {some_k, within(i, m), within(j, k)};
  const auto composed = [](const ArrayTerm& a) -> ArrayTerm {
    return [a](const std::vector<Term>& at) { return call("f", element_sort, {call("g", element_sort, {a(at)})}); };
  };
  std::vector<Case> lanes;
  for (const std::int64_t w : {2, 3, 4, 8, 16}) {
    const auto vectors = through("asVector", {{"w", number(w)}, {"m", m}}, {xs});
    const auto scalars = through("asScalar", {{"w", number(w)}, {"m", m}}, {mapped("f", vectors)});
    lanes.push_back(element_case({within(i, number(w) * m)}, scalars({i}), mapped("f", xs)({i}), {"m"},
                                 "w = " + std::to_string(w)));
  }
  return {
      law("map fusion", "map f (map g xs) is map (\\x -> f (g x)) xs",
          {element_case({within(i, n)}, mapped("f", mapped("g", xs))({i}), composed(xs)({i}), {"n"})}),
      law("split-join", "join (split k xs) is xs", {element_case(in_all, join(split(xs))({i}), xs({i}), {"k", "m"})}),
      law("split-join", "split k (join xs) is xs",
          {element_case(in_rows, split(join(xs))({i, j}), xs({i, j}), {"k", "m"})}),
      law("map in blocks", "map f xs is join (map (map f) (split k xs))",
          {element_case(in_all, join(mapped("f", split(xs)))({i}), mapped("f", xs)({i}), {"k", "m"})}),
      law("map on vectors", "map f xs is asScalar (map f (asVector w xs)), lane by lane", lanes),
  };
}

std::vector<Obligation> layout_laws() {
  const auto transposed = [](const ArrayTerm& a, const Term& rows, const Term& columns) {
    return through("transpose", {{"n", rows}, {"m", columns}}, {a});
  };
  const std::vector<Term> in_matrix = {within(i, n), within(j, m)}, in_transposed = {within(i, m), within(j, n)};
  const auto reversed = [](const ArrayTerm& a) { return through("reverse", {{"n", n}}, {a}); };
  const auto joined = [](const ArrayTerm& a, const ArrayTerm& c) {
    return through("concat", {{"n", n}, {"m", m}}, {a, c});
  };
  const ArrayTerm taken = through("take", {{"k", n}, {"m", m}}, {xs}),
                  dropped = through("drop", {{"k", n}, {"m", m}}, {xs});
  return {
      law("transpose", "transpose (transpose xs) is xs",
          {element_case(in_matrix, transposed(transposed(xs, n, m), m, n)({i, j}), xs({i, j}), {"m", "n"})}),
      law("transpose", "map (map f) (transpose xs) is transpose (map (map f) xs)",
          {element_case(in_transposed, mapped("f", transposed(xs, n, m))({i, j}),
                        transposed(mapped("f", xs), n, m)({i, j}), {"m", "n"})}),
      law("reverse", "reverse (reverse xs) is xs",
          {element_case({within(i, n)}, reversed(reversed(xs))({i}), xs({i}), {"n"})}),
      law("blocks and rest", "concat (take n xs) (drop n xs) is xs",
          {element_case({within(i, n + m)}, joined(taken, dropped)({i}), xs({i}), {"m", "n"})}),
      law("blocks and rest", "map f (concat xs ys) is concat (map f xs) (map f ys)",
          {element_case({within(i, n + m)}, mapped("f", joined(xs, ys))({i}),
                        joined(mapped("f", xs), mapped("f", ys))({i}), {"m", "n"})}),
  };
}

// ------------------------------------------------------------------------------------------------- by induction
const Term neutral = name("e", element_sort);

std::vector<Obligation> reduce_laws() {
  const ArrayTerm joined = through("concat", {{"n", n}, {"m", m}}, {xs, ys}), g_xs = mapped("g", xs);
  const ArrayTerm fused = [](const std::vector<Term>& at) { return call("g", element_sort, {xs(at)}); };
  return {
      law("reduce fusion", "reduce f z (map g xs) is reduce (\\x -> f (g x)) z xs",
          {element_case({begins("R", start()), begins("S", start())}, fold("R", zero), fold("S", zero), {}, "base"),
           element_case({goes_on("R", i, g_xs), goes_on("S", i, fused), equal(fold("R", i), fold("S", i))},
                        fold("R", i + one), fold("S", i + one), {}, "step")}),
      law("reduce in parts", "reduce f z (concat xs ys) is reduce f (reduce f z xs) ys",
          {element_case({begins("R", start()), begins("S", start())}, fold("R", zero), fold("S", zero), {},
                        "base of xs"),
           element_case({goes_on("R", i, joined), goes_on("S", i, xs), equal(fold("R", i), fold("S", i)), within(i, n)},
                        fold("R", i + one), fold("S", i + one), {"m", "n"}, "step of xs"),
           element_case({equal(fold("R", n), fold("S", n)), begins("T", fold("S", n))}, fold("R", n + zero),
                        fold("T", zero), {}, "base of ys"),
           element_case(
               {goes_on("R", n + j, joined), goes_on("T", j, ys), equal(fold("R", n + j), fold("T", j)), within(j, m)},
               fold("R", n + (j + one)), fold("T", j + one), {"m", "n"}, "step of ys")}),
  };
}

// S: the fold of the whole from z; P b: that of row b from e; Q: that of the rows' folds from z.
Obligation reduce_in_blocks() {
  const ArrayTerm rows = through("split", {{"k", k}, {"m", m}}, {xs});
  const auto partial = [](const Term& row, const Term& count) { return call("P", element_sort, {row, count}); };
  const Term a = name("a", element_sort), identity = for_all({a}, equal(f(neutral, a), a));
  const Term in_block = equal(fold("S", b * k + j), f(partial(b, j), fold("S", b * k)));
  const auto whole_step = goes_on("S", b * k + j, xs);
  const Term row_step = equal(partial(b, j + one), f(rows({b, j}), partial(b, j)));
  return law(
      "reduce in blocks", "reduce f z xs is reduce f z (map (reduce f e) (split k xs)), f associative, e neutral",
      {element_case({identity, equal(partial(b, zero), neutral)}, fold("S", b * k + zero),
                    f(partial(b, zero), fold("S", b * k)), {}, "base in a block"),
       element_case({is_associative(), in_block, whole_step, row_step, within(b, m), within(j, k)},
                    fold("S", b * k + (j + one)), f(partial(b, j + one), fold("S", b * k)), {}, "step in a block"),
       element_case({begins("S", start()), begins("Q", start())}, fold("Q", zero), fold("S", zero * k), {},
                    "base of the blocks"),
       element_case({equal(fold("Q", b), fold("S", b * k)), substitute(in_block, {{"j", k}}), within(b, m),
                     equal(fold("Q", b + one), f(partial(b, k), fold("Q", b)))},
                    fold("Q", b + one), fold("S", (b + one) * k), {}, "step of the blocks")});
}

// m vectors of w lanes, element l of vector j being `lane`. S: the fold of the whole from z; L l: lane l's fold from e;
// R j: the fold of the lanes after j vectors from z, lane by lane; B: the fold from e of the first lanes of vector j.
// R (j+1) l is B l and R j l: the next vector may come last.
std::vector<Case> lane_by_lane(const std::string& at, const Term& w, const Term& lane,
                               const std::vector<std::string>& sizes) {
  const Term l = name("l"), x = name("x", element_sort), y = name("y", element_sort), a = name("a", element_sort);
  const auto two = [](const std::string& of, const Term& p, const Term& q) { return call(of, element_sort, {p, q}); };
  const Term commutative = for_all({x, y}, equal(f(x, y), f(y, x))), identity = for_all({a}, equal(f(neutral, a), a));
  const Term first = j * w, after_lane = equal(two("L", l, j + one), f(lane, two("L", l, j)));
  const auto next_lane = [&](const Term& of) {
    return equal(two("R", of, l + one), f(two("L", l, of), two("R", of, l)));
  };
  const Term vector_step = equal(fold("B", l + one), f(lane, fold("B", l)));
  const Term in_vector = equal(fold("S", first + l), f(fold("B", l), fold("S", first)));
  const Term lanes_last = equal(two("R", j + one, l), f(fold("B", l), two("R", j, l)));
  const std::vector<Term> begun = {identity, begins("B", neutral), equal(two("R", j, zero), start()),
                                   equal(two("R", j + one, zero), start())};
  std::vector<Case> cases;
  const auto add = [&](const char* what, const std::vector<Term>& hypotheses, const Term& goal) {
    cases.push_back({{hypotheses, goal, sizes}, at + what});
  };
  add("no vector", {identity, next_lane(zero), equal(two("L", l, zero), neutral), equal(two("R", zero, l), start())},
      equal(two("R", zero, l + one), start()));
  add("no lane", begun, substitute(lanes_last, {{"l", zero}}));
  add("a lane more",
      {is_associative(), commutative, lanes_last, after_lane, next_lane(j), next_lane(j + one), vector_step,
       within(j, m), within(l, w)},
      substitute(lanes_last, {{"l", l + one}}));
  add("base in a vector", begun, substitute(in_vector, {{"l", zero}}));
  add("step in a vector",
      {is_associative(), in_vector, goes_on("S", first + l, xs), vector_step, within(j, m), within(l, w)},
      substitute(in_vector, {{"l", l + one}}));
  add("a vector more",
      {substitute(lanes_last, {{"l", w}}), substitute(in_vector, {{"l", w}}), equal(two("R", j, w), fold("S", first))},
      equal(two("R", j + one, w), fold("S", (j + one) * w)));
  return cases;
}

Obligation reduce_in_columns() {
  const ArrayTerm columns = through("transpose", {{"n", m}, {"m", k}}, {through("split", {{"k", k}, {"m", m}}, {xs})});
  return law("reduce in columns",
             "reduce f z xs is reduce f z (map (reduce f e) (transpose (split k xs))), f also commutative",
             lane_by_lane("", k, columns({name("l"), j}), {"k", "m"}));
}

Obligation reduce_on_vectors() {
  std::vector<Case> cases;
  for (const std::int64_t width : {2, 3, 4, 8, 16}) {
    const Term w = number(width);
    const Term lane = through("asVector", {{"w", w}, {"m", m}}, {xs})({j, name("l")});
    for (Case& c : lane_by_lane("w = " + std::to_string(width) + ", ", w, lane, {"m"})) cases.push_back(std::move(c));
  }
  return law("reduce on vectors",
             "reduce f z xs is reduce f z (lanes (reduce f (splat w e) (asVector w xs))), f also commutative", cases);
}

}  // namespace

std::vector<Obligation> strategy_obligations() {
  std::vector<Obligation> all;
  for (const auto& more : {map_laws(),
                           layout_laws(),
                           reduce_laws(),
                           {reduce_in_blocks(), reduce_in_columns(), reduce_on_vectors()},
                           interchange_laws(),
                           part_laws(),
                           window_laws(),
                           collective_laws(),
                           permute_laws(),
                           place_laws()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace lockstep::proofs
