// Who is asked by `prove`: of --solver, or both where both are there. What they are asked again is remembered.
#pragma once
#include "driver/options.h"
#include "driver/report.h"
#include "proofs/kernel/obligations.h"
#include "proofs/smt/answers.h"

namespace lockstep::driver {

class Provers {
 public:
  static constexpr unsigned cvc5_ms = 2000;  // of a question

  // A Failure with status 2 where there is none of that name, and 4 where it cannot run here.
  explicit Provers(const Options& options);
  Provers(const Provers&) = delete;
  Provers& operator=(const Provers&) = delete;
  const proofs::smt::Solver& solver() const { return *solver_; }
  // Where both are asked for they watch over normal forms too, which takes longer.
  proofs::kernels::Asks asks() const { return asks_; }
  // A line: who was asked, and the share that both settle.
  std::string said_of(const proofs::smt::Settled& settled, const std::string& what) const;
  Json json_of(const proofs::smt::Settled& settled) const;

 private:
  bool first_ = true, second_ = false, absent_ = false;  // who is asked; that there is no cvc5
  proofs::kernels::Asks asks_ = proofs::kernels::Asks::WhatIsLeft;
  proofs::smt::Kept z3_{proofs::smt::z3()};
  proofs::smt::Kept kept_cvc5_{proofs::smt::cvc5()};
  proofs::smt::Within cvc5_{kept_cvc5_, cvc5_ms};
  proofs::smt::Both both_{z3_, cvc5_};
  const proofs::smt::Solver* solver_;
};

// Z3, and cvc5 for what it leaves, where there is one. Of `verify`.
const proofs::smt::Solver& provers_in_turn();

}  // namespace lockstep::driver
