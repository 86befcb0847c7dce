// Asking a solver. One question, one verdict, whichever solver answers: Z3 in this process, or the program cvc5.
#pragma once
#include <memory>
#include <optional>

#include "proofs/smt/term.h"

namespace lockstep::proofs::smt {

// Whether the goal follows from the hypotheses, for all values of the names; `naturals` are at least 0.
struct Question {
  std::vector<Term> hypotheses;
  Term goal = truth(true);
  std::vector<std::string> naturals{};
};

// Steps are Z3's, the same on every machine and under any load; time is of the processor, for what a step takes long.
// cvc5 has no steps.
struct Budget {
  static constexpr unsigned steps_per_ms = 3000;  // on a machine of 2020
  unsigned milliseconds = 10000;
  unsigned steps = milliseconds * steps_per_ms;
};

struct Verdict {
  enum Kind { Proved, Refuted, Unknown } kind = Unknown;
  std::map<std::string, std::string> model{};  // the free names' numbers and truths, where refuted
  std::string reason{};                        // what went wrong, with one solver where another settles it
  double seconds = 0;
  std::vector<std::string> by{};  // which solvers say so; nothing where unknown
  bool by_chance = false;         // unknown by what may be otherwise the next time: memory, what else runs
};

// Any thread may ask it.
class Solver {
 public:
  virtual ~Solver() = default;
  virtual std::string name() const = 0;               // "Z3", for people
  virtual std::string version() const { return ""; }  // "4.8.12": another may answer otherwise
  Verdict ask(const Question& question, const Budget& budget) const;
  // Proved where they cannot all hold; no division of Int is in them.
  virtual Verdict answer(const std::vector<Term>& assertions, const Budget& budget) const = 0;
  // The same for many questions of one thread, where that is faster: answers may then hang on those before.
  virtual std::unique_ptr<Solver> session() const { return nullptr; }
};
const Solver& z3();
const Solver& cvc5();
// "4.8.12"; of cvc5 nothing where there is no such program.
std::string z3_version();
std::optional<std::string> cvc5_version();
// What cannot all hold where the goal follows, without divisions of Int: what a solver is given.
std::vector<Term> assertions_of(const Question& question);

// The question, and where it is not proved the same at small naturals, for a counterexample to show.
Verdict decide(const Solver& solver, const Question& question, unsigned timeout_ms = 10000);
// "Z3 and cvc5": who say so.
std::string names_of(const std::vector<std::string>& solvers, std::string_view between = " and ");
// "k = 1, m = 2; i = 1": the question's naturals first.
std::string show_model(const Question& question, const Verdict& verdict);

// The numbers that terms without free names are, by Z3: bits, of a float its IEEE bits, of a NaN nothing.
std::vector<std::optional<std::uint64_t>> numbers_of(const std::vector<Term>& terms);

}  // namespace lockstep::proofs::smt
