// Which solvers there are, and what is said of them. In: options; out: a solver, a line, JSON.
#include "driver/kernels/provers.h"

#include <nlohmann/json.hpp>

namespace lockstep::driver {

using namespace proofs::smt;

Provers::Provers(const Options& options) : solver_(&z3_) {
  const std::string& asked = options.solver;
  if (asked == "z3") return;
  if (!asked.empty() && asked != "cvc5" && asked != "both")
    fail(invalid, "there is no solver " + asked, "the solvers are z3, cvc5 and both");
  absent_ = !cvc5_version();
  if (absent_ && !asked.empty())
    fail(machine, "cvc5 cannot run here: no program of that name is found and gives its version",
         "it is in Debian's package cvc5");
  if (absent_) return;
  first_ = asked != "cvc5", second_ = true;
  if (asked == "both") asks_ = proofs::kernels::Asks::Everything;
  solver_ = first_ ? static_cast<const Solver*>(&both_) : &cvc5_;
}

std::string Provers::said_of(const Settled& settled, const std::string& what) const {
  const std::string first = "Z3 " + z3_version(), second = "cvc5 " + cvc5_version().value_or("");
  const std::size_t kept = kept_answers().found();
  const std::string known = kept > 0 ? "; " + show_count(kept, "answer") + " known from before" : "";
  if (first_ && second_) return first + " and " + second + ": " + show(settled, what) + known + "\n";
  return (first_ ? first : second) + " alone was asked" +
         (absent_ ? ": there is no cvc5 here, which is in Debian's package cvc5" : "") + known + "\n";
}

Json Provers::json_of(const Settled& settled) const {
  Json asked = Json::object();
  if (first_) asked["Z3"] = z3_version();
  if (second_) asked["cvc5"] = cvc5_version().value_or("");
  Json out{{"asked", std::move(asked)}, {"known_from_before", kept_answers().found()}};
  if (!first_ || !second_) return out;
  Json alone = Json::object();
  for (const auto& [name, n] : settled.by_one) alone[name] = n;
  out["questions"] = settled.asked;
  out["settled_by_both"] = settled.by_both;
  out["settled_by_one"] = std::move(alone);
  out["settled_by_neither"] = settled.by_neither;
  if (settled.asked > 0) out["share_of_both"] = settled.share();
  return out;
}

const Solver& provers_in_turn() {
  if (!cvc5_version()) return z3();
  static const Kept kept(cvc5());
  static const Within second(kept, Provers::cvc5_ms);
  static const InTurn both(z3(), second);
  return both;
}

}  // namespace lockstep::driver
