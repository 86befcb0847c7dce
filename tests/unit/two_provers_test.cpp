// Two provers: whatever is proved of the calculus, of the examples, of their sizes and of operators is asked of Z3 and
// of cvc5, 2 s each. What one proves the other does not refute; both read the same text, and Z3 finds in it what it is
// given by its functions; and both settle most of it. The answers are kept, each by its whole question. All of it is
// asked with ./dev test --long, otherwise one in so many.
#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <mutex>
#include <thread>

#include "proofs/calculus/list.h"
#include "proofs/kernel/obligations.h"
#include "proofs/smt/answers.h"
#include "proofs/smt/both.h"
#include "proofs/smt/smtlib.h"
#include "tests/unit/derivation.h"
#include "tests/unit/long_run.h"

namespace two_provers_test {
using namespace lockstep;
using namespace lockstep::proofs;

namespace {

constexpr unsigned each_ms = 2000;
constexpr double least_share = 0.9;
const std::size_t one_in = lockstep::test::long_run() ? 1 : 12;

// One in so many, from the first on.
template <class T>
std::vector<T> sample_of(const std::vector<T>& all) {
  std::vector<T> out;
  for (std::size_t k = 0; k < all.size(); k += one_in) out.push_back(all[k]);
  return out;
}

using Complaints = std::set<std::string>;
using Printer = std::function<std::string(const std::vector<Term>&)>;

// Both solvers, what each question is in print, and whatever is wrong with these.
class Jury : public Solver {
 public:
  explicit Jury(const Solver& a = z3(), const Solver& b = cvc5(), Answers& answers = kept_answers(),
                Printer printed = script_of)
      : kept_a_(a, answers), kept_b_(b, answers), kept_text_(z3_by_text(), answers), printed_(std::move(printed)) {}
  std::string name() const override { return both_.name(); }
  smt::Verdict answer(const std::vector<Term>& assertions, const Budget& budget) const override {
    smt::Verdict found = both_.answer(assertions, budget);
    const std::string misprint = difference_of_text(assertions, printed_(assertions));
    const smt::Verdict by_name = a_.answer(assertions, budget), by_text = text_.answer(assertions, budget);
    const std::lock_guard lock(mutex_);
    settled_.add(found);
    for (const std::string& wrong : {found.reason, misprint, by_text.reason})
      if (!wrong.empty()) complaints_.insert(wrong);
    if (by_name.kind != smt::Verdict::Unknown && by_text.kind != smt::Verdict::Unknown && by_name.kind != by_text.kind)
      complaints_.insert(a_.name() + " says of the text something else than of the question: " + script_of(assertions));
    return found;
  }
  Settled settled() const { return settled_; }
  Complaints complaints() const { return complaints_; }

 private:
  const Kept kept_a_, kept_b_, kept_text_;
  const Within a_{kept_a_, each_ms}, b_{kept_b_, each_ms}, text_{kept_text_, each_ms};
  const Both both_{a_, b_};
  const Printer printed_;
  mutable std::mutex mutex_;
  mutable Settled settled_;
  mutable Complaints complaints_;
};

// As often as there are processors, at once.
// What it throws is thrown here, once all have ended.
void on_each_processor(const std::function<void()>& work) {
  std::vector<std::future<void>> all;
  for (unsigned k = 0; k < std::max(1U, std::thread::hardware_concurrency()); ++k)
    all.push_back(std::async(std::launch::async, work));
  for (const auto& f : all) f.wait();
  for (auto& f : all) f.get();
}

// A solver that says always the same.
class Says : public Solver {
 public:
  explicit Says(smt::Verdict::Kind kind) : kind_(kind) {}
  std::string name() const override { return "a mistaken solver"; }
  smt::Verdict answer(const std::vector<Term>&, const Budget&) const override { return {kind_}; }

 private:
  smt::Verdict::Kind kind_;
};

void say(const std::string& of, const Settled& s, const std::string& what) {
  std::cout << "Z3 " << z3_version() << " and cvc5 " << cvc5_version().value_or("") << ", " << each_ms / 1000
            << " s each, of " << of << ": " << show(s, what) << "\n";
}
bool no_cvc5() {
  if (cvc5_version()) return false;
  WARN("there is no cvc5 here (Debian's package cvc5): nothing was asked of two provers");
  return true;
}

}  // namespace

TEST_CASE("of the calculus, both settle most obligations, and contradict each other in none") {
  if (no_cvc5()) return;
  std::vector<proofs::Obligation> all = calculus_obligations(std::make_shared<const Calculus>(standard_calculus()));
  for (proofs::Obligation& o : wrong_statements()) all.push_back(std::move(o));
  all = sample_of(all);
  const Jury jury;
  const auto decided = decide_obligations(all, {}, jury);
  Settled settled;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto& [outcome, seconds] = decided[k];
    const std::string what = all[k].subject + ": " + all[k].claim + ": " + outcome.detail;
    INFO(what);
    if (outcome.asked) settled.add(outcome.by);
    if (all[k].wrong || !outcome.asked || outcome.standing != Standing::Unknown)
      CHECK(as_it_must_be(all[k], outcome));
    else
      std::cout << "neither settles, in " << seconds << " s: " << what << "\n";
  }
  say("the calculus", settled, "obligations");
  CHECK(jury.complaints() == Complaints{});
  CHECK(settled.asked * one_in > 200);
  CHECK(settled.share() >= least_share);
}

TEST_CASE("of the examples, both settle most questions, and refute nothing that the other or normal forms prove") {
  if (no_cvc5()) return;
  std::vector<std::string> files;
  for (const auto& f : std::filesystem::directory_iterator(LOCKSTEP_SOURCE_DIR "/examples"))
    if (f.path().extension() == ".dpia") files.push_back(f.path());
  REQUIRE(files.size() >= 20);
  std::sort(files.begin(), files.end());
  const Jury of_sizes, of_kernels;
  Settled kernels;
  Complaints complaints;
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::vector<std::string> wrong;
  const auto work = [&] {
    for (std::size_t k; (k = next++) < files.size();) {
      std::ifstream in(files[k]);
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      const Calculus calculus = standard_calculus();
      const auto program = test::elaborated(text, calculus);
      if (!program) throw std::runtime_error(files[k] + " is not well typed");
      for (const SizeObligation& o : program->obligations)
        if (o.verdict != lockstep::Verdict::Assumed &&
            of_sizes.ask(size_question(o.facts, o.goal), {each_ms}).kind == smt::Verdict::Refuted) {
          const std::lock_guard lock(mutex);
          wrong.push_back(show(o.goal));
        }
      if (k % one_in > 0) continue;  // of the sizes all are asked: no second's work
      for (const PhraseProgram& e : program->entries)
        for (const auto& m : kernels::program_obligations(kernels::traces_of(e, calculus), each_ms / 2, of_kernels,
                                                          kernels::Asks::Everything)) {
          const std::lock_guard lock(mutex);
          kernels.add(m.settled);
          complaints.insert(m.complaints.begin(), m.complaints.end());
        }
    }
  };
  on_each_processor(work);
  say("the kernels of the examples", kernels, "questions");
  say("their sizes", of_sizes.settled(), "questions");
  CHECK(wrong == std::vector<std::string>{});
  CHECK(complaints == Complaints{});
  CHECK(of_kernels.complaints() == Complaints{});
  CHECK(of_sizes.complaints() == Complaints{});
  CHECK(kernels.asked * one_in > 500);
  CHECK(kernels.share() >= least_share);
  CHECK(of_sizes.settled().asked > 20);
  CHECK(of_sizes.settled().share() >= least_share);
}

TEST_CASE("of the laws that operators claim, and that the examples' strategies ask for, both settle most") {
  if (no_cvc5()) return;
  using namespace rewriting;
  std::vector<LawQuestion> all;
  for (const std::string t : {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64", "bool"})
    for (const std::string f : {"(+)", "(*)", "min", "max", "minimum", "(&)", "(|)", "(^)", "(-)", "(&&)", "(||)"}) {
      const auto e =
          test::elaborated("fun f [n] (z : " + t + ") (xs : [n]" + t + ") : " + t + " = reduce " + f + " z xs");
      if (!e) continue;  // not of that type
      const PhraseRef operation = as<PrimPhrase>(*e->entries.back().body)->arguments[0];
      all.push_back({rewriting::Law::Associative, operation});
      all.push_back({rewriting::Law::Commutative, operation});
    }
  const std::size_t claimed = all.size();
  const std::string examples = LOCKSTEP_SOURCE_DIR "/examples/";
  const auto text_of = [&](const std::string& file) {
    std::ifstream in(examples + file);
    return std::string{std::istreambuf_iterator<char>(in), {}};
  };
  for (const std::string name : {"asum", "dot", "scal"}) {
    const std::string by = "derive/" + name + (name == "dot" ? "_gpu" : "_cpu") + ".strat";
    const LawOracle recorded = [&, oracle = law_oracle()](const LawQuestion& q) {
      all.push_back(q);
      return oracle(q);
    };
    const RuleList rules = all_rules();
    REQUIRE(rewriting::derive(test::entry(text_of(name + ".dpia")), *test::strategy(text_of(by), rules),
                              {test::calculus(), rules, z3_size_solver(), recorded}));
  }
  CHECK(all.size() > claimed + 2);
  all = sample_of(all);
  const Jury jury;
  std::atomic<std::size_t> next = 0;
  on_each_processor([&] {
    for (std::size_t k; (k = next++) < all.size();)
      for (const LawSides& s : sides_of(all[k])) prove_law(s, each_ms, jury);
  });
  say("the laws of operators", jury.settled(), "questions");
  CHECK(jury.complaints() == Complaints{});
  CHECK(jury.settled().asked * one_in > 100);
  CHECK(jury.settled().share() >= least_share);
}

TEST_CASE("a prover that is wrong, an obligation that only one refutes, and normal forms that are wrong are found") {
  Answers answers("");
  const Says yes(smt::Verdict::Proved), no(smt::Verdict::Refuted);
  const auto wrong = wrong_statements();
  REQUIRE(wrong.size() > 20);
  {
    const Jury jury(z3(), yes, answers);
    for (const proofs::Obligation& o : wrong) {
      if (o.group != "strategies") continue;
      const proofs::Outcome found = o.decide(jury);
      CHECK(as_it_must_be(o, found) != found.asked);  // what runs refute is refuted all the same
    }
    CHECK(jury.complaints().contains("a mistaken solver proves it and Z3 refutes it"));
  }
  {
    const Jury jury(z3(), no, answers);
    const auto found = decide_obligations({strategy_obligations().front()}, {}, jury);
    CHECK(found.front().outcome.standing == Standing::Unknown);
    CHECK(jury.complaints() == Complaints{"Z3 proves it and a mistaken solver refutes it"});
    CHECK(jury.settled().share() < least_share);
  }
  const auto complaints = [&](const Solver& solver, kernels::Asks asks) {
    const std::string text = "fun f [n] (xs : [n]i32) : [n]i32 = mapPar (\\x -> x + 1) xs";
    return kernels::program_obligations(kernels::traces_of(test::entry(text), test::calculus()), 500, solver, asks)
        .front()
        .complaints;
  };
  CHECK(complaints(no, kernels::Asks::WhatIsLeft) == Complaints{});
  const Complaints found = complaints(no, kernels::Asks::Everything);
  REQUIRE(!found.empty());
  CHECK(found.begin()->starts_with(
      "normal forms prove what a mistaken solver refutes, by numbers that do not show it: "));
  CHECK(complaints(z3(), kernels::Asks::Everything) == Complaints{});
}

TEST_CASE("a misprint is found, whatever both would answer to it") {
  const Term x = name("x", bits(8)), y = name("y", bits(8)), i = name("i"), a = name("a", floating(32));
  const std::vector<Term> question{make(TermOp::LessSigned, boolean, {x, y}),
                                   less(i, number(-3)),
                                   at_most(number(0), call("f", integer, {i})),
                                   for_all({name("k")}, less(call("f", integer, {name("k")}), name("k"))),
                                   make(TermOp::FloatLess, boolean, {make(TermOp::FloatAdd, floating(32), {a, a}), a}),
                                   equal(make(TermOp::FloatFloor, floating(32), {a}), a)};
  const std::string script = script_of(question);
  CHECK(difference_of_text(question, script).empty());
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"bvslt", "bvult"},
                                                        {"(- 3)", "3"},
                                                        {"(<= 0 (|f:f| |n:i|))", "(< 0 (|f:f| |n:i|))"},
                                                        {"forall", "exists"},
                                                        {"(< (|f:f| |b:k|) |b:k|)", "(< |b:k| (|f:f| |b:k|))"},
                                                        {"fp.add RNE", "fp.add RTZ"},
                                                        {"fp.lt", "fp.leq"},
                                                        {"RTN", "RTP"},
                                                        {"(assert (bvslt |n:x| |n:y|))", ""},
                                                        {"(check-sat)", "(assert false)\n(check-sat)"},
                                                        {"(declare-const |n:i| Int)", ""}}) {
    std::string misprint = script;
    const std::size_t at = misprint.find(from);
    CAPTURE(from);
    REQUIRE(at != std::string::npos);
    misprint.replace(at, from.size(), to);
    CHECK_FALSE(difference_of_text(question, misprint).empty());
  }
  Answers answers("");
  const Jury jury(z3(), z3(), answers, [](const std::vector<Term>& t) {
    std::string text = script_of(t);
    const std::size_t at = text.find("<=");
    return at == std::string::npos ? text : text.replace(at, 2, "<");
  });
  CHECK(jury.ask({{at_most(number(5), i)}, at_most(number(4), i)}, {}).kind == smt::Verdict::Proved);
  REQUIRE(jury.complaints().size() == 1);
  CHECK(jury.complaints().begin()->starts_with("the text "));
}

}  // namespace two_provers_test
