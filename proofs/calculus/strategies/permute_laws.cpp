// permute by private copies, for all lengths: at a place q, the values at q of rows of k, each row folded from a
// neutral element, and the rows' results from the defaults, are all values at q folded from the defaults. And that
// updates by an associative and commutative operator may come in any order. S c: of the first c values, from the
// defaults; T r c: of the first c of row r, from e; U r: of the first r rows.
#include "proofs/calculus/strategies/folds.h"

namespace lockstep::proofs {
namespace {

using namespace folds;

const Term row = name("r"), in_row = name("c"), width = name("k"), rows = name("m"), one_on = number(1),
           at_start = number(0), place_q = name("q", element_sort), e = name("e", element_sort);
const ArrayTerm places = array_named("is"), values = array_named("xs");

Term S(const Term& c) { return call("S", element_sort, {c}); }
Term T(const Term& r, const Term& c) { return call("T", element_sort, {r, c}); }
Term U(const Term& r) { return call("U", element_sort, {r}); }
ArrayTerm in_rows(const ArrayTerm& xs) { return through("split", {{"k", width}, {"m", rows}}, {xs}); }

// One value more, which counts where it is at q.
Term with_value(const Term& at, const Term& value, const Term& before) {
  return choose(equal(at, place_q), f(value, before), before);
}
Term neutral_first() {
  const Term a = name("a", element_sort);
  return for_all({a}, equal(f(e, a), a));
}
// The row's result before what came earlier is all of it.
Term joined_row(const Term& c) { return equal(f(T(row, c), S(row * width)), S(row * width + c)); }

Case permute_case(std::string about, std::vector<Term> hypotheses, const Term& goal, std::vector<std::string> sizes) {
  return {{std::move(hypotheses), goal, std::move(sizes)}, std::move(about)};
}

Obligation by_private_copies() {
  const Term at = row * width + in_row;
  return law(
      "permute by copies",
      "permuteCopies: rows from neutral elements, combined column by column, are permute f d is xs, f associative",
      {permute_case("a row, base", {neutral_first(), equal(T(row, at_start), e)}, joined_row(at_start), {"r", "k"}),
       permute_case("a row, step",
                    {is_associative(), within(in_row, width), within(row, rows), joined_row(in_row),
                     equal(T(row, in_row + one_on),
                           with_value(in_rows(places)({row, in_row}), in_rows(values)({row, in_row}), T(row, in_row))),
                     equal(S(at + one_on), with_value(places({at}), values({at}), S(at))),
                     equal(S(row * width + (in_row + one_on)), S(at + one_on))},
                    joined_row(in_row + one_on), {"r", "c", "k", "m"}),
       permute_case("rows, base",
                    {equal(U(at_start), name("d", element_sort)), equal(S(at_start), name("d", element_sort))},
                    equal(U(at_start), S(at_start * width)), {"k"}),
       permute_case("rows, step",
                    {equal(U(row), S(row * width)), joined_row(width), equal(U(row + one_on), f(T(row, width), U(row))),
                     equal(S((row + one_on) * width), S(row * width + width))},
                    equal(U(row + one_on), S((row + one_on) * width)), {"r", "k"})});
}

Obligation in_any_order() {
  const Term x = name("x", element_sort), y = name("y", element_sort), z = name("z", element_sort);
  return law("atomic updates", "f x (f y z) is f y (f x z), f associative and commutative",
             {permute_case("", {is_associative(), for_all({x, y}, equal(f(x, y), f(y, x)))},
                           equal(f(name("u", element_sort), f(name("v", element_sort), z)),
                                 f(name("v", element_sort), f(name("u", element_sort), z))),
                           {})});
}

Obligation wrong_permute(const std::string& claim, const Term& goal, std::vector<std::string> naturals) {
  const Case only{{{}, goal, std::move(naturals)}};
  return {"strategies", "permute by copies", claim,
          [=](const Solver& solver) { return decide_all({only}, 10000, solver); }, true};
}

}  // namespace

std::vector<Obligation> permute_laws() { return {by_private_copies(), in_any_order()}; }

std::vector<Obligation> wrong_permute_laws() {
  const Term x = name("x"), y = name("y"), d = name("d"), z = name("z");
  return {wrong_permute(
              "copies that start from the defaults, too, of (+) and two rows: (y + d) + ((x + d) + d) is y + (x + d)",
              equal((y + d) + ((x + d) + d), y + (x + d)), {"x", "y", "d"}),
          wrong_permute("(-), which is not associative, of a row's value x: (x - z) - d is x - (z - d)",
                        equal((x - z) - d, x - (z - d)), {"x", "z", "d"}),
          wrong_permute("copies combined by (+) of an operator max: max of 0, x and y is their sum",
                        equal(choose(less(x, y), y, x), x + y), {"x", "y"})};
}

}  // namespace lockstep::proofs
