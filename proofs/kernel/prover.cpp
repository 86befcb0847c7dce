// Obligations as questions to a solver (prover.h). A load is a function of its index for each state of the buffer,
// other operators any functions.
#include "proofs/kernel/prover.h"

#include <algorithm>
#include <charconv>

#include "proofs/kernel/lemmas.h"
#include "proofs/kernel/small.h"
#include "proofs/sizes/terms.h"
#include "semantics/kernel/print.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::proofs::kernels {
namespace {

using namespace kernel;

constexpr std::size_t most_remembered = 10000;

// What a solver is given a name for is kept here with it, by itself and not by a text; names are numbered, so that no
// two things have one.
class Reader {
 public:
  const std::set<std::string>& names() const { return names_; }

  // Of a float: a number that stands for it.
  smt::Term term(const Term& t, smt::Sort sort) {
    const bool proposition = sort == smt::boolean;
    const auto any = [&] { return unknown(t, sort); };
    return match(
        t.node,
        [&](const Const& c) { return proposition ? smt::truth(c.value.bits != 0) : smt::number(c.value.integer()); },
        [&](const Var& v) {
          if (proposition) return any();
          names_.insert(v.name);
          return smt::name(v.name);
        },
        [&](const Arith& a) {
          const smt::Term x = operand(a, *a.left), out = arithmetic(a.op, x, operand(a, *a.right));
          if (out.sort != sort) throw Bug("a proposition as a number, or a number as one: " + print(t));
          return out;
        },
        [&](const Load& l) {
          const auto& [it, is_new] = states_.try_emplace({l.buffer, sort}, states_.size());
          return smt::call("state " + std::to_string(it->second), sort, {term(*l.index, smt::integer)});
        },
        [&](const VectorLoad&) { return any(); },
        [&](const Apply& a) {
          const auto relation = proposition ? plain(a) : std::nullopt;
          return relation ? term(*relation, sort) : applied(a, sort);
        },
        [&](const Choose& c) {
          const smt::Term condition = term(*c.condition, smt::boolean), then = term(*c.then, sort);
          return smt::choose(condition, then, term(*c.otherwise, sort));
        },
        [&](const Lane&) { return any(); }, [&](const Build&) { return any(); }, [&](const Splat&) { return any(); });
  }

 private:
  static smt::Sort sort_of(const Term& t) { return t.type.scalar == ScalarType::Bool ? smt::boolean : smt::integer; }
  smt::Term operand(const Arith& a, const Term& t) {
    return term(t, a.op == ArithOp::And ? smt::boolean : a.op == ArithOp::Equal ? sort_of(*a.left) : smt::integer);
  }
  smt::Term unknown(const Term& t, smt::Sort sort) {
    const std::pair key(t, sort);
    const auto it = std::find(unknowns_.begin(), unknowns_.end(), key);
    const auto k = it - unknowns_.begin();
    if (it == unknowns_.end()) unknowns_.push_back(key);
    return smt::call("value " + std::to_string(k), sort, {});
  }
  smt::Term applied(const Apply& a, smt::Sort result) {
    std::vector<smt::Term> arguments;
    for (const ExprRef& x : a.arguments) arguments.push_back(term(*x, sort_of(*x)));
    const auto& [it, is_new] = operators_.try_emplace(
        {a.primitive->name, a.operand.scalar, a.operand.width, arguments.size(), result}, operators_.size());
    return smt::call("operator " + std::to_string(it->second), result, std::move(arguments));
  }

  std::set<std::string> names_;
  std::map<std::pair<std::string, smt::Sort>, std::size_t> states_;
  std::vector<std::pair<Term, smt::Sort>> unknowns_;
  std::map<std::tuple<std::string, ScalarType, int, std::size_t, smt::Sort>, std::size_t> operators_;
};

smt::Question question_of(const Known& known, const Term& goal, bool with_lemmas) {
  smt::Question q;
  Reader reader;
  for (const auto& [name, extent] : known.ranges) {
    const smt::Term i = reader.term(named(name), smt::integer);
    q.hypotheses.push_back(smt::within(i, reader.term(extent, smt::integer)));
  }
  const auto suppose = [&](const Term& t) { q.hypotheses.push_back(reader.term(t, smt::boolean)); };
  for (const Term& f : known.facts) suppose(f);
  for (const Instantiation& i : instances(known, goal)) suppose(either(negation(i.inside), i.condition));
  for (const Term& f : of_operators(known, goal)) suppose(f);
  if (with_lemmas)
    for (const Term& f : lemmas(known, goal)) suppose(f);
  q.goal = reader.term(goal, smt::boolean);
  for (const std::string& n : reader.names())
    if (!is_data_name(n)) q.naturals.push_back(n);
  return q;
}

// Whether u holds, whatever inputs hold or at least where all hold a number.
bool may_hold(const Universal& u, const SizeValues& values) {
  std::size_t budget = 10000;
  const auto always = holds_for_all(u, values, budget);
  if (always) return *always;
  return std::any_of(numbers_of_inputs.begin(), numbers_of_inputs.end(),
                     [&](std::int64_t n) { return holds_for_all(u, values, budget, n) == true; });
}

// The model's numbers, where they are a counterexample by evaluation; with data it cannot be told.
std::optional<SizeValues> checked_model(const Known& known, const Term& goal, const smt::Question& q,
                                        const smt::Verdict& found) {
  SizeValues values;
  for (const std::string& name : q.naturals)
    if (const auto it = found.model.find(name); it != found.model.end()) {
      std::int64_t n = 0;
      const auto [end, error] = std::from_chars(it->second.data(), it->second.data() + it->second.size(), n);
      if (error == std::errc() && *end == 0) values[name] = n;
    }
  for (const auto& [name, extent] : known.ranges) values.emplace(name, 0);
  for (const auto& [name, extent] : known.ranges) {
    const auto n = evaluate(extent, values);
    if (!n || values[name] < 0 || values[name] >= *n) return {};
  }
  for (const Term& f : known.facts)
    if (evaluate(f, values) != 1) return {};
  if (evaluate(goal, values) != 0) return {};
  for (const Universal& u : known.universals)
    if (!may_hold(u, values)) return {};
  return values;
}

}  // namespace

Prover::Prover(unsigned timeout_ms, const smt::Solver& solver, Asks asks)
    : timeout_ms_(timeout_ms), asks_(asks), session_(solver.session()), solver_(session_ ? *session_ : solver) {}

Answer Prover::by_solver(const Known& known, const Term& goal) {
  const std::string text = print(goal);
  Question question{known, goal};
  for (const auto& [asked, answer] : seen_[text])
    if (asked == question) return answer;
  Answer answer = ask(known, goal);
  if (++seen_questions_ > most_remembered) seen_.clear(), seen_questions_ = 1;
  seen_[text].emplace_back(std::move(question), answer);
  return answer;
}

void Prover::watch(const Known& known, const Term& goal) {
  if (asks_ != Asks::Everything) return;
  const Answer found = by_solver(known, goal);
  if (!found.denied.empty())
    complaints_.insert("normal forms prove what " + smt::names_of(found.denied) + " refutes" +
                       (found.kind == smt::Verdict::Refuted ? "" : ", by numbers that do not show it") + ": " +
                       print(goal));
}

Answer Prover::ask(const Known& known, const Term& goal) {
  smt::Verdict found;
  Answer out;
  for (const bool with_lemmas : {false, true}) {
    const smt::Question question = question_of(known, goal, with_lemmas);
    const smt::Budget budget{2 * timeout_ms_, (with_lemmas ? 2 : 1) * (timeout_ms_ / 3) * smt::Budget::steps_per_ms};
    found = solver_.ask(question, budget);
    if (!found.reason.empty()) complaints_.insert(found.reason);
    if (found.kind == smt::Verdict::Unknown && found.reason.empty()) continue;
    out.kind = found.kind;
    if (found.kind == smt::Verdict::Proved) out.method = Method::of(found.by, with_lemmas);
    if (found.kind == smt::Verdict::Refuted) {
      const auto model = checked_model(known, goal, question, found);
      out = {model ? found.kind : smt::Verdict::Unknown, {}, model.value_or(SizeValues{}), found.by};
    }
    break;
  }
  settled_.add(found);
  return out;
}

}  // namespace lockstep::proofs::kernels
