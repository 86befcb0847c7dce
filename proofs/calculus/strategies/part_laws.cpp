// Arrays in parts, longer or turned round, for all lengths: element by element, and a reduction that goes on over
// elements that change nothing, by induction.
#include "proofs/calculus/strategies/folds.h"

namespace lockstep::proofs {
namespace {

using namespace folds;

const Term at = name("i"), in_row = name("j"), block = name("b"), size = name("k"), others = name("m"), all = name("n"),
           nothing = number(0), unit = number(1), filler = name("e", element_sort);
const ArrayTerm a = array_named("xs"), c = array_named("ys");
const std::vector<Term> in_either = {within(at, all + others)};
const std::vector<Term> in_blocks = {at_most(unit, size), within(block, others), within(in_row, size)};

Obligation by_element(const std::string& subject, const std::string& claim, std::vector<Term> hypotheses,
                      const Term& left, const Term& right, std::vector<std::string> sizes) {
  return law(subject, claim, {{{std::move(hypotheses), equal(left, right), std::move(sizes)}}});
}

ArrayTerm reversed(const Term& n, const ArrayTerm& x) { return through("reverse", {{"n", n}}, {x}); }
ArrayTerm chained(const Term& n, const Term& m, const ArrayTerm& x, const ArrayTerm& y) {
  return through("concat", {{"n", n}, {"m", m}}, {x, y});
}
ArrayTerm in_rows_of(const Term& k, const Term& m, const ArrayTerm& x) {
  return through("split", {{"k", k}, {"m", m}}, {x});
}
ArrayTerm put_together(const Term& m, const Term& k, const ArrayTerm& x) {
  return through("join", {{"m", m}, {"k", k}}, {x});
}
// before copies of the filler, the n elements, after copies
ArrayTerm filled(const Term& before, const Term& after, const Term& n) {
  return through("pad", {{"l", before}, {"r", after}, {"n", n}}, {[](const std::vector<Term>&) { return filler; }, a});
}
// Elements of two arrays, together: what a zip has.
ArrayTerm paired(const ArrayTerm& x, const ArrayTerm& y) {
  return [=](const std::vector<Term>& i) { return call("p", element_sort, {x(i), y(i)}); };
}
// Each row of x turned round, at b * k + j of the rows joined.
Term turned(const ArrayTerm& rows) { return put_together(others, size, rows)({block * size + in_row}); }
ArrayTerm rows_turned(const ArrayTerm& x) {
  return [x](const std::vector<Term>& i) {
    const ArrayTerm row = [x, i](const std::vector<Term>& j) { return x({i.at(0), j.at(0)}); };
    return reversed(size, row)({i.at(1)});
  };
}

// R: the fold of the padded array; S: that of the array itself, both from z.
std::vector<Case> padded_fold(const Term& leaves_it) {
  const ArrayTerm padded = filled(nothing, others, all);
  return {{{{begins("R", start()), begins("S", start())}, equal(fold("R", nothing), fold("S", nothing)), {}}, "base"},
          {{{goes_on("R", at, padded), goes_on("S", at, a), equal(fold("R", at), fold("S", at)), within(at, all)},
            equal(fold("R", at + unit), fold("S", at + unit)),
            {"m", "n"}},
           "step in the array"},
          {{{leaves_it, goes_on("R", all + in_row, padded), equal(fold("R", all + in_row), fold("S", all)),
             within(in_row, others)},
            equal(fold("R", all + (in_row + unit)), fold("S", all)),
            {"m", "n"}},
           "step in the padding"}};
}

Obligation not_so(const std::string& subject, const std::string& claim, std::vector<Term> hypotheses, const Term& left,
                  const Term& right, std::vector<std::string> sizes) {
  const Case only{{std::move(hypotheses), equal(left, right), std::move(sizes)}};
  return {"strategies", subject, claim, [=](const Solver& solver) { return decide_all({only}, 10000, solver); }, true};
}

}  // namespace

std::vector<Obligation> part_laws() {
  const Term acc = name("acc", element_sort);
  const ArrayTerm one = through("replicate", {{"n", unit}}, {[](const std::vector<Term>&) { return a({nothing}); }});
  return {
      by_element("split of a zip",
                 "split k (zip xs ys) is map (\\b -> zip (fst b) (snd b)) (zip (split k xs) (split k "
                 "ys))",
                 in_blocks, in_rows_of(size, others, paired(a, c))({block, in_row}),
                 paired(in_rows_of(size, others, a), in_rows_of(size, others, c))({block, in_row}), {"k", "m"}),
      by_element("zip of one number", "map f (zip xs (replicate n z)) is map (\\x -> f (x, z)) xs", {within(at, all)},
                 paired(a, through("replicate", {{"n", all}}, {[](const std::vector<Term>&) { return filler; }}))({at}),
                 call("p", element_sort, {a({at}), filler}), {"n"}),
      by_element("reverse", "reverse (concat xs ys) is concat (reverse ys) (reverse xs)", in_either,
                 reversed(all + others, chained(all, others, a, c))({at}),
                 chained(others, all, reversed(others, c), reversed(all, a))({at}), {"m", "n"}),
      by_element("reverse", "reverse (join xss) is join (map reverse (reverse xss))", in_blocks,
                 reversed(others * size, put_together(others, size, a))({block * size + in_row}),
                 turned(rows_turned(reversed(others, a))), {"k", "m"}),
      by_element("padding", "take n (pad 0 k e xs) is xs", {within(at, all)},
                 through("take", {{"k", all}, {"m", size}}, {filled(nothing, size, all)})({at}), a({at}), {"k", "n"}),
      by_element("copy", "map (\\x -> x) xs is xs, and with one row map f (replicate 1 xs) ! 0 is f xs", {},
                 mapped("f", one)({nothing}), mapped("f", a)({nothing}), {}),
      law("reduce on a padded array", "reduce f z (pad 0 m e xs) is reduce f z xs, f e acc being acc",
          padded_fold(for_all({acc}, equal(f(filler, acc), acc)))),
  };
}

std::vector<Obligation> wrong_part_laws() {
  const Term x = name("x");
  return {
      not_so("split of a zip", "with the second array in rows of the other size", in_blocks,
             in_rows_of(size, others, paired(a, c))({block, in_row}),
             paired(in_rows_of(size, others, a), in_rows_of(others, size, c))({block, in_row}), {"k", "m"}),
      not_so("zip of one number", "map f (zip xs (replicate n z)) is map (\\x -> f (z, x)) xs", {within(at, all)},
             paired(a, through("replicate", {{"n", all}}, {[](const std::vector<Term>&) { return filler; }}))({at}),
             call("p", element_sort, {filler, a({at})}), {"n"}),
      not_so("reverse", "reverse (concat xs ys) is concat (reverse xs) (reverse ys)", in_either,
             reversed(all + others, chained(all, others, a, c))({at}),
             chained(all, others, reversed(all, a), reversed(others, c))({at}), {"m", "n"}),
      not_so("reverse", "reverse (join xss) is join (reverse xss)", in_blocks,
             reversed(others * size, put_together(others, size, a))({block * size + in_row}),
             turned(reversed(others, a)), {"k", "m"}),
      not_so("transpose", "transpose xs is xs, of as many rows as columns", {within(at, all), within(in_row, all)},
             through("transpose", {{"n", all}, {"m", all}}, {a})({at, in_row}), a({at, in_row}), {"n"}),
      not_so("blocks and rest", "concat (drop n xs) (take n xs) is xs", in_either,
             chained(others, all, through("drop", {{"k", all}, {"m", others}}, {a}),
                     through("take", {{"k", all}, {"m", others}}, {a}))({at}),
             a({at}), {"m", "n"}),
      not_so("blocks and rest", "map f (concat xs ys) is concat (map f xs) ys", in_either,
             mapped("f", chained(all, others, a, c))({at}), chained(all, others, mapped("f", a), c)({at}), {"m", "n"}),
      not_so("copy", "with one row map f (replicate 1 (f xs)) ! 0 is f xs", {within(at, all)},
             mapped("f", mapped("f", a))({at}), mapped("f", a)({at}), {"n"}),
      not_so("padding", "take n (pad k 0 e xs) is xs", {within(at, all)},
             through("take", {{"k", all}, {"m", size}}, {filled(size, nothing, all)})({at}), a({at}), {"k", "n"}),
      // an element of padding behind the array
      not_so("reduce on a padded array", "by an e that is not neutral for (+): e + x is x", {}, name("e") + x, x,
             {"e", "x"}),
  };
}

}  // namespace lockstep::proofs
