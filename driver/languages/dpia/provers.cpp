// Which solvers there are, and what is said of them. In: options; out: a solver, a line, JSON.
#include "driver/languages/dpia/provers.h"

#include <nlohmann/json.hpp>

namespace lockstep::driver {

using namespace proofs::smt;

Provers::Provers(const Options& options) : solver_(&z3()) {
  const std::string& asked = options.solver;
  if (asked == "z3") return;
  if (!asked.empty() && asked != "cvc5" && asked != "both")
    fail(invalid, "there is no solver " + asked, "the solvers are z3, cvc5 and both");
  absent_ = !cvc5_version();
  if (absent_ && !asked.empty())
    fail(machine, "cvc5 cannot run here: no program of that name is found and gives its version",
         "it is in Debian's package cvc5");
  if (absent_) return;
  two_ = asked != "cvc5";
  if (asked == "both") asks_ = proofs::kernels::Asks::Everything;
  solver_ = two_ ? static_cast<const Solver*>(&both_) : &cvc5();
}

std::string Provers::said_of(const Settled& settled, const std::string& what) const {
  const std::string first = "Z3 " + z3_version(), second = "cvc5 " + cvc5_version().value_or("");
  if (!two_)
    return (solver_ == &z3() ? first : second) + " alone was asked" +
           (absent_ ? ": there is no cvc5 here, which is in Debian's package cvc5" : "") + "\n";
  const std::size_t kept = kept_answers().found();
  return first + " and " + second + ": " + show(settled, what) +
         (kept > 0 ? "; " + show_count(kept, "answer") + " known from before" : "") + "\n";
}

Json Provers::json_of(const Settled& settled) const {
  Json asked = Json::object();
  if (two_ || solver_ == &z3()) asked["Z3"] = z3_version();
  if (two_ || solver_ != &z3()) asked["cvc5"] = cvc5_version().value_or("");
  Json out{{"asked", std::move(asked)}};
  if (!two_) return out;
  Json alone = Json::object();
  for (const auto& [name, n] : settled.by_one) alone[name] = n;
  out["questions"] = settled.asked;
  out["settled_by_both"] = settled.by_both;
  out["settled_by_one"] = std::move(alone);
  out["settled_by_neither"] = settled.by_neither;
  out["share_of_both"] = settled.share();
  out["known_from_before"] = kept_answers().found();
  return out;
}

const Solver& provers_in_turn() {
  static const Within soon(cvc5(), Provers::cvc5_ms);
  static const Kept second(soon);
  static const InTurn both(z3(), second);
  return both;
}

}  // namespace lockstep::driver
