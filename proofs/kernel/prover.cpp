// Obligations as questions to a solver (prover.h). A load is a function of its index for each state of the buffer,
// other operators any functions.
#include "proofs/kernel/prover.h"

#include <algorithm>
#include <charconv>

#include "proofs/kernel/lemmas.h"
#include "proofs/kernel/small.h"
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

  smt::Term integer(const Term& t) {
    const auto any = [&] { return unknown(t, smt::integer); };
    return std::visit(
        Cases{[&](const Const& c) { return smt::number(c.value.integer()); },
              [&](const Var& v) {
                names_.insert(v.name);
                return smt::name(v.name);
              },
              [&](const Arith& a) { return arithmetic(t, a); }, [&](const Load& l) { return loaded(l, smt::integer); },
              [&](const VectorLoad&) { return any(); }, [&](const Apply& a) { return applied(a, smt::integer); },
              [&](const Choose& c) {
                const smt::Term condition = proposition(*c.condition), then = integer(*c.then);
                return smt::choose(condition, then, integer(*c.otherwise));
              },
              [&](const Lane&) { return any(); }, [&](const Build&) { return any(); },
              [&](const Splat&) { return any(); }},
        t.node);
  }

  smt::Term proposition(const Term& t) {
    const auto any = [&] { return unknown(t, smt::boolean); };
    return std::visit(
        Cases{[&](const Const& c) { return smt::truth(c.value.bits != 0); }, [&](const Var&) { return any(); },
              [&](const Arith& a) { return relation(a); }, [&](const Load& l) { return loaded(l, smt::boolean); },
              [&](const VectorLoad&) { return any(); },
              [&](const Apply& a) {
                return relation_of(a) == Relation::None ? applied(a, smt::boolean) : proposition(plain(a));
              },
              [&](const Choose& c) {
                const smt::Term condition = proposition(*c.condition), then = proposition(*c.then);
                return smt::choose(condition, then, proposition(*c.otherwise));
              },
              [&](const Lane&) { return any(); }, [&](const Build&) { return any(); },
              [&](const Splat&) { return any(); }},
        t.node);
  }

 private:
  // A function of the index for each state of a buffer.
  smt::Term loaded(const Load& l, smt::Sort result) {
    const auto& [it, is_new] = states_.try_emplace({l.buffer, result}, states_.size());
    return smt::call("state " + std::to_string(it->second), result, {integer(*l.index)});
  }
  smt::Term unknown(const Term& t, smt::Sort sort) {
    const std::pair key(t, sort);
    const auto it = std::find(unknowns_.begin(), unknowns_.end(), key);
    const auto k = it - unknowns_.begin();
    if (it == unknowns_.end()) unknowns_.push_back(key);
    return smt::call("value " + std::to_string(k), sort, {});
  }
  // Any function of its operands; a float is a number that stands for it.
  smt::Term applied(const Apply& a, smt::Sort result) {
    std::vector<smt::Term> arguments;
    for (const ExprRef& x : a.arguments)
      arguments.push_back(x->type.scalar == ScalarType::Bool ? proposition(*x) : integer(*x));
    const auto& [it, is_new] = operators_.try_emplace(
        {a.primitive->name, a.operand.scalar, a.operand.width, arguments.size(), result}, operators_.size());
    return smt::call("operator " + std::to_string(it->second), result, std::move(arguments));
  }

  smt::Term arithmetic(const Term& t, const Arith& a) {
    const auto both = [&](auto make) {
      const smt::Term x = integer(*a.left);
      return make(x, integer(*a.right));
    };
    switch (a.op) {
      case ArithOp::Add:
        return both(std::plus{});
      case ArithOp::Subtract:
        return both(std::minus{});
      case ArithOp::Multiply:
        return both(std::multiplies{});
      case ArithOp::Divide:
        return both(smt::quotient);
      case ArithOp::Modulo:
        return both(smt::remainder);
      case ArithOp::Less:
      case ArithOp::LessEqual:
      case ArithOp::Equal:
      case ArithOp::And:
        break;
    }
    throw Bug("a proposition as a number: " + print(t));
  }
  smt::Term relation(const Arith& a) {
    const auto both = [&](auto make) {
      const smt::Term x = integer(*a.left);
      return make(x, integer(*a.right));
    };
    switch (a.op) {
      case ArithOp::Less:
        return both(smt::less);
      case ArithOp::LessEqual:
        return both(smt::at_most);
      case ArithOp::Equal: {
        if (a.left->type.scalar != ScalarType::Bool) return both(smt::equal);
        const smt::Term x = proposition(*a.left);
        return smt::equal(x, proposition(*a.right));
      }
      case ArithOp::And:
        return smt::all_of({proposition(*a.left), proposition(*a.right)});
      case ArithOp::Add:
      case ArithOp::Subtract:
      case ArithOp::Multiply:
      case ArithOp::Divide:
      case ArithOp::Modulo:
        break;
    }
    throw Bug("a number as a proposition");
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
    const smt::Term i = reader.integer(named(name));
    q.hypotheses.push_back(smt::within(i, reader.integer(extent)));
  }
  const auto suppose = [&](const Term& t) { q.hypotheses.push_back(reader.proposition(t)); };
  for (const Term& f : known.facts) suppose(f);
  for (const Instantiation& i : instances(known, goal)) suppose(either(negation(i.inside), i.condition));
  if (with_lemmas)
    for (const Term& f : lemmas(known, goal)) suppose(f);
  q.goal = reader.proposition(goal);
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

Prover::Prover(unsigned timeout_ms, const smt::Solver& solver) : timeout_ms_(timeout_ms), solver_(solver) {}

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

Answer Prover::ask(const Known& known, const Term& goal) {
  for (const bool with_lemmas : {false, true}) {
    ++queries_;
    const smt::Question question = question_of(known, goal, with_lemmas);
    const smt::Budget budget{2 * timeout_ms_, (with_lemmas ? 2 : 1) * (timeout_ms_ / 3) * smt::Budget::steps_per_ms};
    const smt::Verdict found = solver_.ask(question, budget);
    const std::string method = solver_.name() + (with_lemmas ? " with lemmas" : "");
    if (found.kind == smt::Verdict::Proved) return {found.kind, method, {}};
    if (found.kind == smt::Verdict::Refuted) {
      const auto model = checked_model(known, goal, question, found);
      return model ? Answer{found.kind, solver_.name(), *model} : Answer{};
    }
  }
  return {};
}

}  // namespace lockstep::proofs::kernels
