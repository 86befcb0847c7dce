// Decides obligations about terms: normal forms of sizes first, then a solver under limits of time and memory. What it
// does not decide is unknown, and a refutation counts only where its model is checked by evaluation.
#pragma once
#include <unordered_map>

#include "proofs/kernel/accesses.h"
#include "proofs/kernel/method.h"
#include "proofs/smt/both.h"

namespace lockstep::proofs::kernels {

// What holds somewhere. Names that are not of data are natural.
struct Known {
  std::vector<std::pair<std::string, Term>> ranges;  // 0 <= name < extent
  std::vector<Term> facts;
  std::vector<Universal> universals;
  friend bool operator==(const Known&, const Known&) = default;
};
Known known_at(const Accesses& a, const Situation& s);
// Of that what has no data: to a goal without data normal forms add nothing from the rest.
Known known_of_sizes(const Accesses& a, const Situation& s);
// With the names changed that stand for something else in another iteration.
Known rename(const Known& k, const std::function<std::string(const std::string&)>& f);
Known joined(Known a, const Known& b);

bool follows(const Known& known, const Term& goal);  // by normal forms

struct Answer {
  smt::Verdict::Kind kind = smt::Verdict::Unknown;
  Method method{};
  SizeValues model;  // of sizes and loop variables, where refuted
  // Solvers that refute it, be their model checked or not.
  std::vector<std::string> denied{};
  bool proved() const { return kind == smt::Verdict::Proved; }
};

// What a solver is asked: what normal forms leave; or what they prove too, so that each watches over the other.
enum class Asks { WhatIsLeft, Everything };

class Prover {
 public:
  explicit Prover(unsigned timeout_ms = 1000, const smt::Solver& solver = smt::z3(), Asks asks = Asks::WhatIsLeft);
  Answer prove(const Known& known, const Term& goal);
  Answer prove_at(const Accesses& a, const Situation& s, const Term& goal);  // with known_at
  // [x, x + wx) and [y, y + wy) do not meet.
  Answer prove_apart(const Known& known, const Term& x, int wx, const Term& y, int wy);
  bool by_normalisation(const Known& known, const Term& goal);
  Answer by_solver(const Known& known, const Term& goal);
  const std::set<std::string>& complaints() const { return complaints_; }  // of what went wrong with it
  smt::Settled take_settled() { return std::exchange(settled_, {}); }      // of what it was asked since

 private:
  bool apart_by_digits(const Known& known, const Size& x, int wx, const Size& y, int wy) const;
  bool apart_by_normalisation(const Known& known, const Size& x, int wx, const Size& y, int wy, int splits) const;

  using Question = std::pair<Known, Term>;  // all that an answer follows from
  Answer ask(const Known& known, const Term& goal);
  void watch(const Known& known, const Term& goal);  // what normal forms prove

  unsigned timeout_ms_;
  Asks asks_;
  smt::Settled settled_;
  std::unique_ptr<smt::Solver> session_;
  const smt::Solver& solver_;
  std::set<std::string> complaints_;
  // The pipelines share most of their questions. Found by the goal's text, told apart by themselves.
  std::unordered_map<std::string, std::vector<std::pair<Question, Answer>>> seen_;
  std::size_t seen_questions_ = 0;
};

// The coefficient of `name` in s where it is linear there and in no division; nothing otherwise.
std::optional<Size> coefficient_of(const Size& s, const std::string& name);
// While j goes from 0 to before n, (x + j) % n goes through the same numbers, whatever x is: where j stands in the
// index there alone, j itself in its place; otherwise the index as it is.
Size turned_back(const Size& index, const std::string& j, const Size& n);
// The size form of a term without data.
std::optional<Size> natural_size(const Term& a);

}  // namespace lockstep::proofs::kernels
