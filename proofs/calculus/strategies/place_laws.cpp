// Places that are distinct whatever the data are, for all lengths, by induction on the second of two indices i < j
// (translate/dpia/distinct_places.cpp). g i: what element i adds, P i: the sum of what those before it add, n: how many
// there are, T: P n. Numbers are the calculus's, which wrap at 2^64, and arrays have at most 2^56 elements: so two
// places are two where they are apart, and by less than 2^64.
#include "proofs/calculus/strategies/folds.h"

namespace lockstep::proofs {
namespace {

using namespace folds;

const Term this_one = name("i"), later = name("j"), next_one = number(1), none = number(0), most_added = number(255),
           elements_in_all = name("n"), factor = name("a", integer), offset = name("b", integer);

Term P(const Term& i) { return call("P", integer, {i}); }
Term g(const Term& i) { return call("g", integer, {i}); }
Term others_before(const Term& i) { return i - P(i); }

std::vector<Term> adds(const Term& i, const Term& most) {
  return {equal(P(i + next_one), P(i) + g(i)), at_most(none, g(i)), at_most(g(i), most)};
}
// What holds of i and j, from j = i + 1 on: `about` the two, by what each element may add.
std::vector<Case> of_later(const std::function<Term(const Term& j)>& holds, std::vector<Term> of_this,
                           const Term& most) {
  const auto with = [&](const Term& i, std::vector<Term> more) {
    const std::vector<Term> step = adds(i, most);
    more.insert(more.end(), step.begin(), step.end());
    return more;
  };
  std::vector<Term> before = of_this;
  before.push_back(holds(later));
  return {{{with(this_one, of_this), holds(this_one + next_one), {"i"}}, "the next one"},
          {{with(later, before), holds(later + next_one), {"i", "j"}}, "one further"}};
}

// P goes up by what i adds at least, and by 255 an element at most.
Term goes_up(const Term& j) { return at_most(P(this_one) + g(this_one), P(j)); }
Term goes_up_little(const Term& j) { return at_most(P(j), P(this_one) + most_added * (j - this_one)); }
Term others_go_up(const Term& j) { return less(others_before(this_one), others_before(j)); }

std::vector<Case> together(std::vector<Case> a, const std::vector<Case>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Obligation going_on() {
  const Term distance = later - this_one, apart = factor * distance;
  const Term most = number(std::int64_t{1} << 56);
  const std::vector<Term> given{less(this_one, later), less(later, most), at_most(number(-255), factor),
                                at_most(factor, most_added), negation(equal(factor, none))};
  return law("distinct places", "a * i + b, where a is not 0 and -255 to 255",
             {{{given, negation(equal(factor * this_one + offset, factor * later + offset)), {"i", "j"}}, "apart"},
              {{given, less(apart, most * number(256)), {"i", "j"}}, "by less than 2^64, above"},
              {{given, less(number(-256) * most, apart), {"i", "j"}}, "by less than 2^64, below"}});
}

Obligation compaction() {
  std::vector<Case> cases = together(of_later(goes_up, {}, most_added), of_later(goes_up_little, {}, most_added));
  cases.push_back(
      {{{goes_up(later), at_most(next_one, g(this_one))}, less(P(this_one), P(later)), {"i", "j"}}, "kept"});
  return law("distinct places", "P i of the elements that add 1 or more, where each adds 0 to 255", std::move(cases));
}

Obligation others() {
  return law("distinct places", "i - P i of the elements that add 0, where each adds 0 or 1",
             of_later(others_go_up, {equal(g(this_one), none)}, next_one));
}

// The first of both kinds and the last: i adds 0, and j adds 1.
Obligation split_in_two() {
  const Term total = P(elements_in_all);
  const std::vector<Term> given{less(others_before(this_one), others_before(elements_in_all)),
                                at_most(P(later) + next_one, total), at_most(none, P(later)),
                                at_most(none, others_before(this_one))};
  return law("distinct places",
             "i - P i of those that add 0, and n - T + P j of those that add 1; or T + i - P i and P j",
             {{{given, less(others_before(this_one), elements_in_all - total + P(later)), {"i", "j", "n"}}, "behind"},
              {{given, less(P(later), total + others_before(this_one)), {"i", "j", "n"}}, "in front"}});
}

Obligation wrong_places(const std::string& claim, std::vector<Term> given, const Term& goal) {
  const Case only{{std::move(given), goal, {"i", "j"}}};
  return {"strategies", "distinct places", claim,
          [=](const Solver& solver) { return decide_all({only}, 10000, solver); }, true};
}

}  // namespace

std::vector<Obligation> place_laws() { return {going_on(), compaction(), others(), split_in_two()}; }

std::vector<Obligation> wrong_place_laws() {
  const Term after = this_one + next_one;
  const std::vector<Term> step{equal(P(after), P(this_one) + g(this_one))};
  const auto with = [&](std::vector<Term> more) {
    more.insert(more.end(), step.begin(), step.end());
    return more;
  };
  return {wrong_places("P i of all elements, which may add 0: P i is below P (i + 1)",
                       with({at_most(none, g(this_one))}), less(P(this_one), P(after))),
          wrong_places("P i of elements that may add less than nothing: P i + g i is at most P (i + 2)",
                       with({equal(P(after + next_one), P(after) + g(after)), at_most(next_one, g(this_one))}),
                       less(P(this_one), P(after + next_one))),
          wrong_places("i - P i, where an element may add 2: i - P i is below i + 2 - P (i + 2)",
                       with({equal(P(after + next_one), P(after) + g(after)), equal(g(this_one), none),
                             at_most(none, g(after)), at_most(g(after), number(2))}),
                       less(others_before(this_one), others_before(after + next_one)))};
}

}  // namespace lockstep::proofs
