// The solvers: one question to both, what each row of their table means, and that a wrong verdict does not pass.
#include <catch2/catch.hpp>

#include "proofs/calculus/list.h"
#include "proofs/smt/both.h"
#include "proofs/smt/smtlib.h"

namespace smt_test {
using namespace lockstep;
using namespace lockstep::proofs;

namespace {

bool no_cvc5() {
  if (cvc5_version()) return false;
  WARN("there is no cvc5 here (Debian's package cvc5): nothing was compared");
  return true;
}

// A solver with a mistake in it.
class Mistaken : public Solver {
 public:
  explicit Mistaken(std::function<smt::Verdict(const std::vector<Term>&)> f) : answer_(std::move(f)) {}
  std::string name() const override { return "a mistaken solver"; }
  smt::Verdict answer(const std::vector<Term>& assertions, const Budget&) const override { return answer_(assertions); }

 private:
  std::function<smt::Verdict(const std::vector<Term>&)> answer_;
};

Term replaced(const Term& t, TermOp from, TermOp to) {
  if (!t.arguments) return t;
  std::vector<Term> arguments;
  for (const Term& a : *t.arguments) arguments.push_back(replaced(a, from, to));
  Term out = t;
  out.op = t.op == from ? to : t.op;
  out.arguments = std::make_shared<const std::vector<Term>>(std::move(arguments));
  return out;
}

const Term x8 = name("x", bits(8)), y8 = name("y", bits(8));
// Of signed numbers: x < y or y <= x, and of x = -1, y = 0 the first.
const Question signed_order{{equal(x8, number(bits(8), 255)), equal(y8, number(bits(8), 0))},
                            make(TermOp::LessSigned, boolean, {x8, y8})};

}  // namespace

TEST_CASE("a wrong verdict is noticed: of two solvers that contradict each other none is believed") {
  const Mistaken yes([](const std::vector<Term>&) { return smt::Verdict{smt::Verdict::Proved}; });
  const Question wrong{{}, equal(name("i"), number(1)), {"i"}}, right{{}, equal(name("i"), name("i"))};
  for (const auto& [a, b] : {std::pair<const Solver&, const Solver&>(z3(), yes), {yes, z3()}}) {
    const smt::Verdict found = decide(Both(a, b), wrong);
    CHECK(found.kind == smt::Verdict::Unknown);
    CHECK(found.reason == "a mistaken solver proves it and Z3 refutes it");
    CHECK(decide(Both(a, b), right).kind == smt::Verdict::Proved);
  }
  // Wrong of all sizes, and right of each that is tried thereafter.
  std::size_t asked = 0;
  const Mistaken at_first([&](const std::vector<Term>& assertions) {
    return asked++ == 0 ? smt::Verdict{smt::Verdict::Proved} : z3().answer(assertions, {});
  });
  CHECK(decide(Both(z3(), at_first), wrong).kind == smt::Verdict::Unknown);
  const proofs::Outcome outcome = decide_all({{wrong}}, 10000, Both(z3(), yes));
  CHECK(outcome.standing == Standing::Unknown);
  CHECK(outcome.detail == "a mistaken solver proves it and Z3 refutes it");
  for (const proofs::Obligation& o : wrong_statements()) {
    if (o.group != "strategies") continue;
    const proofs::Outcome found = o.decide(Both(z3(), yes));
    CHECK(as_it_must_be(o, found) != found.asked);  // what runs refute is refuted all the same
  }
}

TEST_CASE("a name is free that no quantifier binds, also where it is all that is said") {
  const Term p = name("p", boolean);
  const auto named = [](const Term& t) {
    std::string all;
    for (const auto& [n, term] : names_in({t})) all += n + " ";
    return all;
  };
  CHECK(named(for_all({name("i")}, p)) == "p ");
  CHECK(named(for_all({name("i")}, equal(name("i"), name("j")))) == "j ");
  CHECK(named(for_all({name("i"), name("j")}, equal(name("i"), name("j")))) == "");
}

TEST_CASE("soundness A1a: quotients by two divisors, or of two dividends, are two numbers") {
  const Term n = name("n"), m = name("m"), k = name("k");
  const std::vector<Term> positive{at_most(number(1), m), at_most(number(1), k)};
  const auto proved = [&](const Term& a, const Term& b) {
    return z3().ask({positive, equal(a, b), {"n", "m", "k"}}, {}).kind == smt::Verdict::Proved;
  };
  CHECK(proved(quotient(n, m), quotient(n, m)));
  CHECK_FALSE(proved(quotient(n, m), quotient(n, k)));
  CHECK_FALSE(proved(quotient(n, m), quotient(k, m)));
  CHECK_FALSE(proved(quotient(quotient(n, m), k), quotient(n, quotient(m, k))));
}

TEST_CASE("what is wrong with one solver is said, be the question settled by the other or not") {
  const Mistaken broken([](const std::vector<Term>&) {
    return smt::Verdict{smt::Verdict::Unknown, {}, "it is broken"};
  });
  const Question right{{}, equal(name("i"), name("i"))};
  for (const auto& [a, b] : {std::pair<const Solver&, const Solver&>(z3(), broken), {broken, z3()}}) {
    const smt::Verdict found = Both(a, b).ask(right, {});
    CHECK(found.kind == smt::Verdict::Proved);
    CHECK(found.reason == "it is broken");
    CHECK(found.by == std::vector<std::string>{"Z3"});
  }
}

TEST_CASE("hypotheses of which the solvers do not agree whether they can hold prove nothing") {
  const Question of_something{{at_most(name("i"), number(3))}, at_most(name("i"), number(4))};
  CHECK(decide_all({{of_something}}, 10000, z3()).standing == Standing::Proved);
  const Mistaken says_never([](const std::vector<Term>& assertions) {
    return script_of(assertions).find("(not false)") != std::string::npos ? smt::Verdict{smt::Verdict::Proved}
                                                                          : z3().answer(assertions, {});
  });
  const proofs::Outcome outcome = decide_all({{of_something}}, 10000, Both(z3(), says_never));
  CHECK(outcome.standing == Standing::Unknown);
  CHECK(outcome.detail == "that its hypotheses contradict each other: a mistaken solver proves it and Z3 refutes it");
}

TEST_CASE("who proves each case is told apart from who proves some, and unknown is settled by none") {
  const Question a{{}, at_most(name("i"), name("i"))}, b{{}, at_most(number(0), number(1))};
  const auto only = [](const Question& q) {
    return Mistaken([q](const std::vector<Term>& assertions) {
      return script_of(assertions) == script_of(assertions_of(q)) ? z3().answer(assertions, {}) : smt::Verdict{};
    });
  };
  const auto one = only(a), other = only(b);
  CHECK(decide_all({{a}, {b}}, 1000, Both(z3(), one)).method == "Z3, 2 cases");
  CHECK(decide_all({{a}, {b}}, 1000, InTurn(one, z3())).method == "a mistaken solver or Z3, 2 cases");
  const proofs::Outcome unknown = decide_all({{a}, {b}}, 1000, one);
  CHECK(unknown.standing == Standing::Unknown);
  CHECK(unknown.by.empty());
}

TEST_CASE("a mistake in what one solver is given is noticed") {
  if (no_cvc5()) return;
  CHECK(Both(z3(), cvc5()).ask(signed_order, {}).kind == smt::Verdict::Proved);
  const Mistaken unsigned_order([](std::vector<Term> assertions) {
    for (Term& t : assertions) t = replaced(t, TermOp::LessSigned, TermOp::LessUnsigned);
    return cvc5().answer(assertions, {});
  });
  const smt::Verdict found = Both(z3(), unsigned_order).ask(signed_order, {});
  CHECK(found.kind == smt::Verdict::Unknown);
  CHECK(found.reason == "Z3 proves it and a mistaken solver refutes it");
}

TEST_CASE("an operation on bits or floats is the same number to both solvers") {
  if (no_cvc5()) return;
  std::vector<Term> terms;
  const auto add = [&](TermOp op, Sort sort, std::vector<Term> arguments) {
    terms.push_back(make(op, sort, std::move(arguments)));
  };
  for (const std::uint64_t a : {0, 1, 127, 128, 255})
    for (const std::uint64_t b : {1, 3, 7}) {
      const Term m = number(bits(8), a), n = number(bits(8), b);
      for (int op = static_cast<int>(TermOp::BitAdd); op <= static_cast<int>(TermOp::ShiftRightArithmetic); ++op)
        if (const auto o = static_cast<TermOp>(op); o != TermOp::BitNegate) add(o, bits(8), {m, n});
      for (const TermOp op : {TermOp::LessUnsigned, TermOp::LessSigned}) add(op, boolean, {m, n});
      add(TermOp::BitNegate, bits(8), {m});
      for (const TermOp op : {TermOp::ZeroExtend, TermOp::SignExtend}) add(op, bits(32), {m});
      add(TermOp::Truncate, bits(4), {m});
      for (const TermOp op : {TermOp::FloatOfSigned, TermOp::FloatOfUnsigned}) add(op, floating(32), {m});
    }
  for (const std::uint64_t a :
       {0x00000000U, 0x80000000U, 0x3fc00000U, 0xc0200000U, 0x00000001U, 0x7f800000U, 0x7fc00000U})
    for (const std::uint64_t b : {0x80000000U, 0x3f800000U, 0x40490fdbU}) {
      const Term m = number(floating(32), a), n = number(floating(32), b);
      for (const TermOp op : {TermOp::FloatAdd, TermOp::FloatSubtract, TermOp::FloatMultiply, TermOp::FloatDivide})
        add(op, floating(32), {m, n});
      for (const TermOp op :
           {TermOp::FloatNegate, TermOp::FloatAbs, TermOp::FloatSqrt, TermOp::FloatFloor, TermOp::FloatCeil})
        add(op, floating(32), {m});
      for (const TermOp op : {TermOp::FloatEqual, TermOp::FloatLess, TermOp::FloatLessEqual, TermOp::Equal})
        add(op, boolean, {m, n});
      add(TermOp::FloatFma, floating(32), {m, n, n});
      add(TermOp::FloatIsNan, boolean, {m});
      add(TermOp::FloatOfFloat, floating(64), {m});
    }
  const auto numbers = numbers_of(terms);
  std::vector<Term> same;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const Sort s = terms[k].sort;
    same.push_back(!numbers[k]    ? make(TermOp::FloatIsNan, boolean, {terms[k]})
                   : s == boolean ? equal(terms[k], truth(*numbers[k] != 0))
                                  : equal(terms[k], number(s, *numbers[k])));
  }
  CHECK(cvc5().ask({{}, all_of(same)}, {}).kind == smt::Verdict::Proved);
  for (std::size_t k = 0; k < terms.size(); k += 37) {  // that each counts
    auto wrong = same;
    wrong[k] = negation(wrong[k]);
    CHECK(cvc5().ask({{}, all_of(wrong)}, {}).kind == smt::Verdict::Refuted);
  }
}

TEST_CASE("whatever a name is made of, it is itself to both solvers, and a counterexample has its value") {
  const Term a = name("a|b\\ 'c%"), b = name("a%b"), q = name("/0");
  const Question strange{{less(a, number(-3)), equal(b, number(7)), equal(q, quotient(b, number(2)))},
                         any_of({less(a, number(-4)), equal(q, number(4))}),
                         {"a%b"}};
  for (const Solver* solver : {&z3(), &cvc5()}) {
    if (solver == &cvc5() && no_cvc5()) continue;
    const smt::Verdict found = solver->ask(strange, {});
    CAPTURE(solver->name(), found.reason);
    REQUIRE(found.kind == smt::Verdict::Refuted);
    CHECK(show_model(strange, found) == "a%b = 7; /0 = 3, a|b\\ 'c% = -4");
  }
}

TEST_CASE("a natural is one where it is spoken of, and a question without time is not decided") {
  const Term n = name("n"), goal = at_most(number(0), n);
  for (const Solver* solver : {&z3(), &cvc5()}) {
    if (solver == &cvc5() && no_cvc5()) continue;
    CHECK(solver->ask({{}, goal, {"n", "m"}}, {}).kind == smt::Verdict::Proved);
    CHECK(solver->ask({{}, goal}, {}).kind == smt::Verdict::Refuted);
    const auto cube = [](const Term& t) { return t * t * t; };
    const Term one = number(1), i = name("i"), j = name("j"), k = name("k");
    const Question fermat{{at_most(one, i), at_most(one, j), at_most(one, k)}, unequal(cube(i) + cube(j), cube(k))};
    CHECK(solver->ask(fermat, {100}).kind == smt::Verdict::Unknown);
  }
}

}  // namespace smt_test
