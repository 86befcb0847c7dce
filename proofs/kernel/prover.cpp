// Obligations to Z3 (prover.h). A division is a quotient by its definition, a load a function of its index for
// each state of the buffer, other operators any functions.
#include "proofs/kernel/prover.h"

#include "proofs/smt/z3_limits.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>

#include "proofs/kernel/lemmas.h"
#include "proofs/kernel/small.h"
#include "semantics/kernel/print.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::program_proofs {
namespace {

using namespace kernel;

constexpr unsigned steps_per_ms = 3000;  // of Z3's count, on a machine of 2020
constexpr std::size_t most_remembered = 10000;

// Interrupts a query that takes more of the processor's time: what else runs on the machine decides nothing.
class Watch {
 public:
  Watch(z3::context& context, unsigned ms) : limit_(milliseconds_of_query() + ms) {
    thread_ = std::thread([this, &context] {
      std::unique_lock lock(mutex_);
      for (;;) {
        const std::int64_t used = milliseconds_of_query();
        if (used >= limit_) return context.interrupt();
        if (over_.wait_for(lock, std::chrono::milliseconds(limit_ - used), [this] { return done_; })) return;
      }
    });
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    over_.notify_one();
    thread_.join();
  }

 private:
  std::int64_t milliseconds_of_query() const {
    timespec t{};
    if (clock_gettime(clock_, &t) != 0) return 0;
    return std::int64_t{t.tv_sec} * 1000 + t.tv_nsec / 1'000'000;
  }

  const clockid_t clock_ = [] {  // of the thread that asks
    clockid_t c = CLOCK_MONOTONIC;
    return pthread_getcpuclockid(pthread_self(), &c) == 0 ? c : CLOCK_MONOTONIC;
  }();
  const std::int64_t limit_;
  std::mutex mutex_;
  std::condition_variable over_;
  bool done_ = false;
  std::thread thread_;
};

// Whatever Z3 is given a name for is kept here with it, by itself and not by a text; names are numbered, so that no two
// things have one.
class Encoder {
 public:
  Encoder(z3::context& context, z3::solver& solver) : context_(context), solver_(solver) {}

  const std::map<std::string, z3::expr>& names() const { return names_; }

  z3::expr integer(const Term& t) {
    return std::visit(
        Cases{[&](const Const& c) { return context_.int_val(c.value.integer()); },
              [&](const Var& v) { return number_called(v.name); }, [&](const Arith& a) { return arithmetic(t, a); },
              [&](const Load& l) { return loaded(l, context_.int_sort()); },
              [&](const VectorLoad&) { return unknown(t, context_.int_sort()); },
              [&](const Apply& a) { return applied(a, context_.int_sort()); },
              [&](const Choose& c) {
                const z3::expr condition = proposition(*c.condition), then = integer(*c.then);
                return z3::ite(condition, then, integer(*c.otherwise));
              },
              [&](const Lane&) { return unknown(t, context_.int_sort()); },
              [&](const Build&) { return unknown(t, context_.int_sort()); },
              [&](const Splat&) { return unknown(t, context_.int_sort()); }},
        t.node);
  }

  z3::expr proposition(const Term& t) {
    const auto any = [&] { return unknown(t, context_.bool_sort()); };
    return std::visit(
        Cases{[&](const Const& c) { return context_.bool_val(c.value.bits != 0); }, [&](const Var&) { return any(); },
              [&](const Arith& a) { return relation(a); },
              [&](const Load& l) { return loaded(l, context_.bool_sort()); }, [&](const VectorLoad&) { return any(); },
              [&](const Apply& a) {
                return relation_of(a) == Relation::None ? applied(a, context_.bool_sort()) : proposition(plain(a));
              },
              [&](const Choose& c) {
                const z3::expr condition = proposition(*c.condition), then = proposition(*c.then);
                return z3::ite(condition, then, proposition(*c.otherwise));
              },
              [&](const Lane&) { return any(); }, [&](const Build&) { return any(); },
              [&](const Splat&) { return any(); }},
        t.node);
  }

 private:
  std::string numbered(const std::string& kind) { return kind + std::to_string(count_++); }

  z3::expr number_called(const std::string& name) {
    if (const auto it = names_.find(name); it != names_.end()) return it->second;
    const z3::expr x = context_.int_const(numbered("name ").c_str());
    names_.emplace(name, x);
    if (!is_data_name(name)) solver_.add(x >= 0);
    return x;
  }

  // A function of the index for each state of a buffer.
  z3::expr loaded(const Load& l, const z3::sort& result) {
    const auto key = std::pair(l.buffer, result.is_bool());
    auto it = states_.find(key);
    if (it == states_.end()) {
      const std::string name = numbered("state ");
      it = states_.emplace(key, context_.function(name.c_str(), context_.int_sort(), result)).first;
    }
    return it->second(integer(*l.index));
  }

  z3::expr unknown(const Term& t, const z3::sort& sort) {
    for (const auto& [known, x] : unknowns_)
      if (known == t && x.is_bool() == sort.is_bool()) return x;
    return unknowns_.emplace_back(t, context_.constant(numbered("value ").c_str(), sort)).second;
  }

  // Any function of its operands; a float is a number that stands for it.
  z3::expr applied(const Apply& a, const z3::sort& result) {
    z3::expr_vector arguments(context_);
    z3::sort_vector sorts(context_);
    for (const ExprRef& x : a.arguments) {
      const bool boolean = x->type.scalar == ScalarType::Bool;
      arguments.push_back(boolean ? proposition(*x) : integer(*x));
      sorts.push_back(boolean ? context_.bool_sort() : context_.int_sort());
    }
    const auto key =
        std::tuple(a.primitive->name, a.operand.scalar, a.operand.width, arguments.size(), result.is_bool());
    auto it = operators_.find(key);
    if (it == operators_.end()) {
      const std::string name = numbered("operator ");
      it = operators_.emplace(key, context_.function(name.c_str(), sorts, result)).first;
    }
    return it->second(arguments);
  }

  // b*q <= x < b*q + b
  z3::expr quotient(const Term& x, const Term& b) {
    for (const Quotient& q : quotients_)
      if (q.dividend == x && q.divisor == b) return q.value;
    const z3::expr q = context_.int_const(numbered("quotient ").c_str());
    quotients_.push_back({x, b, q});
    const z3::expr n = integer(x), d = integer(b);
    solver_.add(z3::implies(d >= 1, d * q <= n && n < d * q + d));
    solver_.add(z3::implies(d >= 1 && n >= 0, q >= 0 && q <= n));
    return q;
  }

  z3::expr arithmetic(const Term& t, const Arith& a) {
    switch (a.op) {
      case ArithOp::Add: {
        const z3::expr x = integer(*a.left);
        return x + integer(*a.right);
      }
      case ArithOp::Subtract: {
        const z3::expr x = integer(*a.left);
        return x - integer(*a.right);
      }
      case ArithOp::Multiply: {
        const z3::expr x = integer(*a.left);
        return x * integer(*a.right);
      }
      case ArithOp::Divide:
        return quotient(*a.left, *a.right);
      case ArithOp::Modulo: {
        const z3::expr x = integer(*a.left), b = integer(*a.right);
        return x - b * quotient(*a.left, *a.right);
      }
      case ArithOp::Less:
      case ArithOp::LessEqual:
      case ArithOp::Equal:
      case ArithOp::And:
        break;
    }
    throw Bug("a proposition as a number: " + print(t));
  }

  z3::expr relation(const Arith& a) {
    const auto boolean = [&] { return a.left->type.scalar == ScalarType::Bool; };
    switch (a.op) {
      case ArithOp::Less: {
        const z3::expr x = integer(*a.left);
        return x < integer(*a.right);
      }
      case ArithOp::LessEqual: {
        const z3::expr x = integer(*a.left);
        return x <= integer(*a.right);
      }
      case ArithOp::Equal: {
        const z3::expr x = boolean() ? proposition(*a.left) : integer(*a.left);
        return x == (boolean() ? proposition(*a.right) : integer(*a.right));
      }
      case ArithOp::And:
        return proposition(*a.left) && proposition(*a.right);
      case ArithOp::Add:
      case ArithOp::Subtract:
      case ArithOp::Multiply:
      case ArithOp::Divide:
      case ArithOp::Modulo:
        break;
    }
    throw Bug("a number as a proposition");
  }

  struct Quotient {
    Term dividend, divisor;
    z3::expr value;
  };
  z3::context& context_;
  z3::solver& solver_;
  std::size_t count_ = 0;
  std::map<std::string, z3::expr> names_;
  std::map<std::pair<std::string, bool>, z3::func_decl> states_;
  std::vector<std::pair<Term, z3::expr>> unknowns_;
  std::map<std::tuple<std::string, ScalarType, int, unsigned, bool>, z3::func_decl> operators_;
  std::vector<Quotient> quotients_;
};

// Whether u holds, whatever inputs hold or at least where all hold a number.
bool may_hold(const Universal& u, const SizeValues& values) {
  std::size_t budget = 10000;
  const auto always = holds_for_all(u, values, budget);
  if (always) return *always;
  return std::any_of(numbers_of_inputs.begin(), numbers_of_inputs.end(),
                     [&](std::int64_t n) { return holds_for_all(u, values, budget, n) == true; });
}

// The model's numbers, where they are a counterexample by evaluation; with data it cannot be told.
std::optional<SizeValues> checked_model(const Known& known, const Term& goal, const z3::model& m,
                                        const std::map<std::string, z3::expr>& names) {
  SizeValues values;
  for (const auto& [name, x] : names) {
    const z3::func_decl d = x.decl();
    if (is_data_name(name) || !m.has_interp(d)) continue;
    std::int64_t n = 0;
    const z3::expr v = m.get_const_interp(d);
    if (v.is_int() && v.is_numeral_i64(n)) values[name] = n;
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

struct Prover::Session {
  z3::context context;
};
Prover::Prover(unsigned timeout_ms) : timeout_ms_(timeout_ms), session_(std::make_unique<Session>()) {}
Prover::~Prover() = default;

Answer Prover::by_z3(const Known& known, const Term& goal) {
  const std::string text = print(goal);
  Question question{known, goal};
  for (const auto& [asked, answer] : seen_[text])
    if (asked == question) return answer;
  Answer answer = ask_z3(known, goal);
  if (++seen_questions_ > most_remembered) seen_.clear(), seen_questions_ = 1;
  seen_[text].emplace_back(std::move(question), answer);
  return answer;
}

Answer Prover::ask_z3(const Known& known, const Term& goal) {
  Answer answer;
  for (const bool with_lemmas : {false, true}) {
    ++queries_;
    try {
      z3::context& context = session_->context;
      // A thread of ours watches the clock besides.
      z3::solver solver = limited_solver(context, (with_lemmas ? 2 : 1) * (timeout_ms_ / 3) * steps_per_ms, 512U);
      Encoder encoder(context, solver);
      for (const auto& [name, extent] : known.ranges) {
        const z3::expr i = encoder.integer(named(name));
        solver.add(i >= 0 && i < encoder.integer(extent));
      }
      for (const Term& f : known.facts) solver.add(encoder.proposition(f));
      for (const Instantiation& i : instances(known, goal))
        solver.add(encoder.proposition(either(negation(i.inside), i.condition)));
      if (with_lemmas)
        for (const Term& f : lemmas(known, goal)) solver.add(encoder.proposition(f));
      solver.add(!encoder.proposition(goal));
      const z3::check_result result = [&] {
        // Steps are what ends most of them; on products of sizes a step may take a hundred times as long.
        const Watch watch(context, 2 * timeout_ms_);
        return solver.check();
      }();
      if (result == z3::unsat) {
        answer = {Answer::Outcome::Proved, with_lemmas ? "Z3 with lemmas" : "Z3", {}};
        break;
      }
      if (result == z3::sat) {
        if (auto model = checked_model(known, goal, solver.get_model(), encoder.names()))
          answer = {Answer::Outcome::Refuted, "Z3", *model};
        break;
      }
    } catch (const z3::exception&) {
      session_ = std::make_unique<Session>();  // out of memory or time: not decided
    }
  }
  return answer;
}

}  // namespace lockstep::program_proofs
