// Two solvers as one. In: two verdicts; out: one.
#include "proofs/smt/both.h"

#include <algorithm>

namespace lockstep::proofs::smt {
namespace {

void signed_by(Verdict& v, const Solver& s) {
  if (v.kind != Verdict::Unknown && v.by.empty()) v.by = {s.name()};
}

}  // namespace

Verdict Both::answer(const std::vector<Term>& assertions, const Budget& budget) const {
  Verdict a = a_.answer(assertions, budget), b = b_.answer(assertions, budget);
  signed_by(a, a_), signed_by(b, b_);
  if (a.kind == b.kind && a.kind != Verdict::Unknown) a.by.insert(a.by.end(), b.by.begin(), b.by.end());
  if (a.kind == Verdict::Unknown || b.kind == Verdict::Unknown || a.kind == b.kind) {
    Verdict& out = a.kind == Verdict::Unknown ? b : a;
    out.reason = a.reason.empty() ? b.reason : a.reason;
    return out;
  }
  const Solver &yes = a.kind == Verdict::Proved ? a_ : b_, &no = a.kind == Verdict::Proved ? b_ : a_;
  return {Verdict::Unknown, {}, yes.name() + " proves it and " + no.name() + " refutes it"};
}

Verdict InTurn::answer(const std::vector<Term>& assertions, const Budget& budget) const {
  Verdict a = a_.answer(assertions, budget);
  signed_by(a, a_);
  if (a.kind != Verdict::Unknown || !a.reason.empty()) return a;
  Verdict b = b_.answer(assertions, budget);
  if (!b.reason.empty()) return a;
  signed_by(b, b_);
  return b;
}

namespace {
class TurnsOfSession : public InTurn {
 public:
  TurnsOfSession(std::unique_ptr<Solver> a, const Solver& b) : InTurn(*a, b), own_(std::move(a)) {}

 private:
  std::unique_ptr<Solver> own_;
};
}  // namespace

std::unique_ptr<Solver> InTurn::session() const {
  auto own = a_.session();
  return own ? std::make_unique<TurnsOfSession>(std::move(own), b_) : nullptr;
}

Verdict Within::answer(const std::vector<Term>& assertions, const Budget& budget) const {
  const Budget most{ms_};
  return solver_.answer(assertions,
                        {std::min(budget.milliseconds, most.milliseconds), std::min(budget.steps, most.steps)});
}

void Settled::add(const std::vector<std::string>& by) {
  ++asked;
  if (by.empty())
    ++by_neither;
  else if (by.size() == 1)
    ++by_one[by.front()];
  else
    ++by_both;
}

void Settled::add(const Settled& more) {
  asked += more.asked, by_both += more.by_both, by_neither += more.by_neither;
  for (const auto& [name, n] : more.by_one) by_one[name] += n;
}

std::string show(const Settled& s, const std::string& what) {
  if (s.asked == 0) return "nothing was left to ask of them";
  std::string out = "both settle " + std::to_string(s.by_both) + " of " + std::to_string(s.asked) + " " + what + " (" +
                    std::to_string(static_cast<int>(100 * s.share())) + "%)";
  for (const auto& [name, n] : s.by_one) out += ", " + name + " alone " + std::to_string(n);
  return s.by_neither > 0 ? out + ", neither " + std::to_string(s.by_neither) : out;
}

}  // namespace lockstep::proofs::smt
