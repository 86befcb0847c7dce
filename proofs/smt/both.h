// Two solvers as one, and what is counted of them. What one proves and the other refutes is unknown, with that reason.
#pragma once
#include "proofs/smt/solver.h"

namespace lockstep::proofs::smt {

// Asks both, whatever the first says.
class Both : public Solver {
 public:
  Both(const Solver& a, const Solver& b) : a_(a), b_(b) {}
  std::string name() const override { return a_.name() + " and " + b_.name(); }
  std::string version() const override { return a_.version() + " and " + b_.version(); }
  Verdict answer(const std::vector<Term>& assertions, const Budget& budget) const override;

 private:
  const Solver &a_, &b_;
};

// The second for what the first leaves. Where the second cannot answer it is the first alone.
class InTurn : public Solver {
 public:
  InTurn(const Solver& a, const Solver& b) : a_(a), b_(b) {}
  std::string name() const override { return a_.name() + " or " + b_.name(); }
  std::string version() const override { return a_.version() + " or " + b_.version(); }
  Verdict answer(const std::vector<Term>& assertions, const Budget& budget) const override;
  std::unique_ptr<Solver> session() const override;

 private:
  const Solver &a_, &b_;
};

// The same solver, with no more time than that for a question.
class Within : public Solver {
 public:
  Within(const Solver& solver, unsigned ms) : solver_(solver), ms_(ms) {}
  std::string name() const override { return solver_.name(); }
  std::string version() const override { return solver_.version(); }
  Verdict answer(const std::vector<Term>& assertions, const Budget& budget) const override;

 private:
  const Solver& solver_;
  unsigned ms_;
};

// Of what was asked of two: who settled it, which is to prove it or to refute it.
struct Settled {
  std::size_t asked = 0, by_both = 0, by_neither = 0;
  std::map<std::string, std::size_t> by_one{};  // which
  void add(const Verdict& v) { add(v.by); }
  void add(const std::vector<std::string>& by);
  void add(const Settled& more);
  double share() const { return asked == 0 ? 1 : static_cast<double>(by_both) / static_cast<double>(asked); }
};
// "both settle 187 of 196 obligations (95%), Z3 alone 7, neither 2".
std::string show(const Settled& s, const std::string& what);

}  // namespace lockstep::proofs::smt
