// Loops that change places, for all lengths: a map with a map, element by element; a map with a reduction, by induction
// on the length of what is reduced. n rows of m elements. g: the function of an element of the outer loop's array, of
// one of the inner loop's, and of a row's own.
#include "proofs/calculus/strategies/folds.h"

namespace lockstep::proofs {
namespace {

using namespace folds;

const Term row = name("i"), column = name("j"), rows = name("n"), columns = name("m"), first = number(0),
           one_further = number(1);
const ArrayTerm outer = array_named("xs"), inner = array_named("ys"), both = array_named("zs");

Term g(const Term& x, const Term& y, const Term& z) { return call("g", element_sort, {x, y, z}); }

ArrayTerm as_columns(const ArrayTerm& a, const Term& n, const Term& m) {
  return through("transpose", {{"n", n}, {"m", m}}, {a});
}

// \y -> map (\x -> e) xs over the columns, element [j][i], with the rows that are moved read as `of`.
ArrayTerm by_columns(const ArrayTerm& of) {
  return [of](const std::vector<Term>& at) {
    return g(outer({at.at(1)}), inner({at.at(0)}), of({at.at(0), at.at(1)}));
  };
}

Obligation map_with_map() {
  const ArrayTerm moved = as_columns(both, rows, columns);
  return law("map interchange",
             "map (\\x -> map (\\y -> g x y) ys) xs is transpose (map (\\y -> map (\\x -> g x y) xs) ys), also where "
             "rows are zipped with both",
             {{{{within(row, rows), within(column, columns)},
                equal(g(outer({row}), inner({column}), both({row, column})),
                      as_columns(by_columns(moved), columns, rows)({row, column})),
                {"m", "n"}}}});
}

// S i k: the fold of the first k elements of row i from its start z i; A k i: element i of the sums after k columns.
Term sum_of_row(const Term& i, const Term& k) { return call("S", element_sort, {i, k}); }
Term sums_after(const Term& k, const Term& i) { return call("A", element_sort, {k, i}); }
Term fold_step(const Term& x, const Term& item, const Term& kept, const Term& acc) {
  return call("f", element_sort, {x, item, kept, acc});
}

// The two are equal after `k` elements; x: what is read of the row's own, kept: what all rows have at k.
std::vector<Case> row_by_row(const ArrayTerm& starts_of_rows, const ArrayTerm& starts, const std::string& at) {
  const ArrayTerm as_rows = as_columns(both, rows, columns);
  const auto same = [](const Term& k) { return equal(sums_after(k, row), sum_of_row(row, k)); };
  return {{{{equal(sum_of_row(row, first), starts_of_rows({row})), equal(sums_after(first, row), starts({row})),
             within(row, rows)},
            same(first),
            {"n"}},
           at + "base"},
          {{{same(column), within(row, rows), within(column, columns),
             equal(sum_of_row(row, column + one_further),
                   fold_step(outer({row}), both({row, column}), inner({column}), sum_of_row(row, column))),
             equal(sums_after(column + one_further, row),
                   fold_step(outer({row}), as_rows({column, row}), inner({column}), sums_after(column, row)))},
            same(column + one_further),
            {"m", "n"}},
           at + "step"}};
}

Obligation map_with_reduce() {
  const ArrayTerm same_for_all = [](const std::vector<Term>&) { return start(); };
  const ArrayTerm replicated = through("replicate", {{"n", rows}}, {[](const std::vector<Term>&) { return start(); }});
  const ArrayTerm own = array_named("w");
  std::vector<Case> cases = row_by_row(same_for_all, replicated, "one start, ");
  for (Case& c : row_by_row(own, own, "a start for each row, ")) cases.push_back(std::move(c));
  return law("map and reduce",
             "map (\\row -> reduce f z row) rows is reduce (\\column accs -> map f (zip column accs)) (replicate n z) "
             "(transpose rows), and with a start for each row, in both directions",
             cases);
}

Obligation wrongly(const std::string& subject, const std::string& claim, std::vector<Term> hypotheses, const Term& goal,
                   std::vector<std::string> sizes) {
  const Case only{{std::move(hypotheses), goal, std::move(sizes)}};
  return {"strategies", subject, claim, [=](const Solver& solver) { return decide_all({only}, 10000, solver); }, true};
}

}  // namespace

std::vector<Obligation> interchange_laws() { return {map_with_map(), map_with_reduce()}; }

std::vector<Obligation> wrong_interchange_laws() {
  const Term i = row, j = column;
  // Square matrices, so that both sides have one type.
  const std::vector<Term> in_square = {within(i, rows), within(j, rows)};
  const ArrayTerm kept = as_columns(by_columns(both), rows, rows);
  return {
      wrongly("map interchange", "without the transpose of the result", in_square,
              equal(g(outer({i}), inner({j}), both({i, j})), by_columns(as_columns(both, rows, rows))({i, j})), {"n"}),
      wrongly("map interchange", "without the transpose of the rows that are zipped with both", in_square,
              equal(g(outer({i}), inner({j}), both({i, j})), kept({i, j})), {"n"}),
      wrongly("map and reduce", "the sums from a row's start that is another's, no element being reduced",
              {equal(sum_of_row(i, first), array_named("w")({i})),
               equal(sums_after(first, i), array_named("w")({rows - one_further - i})), within(i, rows)},
              equal(sums_after(first, i), sum_of_row(i, first)), {"n"}),
      wrongly("map and reduce", "the rows for the columns, one element being reduced", {within(i, rows)},
              equal(fold_step(outer({i}), both({i, first}), inner({first}), start()),
                    fold_step(outer({i}), both({first, i}), inner({first}), start())),
              {"n"})};
}

}  // namespace lockstep::proofs
