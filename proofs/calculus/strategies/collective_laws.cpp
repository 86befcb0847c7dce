// What a block or a warp does together is the left fold, of an associative function: for all lengths of the order of
// combination as terms, level by level; and of the primitives' own meanings, at small lengths, tested. e before l: f l
// e, as a left fold gives them to its function.
#include "proofs/calculus/strategies/folds.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::proofs {
namespace {

using namespace folds;

const Term place = name("i"), pairs = name("m"), length = name("n"), step = name("s"), from_l = name("l"),
           count = name("c"), more = name("d"), one_more = number(1), two = number(2), none = number(0);
const ArrayTerm elements = array_named("xs");

Case case_of(std::string about, std::vector<Term> hypotheses, const Term& goal, std::vector<std::string> sizes) {
  return {{std::move(hypotheses), goal, std::move(sizes)}, std::move(about)};
}

// ------------------------------------------------------------------------------------------------- trees
// A level: neighbours of the first 2m elements combined, and the one that is left over as it is.
ArrayTerm neighbours(const Term& left_over) {
  const ArrayTerm rows = through("split", {{"k", two}, {"m", pairs}},
                                 {through("take", {{"k", two * pairs}, {"m", left_over}}, {elements})});
  const ArrayTerm combined = [rows](const std::vector<Term>& at) {
    return f(rows({at.at(0), one_more}), rows({at.at(0), none}));
  };
  const ArrayTerm last = through("drop", {{"k", two * pairs}, {"m", left_over}}, {elements});
  return through("concat", {{"n", pairs}, {"m", left_over}}, {combined, last});
}

// S: the fold of the elements from z; T: that of the next level's. Each level has fewer elements, and the last one.
Obligation reduce_as_a_tree() {
  std::vector<Case> cases;
  for (const std::int64_t left_over : {0, 1}) {
    const std::string at = left_over == 0 ? "an even number, " : "an odd number, ";
    const ArrayTerm level = neighbours(number(left_over));
    const auto as_far = [](const Term& k) { return equal(fold("T", k), fold("S", two * k)); };
    cases.push_back(case_of(at + "base", {begins("S", start()), begins("T", start())}, as_far(none), {}));
    cases.push_back(case_of(at + "step",
                            {is_associative(), as_far(place), within(place, pairs), goes_on("T", place, level),
                             goes_on("S", two * place, elements),
                             equal(fold("S", two * (place + one_more)),
                                   f(elements({two * place + one_more}), fold("S", two * place + one_more)))},
                            as_far(place + one_more), {"m"}));
    if (left_over == 1)
      cases.push_back(case_of(at + "the last",
                              {as_far(pairs), goes_on("T", pairs, level), goes_on("S", two * pairs, elements)},
                              equal(fold("T", pairs + one_more), fold("S", two * pairs + one_more)), {"m"}));
  }
  cases.push_back(
      case_of("fewer at each level", {at_most(two, length)}, less(quotient(length + one_more, two), length), {"n"}));
  cases.push_back(case_of("one element", {begins("S", start()), goes_on("S", none, elements)},
                          equal(f(elements({none}), start()), fold("S", one_more)), {}));
  return law("reduce as a tree", "reduceBlock f z xs and reduceWarp f z xs are reduce f z xs, f associative", cases);
}

// ------------------------------------------------------------------------------------------------- prefixes
// W l c: the c elements from l on, combined one by one; c is at least 1.
Term window(const Term& from, const Term& n) { return call("W", element_sort, {from, n}); }
Term begun(const Term& from) { return equal(window(from, one_more), elements({from})); }
Term longer(const Term& from, const Term& n) {
  return equal(window(from, n + one_more), f(elements({from + n}), window(from, n)));
}
// Two windows, one behind the other, are one.
Term joined(const Term& from, const Term& n, const Term& then) {
  return equal(f(window(from + n, then), window(from, n)), window(from, n + then));
}

// p: what the level before made, of which element i is the window of the s elements up to i, or of all of them. S: the
// fold from z.
Obligation scan_in_steps() {
  const ArrayTerm p = array_named("p");
  const Term rest = length - step;
  const ArrayTerm stays = through("take", {{"k", step}, {"m", rest}}, {p}),
                  earlier = through("take", {{"k", rest}, {"m", step}}, {p}),
                  later = through("drop", {{"k", step}, {"m", rest}}, {p});
  const ArrayTerm combined = [=](const std::vector<Term>& at) { return f(later(at), earlier(at)); };
  const ArrayTerm next = through("concat", {{"n", step}, {"m", rest}}, {stays, combined});
  const Term before = place - step, up_to = place + one_more;
  const Term some = at_most(one_more, step), inside = within(place, length), reached = at_most(step, place),
             shorter = at_most(step, length);
  const Term whole = equal(p({place}), window(none, up_to)), of_s = equal(p({place}), window(up_to - step, step));
  const auto from_start = [](const Term& n) { return equal(f(window(none, n), start()), fold("S", n)); };
  return law("scan in steps", "scanBlock f z xs and scanWarp f z xs are scan f z xs, f associative",
             {case_of("windows, base", {at_most(one_more, count), begun(from_l + count), longer(from_l, count)},
                      joined(from_l, count, one_more), {"l", "c"}),
              case_of("windows, step",
                      {is_associative(), at_most(one_more, count), at_most(one_more, more), joined(from_l, count, more),
                       longer(from_l + count, more), longer(from_l, count + more)},
                      joined(from_l, count, more + one_more), {"l", "c", "d"}),
              case_of("one that stays", {some, shorter, inside, less(place, step), whole},
                      equal(next({place}), window(none, up_to)), {"n", "s"}),
              case_of("one that reaches the first",
                      {some, shorter, inside, reached, less(place, two * step), of_s,
                       equal(p({before}), window(none, before + one_more)), joined(none, before + one_more, step)},
                      equal(next({place}), window(none, up_to)), {"n", "s"}),
              case_of("one further on",
                      {some, shorter, inside, at_most(two * step, place), of_s,
                       equal(p({before}), window(before + one_more - step, step)),
                       joined(before + one_more - step, step, step)},
                      equal(next({place}), window(up_to - two * step, two * step)), {"n", "s"}),
              case_of("the start, base", {begun(none), begins("S", start()), goes_on("S", none, elements)},
                      from_start(one_more), {}),
              case_of("the start, step",
                      {is_associative(), at_most(one_more, count), from_start(count), longer(none, count),
                       goes_on("S", count, elements)},
                      from_start(count + one_more), {"c"})});
}

// ------------------------------------------------------------------------------------------------- meanings
using Function = std::function<Value(const Value& later, const Value& earlier)>;

std::uint64_t bits_of(const Value& v) { return as_scalar(force(v)).bits; }
Value whole(std::uint64_t n) { return scalar_value(make_integer(ScalarType::U64, n)); }

// x -> a x + b after another of such: associative, and of two that differ in order the results do.
Value composed(const Value& later, const Value& earlier) {
  const std::uint64_t a = bits_of(first_of(later)), b = bits_of(second_of(later));
  return pair_value(whole(a * bits_of(first_of(earlier))), whole(a * bits_of(second_of(earlier)) + b));
}
// It is not associative.
Value mixed(const Value& later, const Value& earlier) {
  return pair_value(whole(bits_of(first_of(later)) + 3 * bits_of(first_of(earlier))), second_of(later));
}

constexpr std::int64_t longest = 40;

Outcome same_meaning(const std::string& together, const std::string& fold, const Function& f) {
  const Calculus calculus = standard_calculus();
  const Value function = function_value([f](std::span<const Value> both) { return f(both[0], both[1]); });
  std::uint64_t state = 1;
  const auto drawn = [&] {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return pair_value(whole(2 * (state >> 40) + 1), whole(state >> 50));
  };
  const auto meaning = [&](const std::string& name, std::int64_t n, const std::vector<Value>& arguments) {
    const Loop& loop = std::get<Loop>(calculus.primitive(name)->kind);
    return show(stored(loop.meaning(std::vector<std::int64_t>{n}, std::span<const Value>(arguments))), ieee_domain());
  };
  for (std::int64_t n = 0; n <= longest; ++n) {
    std::vector<Value> items;
    for (std::int64_t k = 0; k < n; ++k) items.push_back(drawn());
    const std::vector<Value> arguments{function, drawn(), array_value(std::move(items))};
    const std::string expected = meaning(fold, n, arguments), found = meaning(together, n, arguments);
    if (found != expected)
      return {Standing::Refuted, "tested",
              std::to_string(n) + " elements: " + fold + " gives " + expected + ", " + together + " " + found};
  }
  return {Standing::Tested, "lengths up to " + std::to_string(longest), ""};
}

Obligation meaning_of(const std::string& together, const std::string& fold) {
  return {"strategies", together, "of a function that is associative its meaning is that of " + fold,
          [=](const Solver&) { return same_meaning(together, fold, composed); }};
}

// ------------------------------------------------------------------------------------------------- what is wrong
Obligation refutable(const std::string& subject, const std::string& claim, const Term& goal,
                     std::vector<std::string> naturals) {
  const Case only{{{}, goal, std::move(naturals)}};
  return {"strategies", subject, claim, [=](const Solver& solver) { return decide_all({only}, 10000, solver); }, true};
}

}  // namespace

std::vector<Obligation> collective_laws() {
  return {reduce_as_a_tree(),
          scan_in_steps(),
          meaning_of("reduceBlock", "reduce"),
          meaning_of("reduceWarp", "reduce"),
          meaning_of("scanBlock", "scan"),
          meaning_of("scanWarp", "scan")};
}

std::vector<Obligation> wrong_collective_laws() {
  const Term x = name("x"), y = name("y"), z = name("z"), w = name("w");
  std::vector<Obligation> all{
      refutable("reduce as a tree", "(-), which is not associative, of two elements: y - (x - z) is (y - x) - z",
                equal(y - (x - z), (y - x) - z), {"x", "y", "z"}),
      // f x a is x: associative, and neither commutative nor with a neutral element.
      refutable("reduce as a tree", "the start behind the elements, of one element and f x a = x: x is z", equal(x, z),
                {"x", "z"}),
      refutable("scan in steps", "windows of two that are joined one apart, of (+): (z + y) + (y + x) is z + y + x",
                equal((z + y) + (y + x), z + y + x), {"x", "y", "z"}),
      refutable("scan in steps", "(-), which is not associative, of two elements: (y - x) - w is y - (x - w)",
                equal((y - x) - w, y - (x - w)), {"x", "y", "w"})};
  for (const auto& [together, fold] : {std::pair{"reduceBlock", "reduce"}, {"scanWarp", "scan"}})
    all.push_back({"strategies", together,
                   "of a function that is not associative its meaning is that of " + std::string(fold),
                   [together = std::string(together), fold = std::string(fold)](const Solver&) {
                     return same_meaning(together, fold, mixed);
                   },
                   true});
  return all;
}

}  // namespace lockstep::proofs
