// Left folds as terms: the function f of an element and what is accumulated, its start z, and what laws of them are
// stated with.
#pragma once
#include "proofs/calculus/list.h"
#include "proofs/calculus/strategies/view_algebra.h"

namespace lockstep::proofs::folds {

inline Term f(const Term& x, const Term& a) { return call("f", element_sort, {x, a}); }
inline Term start() { return name("z", element_sort); }
// f x (f y a) is f (f x y) a, for all of them.
inline Term is_associative() {
  const Term x = name("x", element_sort), y = name("y", element_sort), a = name("a", element_sort);
  return for_all({x, y, a}, equal(f(f(x, y), a), f(x, f(y, a))));
}

inline Term fold(const std::string& of, const Term& count) { return call(of, element_sort, {count}); }
// fold(0) is `from`; fold(count + 1) is f (element count) (fold count), where count is within the array.
inline Term begins(const std::string& of, const Term& from) { return equal(fold(of, number(0)), from); }
inline Term goes_on(const std::string& of, const Term& count, const ArrayTerm& a) {
  return equal(fold(of, count + number(1)), f(a({count}), fold(of, count)));
}

inline Obligation law(const std::string& subject, const std::string& text, std::vector<Case> cases) {
  return {"strategies", subject, text,
          [cases = std::move(cases)](const Solver& solver) { return decide_all(cases, 10000, solver); }};
}

}  // namespace lockstep::proofs::folds
