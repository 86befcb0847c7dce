// What is the same for every solver: the assertions of a question, and small counterexamples.
#include "proofs/smt/solver.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "semantics/core/diagnostic.h"

namespace lockstep::proofs::smt {
namespace {

// What cannot all hold where the goal follows: hypotheses, the goal's opposite, naturals, and divisions of Int by their
// definition, since solvers are weak on div under symbolic divisors: x / b is a q with b*q <= x < b*q + b where b >= 1,
// the same q for the same x and b.
class Assertions {
 public:
  explicit Assertions(const Question& q) : naturals_(q.naturals) {
    for (const Term& h : q.hypotheses) add(h);
    add(make(TermOp::Not, boolean, {q.goal}));
  }
  std::vector<Term> all() && {
    all_.insert(all_.end(), definitions_.begin(), definitions_.end());
    const auto spoken = names_in(all_);
    for (const std::string& n : naturals_)
      if (spoken.contains(n)) all_.push_back(at_most(number(0), name(n)));
    return std::move(all_);
  }

 private:
  void add(const Term& t) { all_.push_back(without_divisions(t, false)); }
  Term without_divisions(const Term& t, bool quantified) {
    if (!t.arguments) return t;
    std::vector<Term> arguments;
    bool same = true;
    for (const Term& a : *t.arguments) {
      arguments.push_back(without_divisions(a, quantified || t.op == TermOp::ForAll));
      same = same && arguments.back().arguments == a.arguments && arguments.back().op == a.op;
    }
    if (t.op == TermOp::Divide || t.op == TermOp::Modulo) {
      if (quantified) throw Bug("a quotient under a quantifier");
      const Term &x = arguments[0], &b = arguments[1], q = quotient_of(x, b);
      return t.op == TermOp::Divide ? q : x - b * q;
    }
    if (same) return t;
    Term out = t;
    out.arguments = std::make_shared<const std::vector<Term>>(std::move(arguments));
    return out;
  }
  // A constant that is no name: whatever names there are, it is none of them.
  Term quotient_of(const Term& x, const Term& b) {
    const auto [it, is_new] =
        quotients_.try_emplace(std::pair(x, b), call("/" + std::to_string(quotients_.size()), integer, {}));
    const Term q = it->second, positive = at_most(number(1), b);
    if (is_new) {
      definitions_.push_back(implies(positive, all_of({at_most(b * q, x), less(x, b * q + b)})));
      definitions_.push_back(
          implies(all_of({positive, at_most(number(0), x)}), all_of({at_most(number(0), q), at_most(q, x)})));
    }
    return q;
  }

  const std::vector<std::string>& naturals_;
  std::map<std::pair<Term, Term>, Term> quotients_;
  std::vector<Term> all_, definitions_;
};

std::map<std::string, Term> names_in(const Question& q) {
  std::vector<Term> terms = q.hypotheses;
  terms.push_back(q.goal);
  return names_in(terms);
}

bool next(std::vector<std::int64_t>& values, std::int64_t largest) {
  for (std::size_t k = values.size(); k-- > 0;) {
    if (++values[k] <= largest) return true;
    values[k] = 0;
  }
  return false;
}

}  // namespace

std::vector<Term> assertions_of(const Question& question) { return Assertions(question).all(); }

Verdict Solver::ask(const Question& question, const Budget& budget) const {
  const auto start = std::chrono::steady_clock::now();
  Verdict out = answer(assertions_of(question), budget);
  if (out.kind != Verdict::Unknown && out.by.empty()) out.by = {name()};
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

std::string names_of(const std::vector<std::string>& solvers, std::string_view between) {
  std::string out;
  for (const std::string& s : solvers) out += (out.empty() ? "" : std::string(between)) + s;
  return out;
}

Verdict decide(const Solver& solver, const Question& question, unsigned timeout_ms) {
  Verdict whole = solver.ask(question, {timeout_ms});
  // What is wrong with the solvers is not lost in what they say of smaller ones.
  if (whole.kind == Verdict::Proved || !whole.reason.empty() || question.naturals.empty()) return whole;
  for (std::int64_t largest = 0; largest <= 3; ++largest) {  // solvers' own models are not small
    std::vector<std::int64_t> values(question.naturals.size(), 0);
    do {
      if (*std::max_element(values.begin(), values.end()) != largest) continue;
      Question small = question;
      for (std::size_t k = 0; k < values.size(); ++k)
        small.hypotheses.push_back(equal(name(question.naturals[k]), number(values[k])));
      Verdict found = solver.ask(small, {1000});
      if (!found.reason.empty()) whole.reason = found.reason;
      if (found.kind != Verdict::Refuted) continue;
      for (const auto& [name, n] : names_in(small))
        if (n.sort == integer) small.hypotheses.push_back(within(n, number(4)));
      const Verdict smaller = solver.ask(small, {1000});
      return smaller.kind == Verdict::Refuted ? smaller : found;
    } while (next(values, largest));
  }
  return whole;
}

// Elements and stores say nothing to a reader, and a natural that is not spoken of does not.
std::string show_model(const Question& question, const Verdict& verdict) {
  std::map<std::string, Term> spoken = names_in(question);
  std::string naturals, others;
  const auto add = [&](std::string& out, const std::string& name) {
    if (const auto it = verdict.model.find(name); it != verdict.model.end() && spoken.erase(name))
      out += (out.empty() ? "" : ", ") + name + " = " + it->second;
  };
  for (const std::string& n : question.naturals) add(naturals, n);
  for (const auto& [name, value] : verdict.model)
    if (!name.starts_with("rest")) add(others, name);  // of a path, below the elements
  return naturals + (naturals.empty() || others.empty() ? "" : "; ") + others;
}

}  // namespace lockstep::proofs::smt
