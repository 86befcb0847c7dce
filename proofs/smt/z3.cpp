// Z3, under limits that end it. In: a question; out: a verdict.
#include <pthread.h>

#include <bit>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>

#include "proofs/smt/encoding.h"
#include "proofs/smt/solver.h"

namespace lockstep::proofs::smt {
namespace {

// Interrupts a query that takes more of the processor's time: what else runs on the machine decides nothing.
class Watch {
 public:
  Watch(z3::context& context, unsigned ms)
      : thread_([&context, ms, clock = clock_of_this_thread()](const std::stop_token& stop) {
          std::mutex mutex;
          std::unique_lock lock(mutex);
          std::condition_variable_any over;
          for (const std::int64_t limit = milliseconds_of(clock) + ms; !stop.stop_requested();) {
            const std::int64_t used = milliseconds_of(clock);
            if (used >= limit) return context.interrupt();
            over.wait_for(lock, stop, std::chrono::milliseconds(limit - used), [] { return false; });
          }
        }) {}

 private:
  static clockid_t clock_of_this_thread() {
    clockid_t c = CLOCK_MONOTONIC;
    return pthread_getcpuclockid(pthread_self(), &c) == 0 ? c : CLOCK_MONOTONIC;
  }
  static std::int64_t milliseconds_of(clockid_t clock) {
    timespec t{};
    return clock_gettime(clock, &t) == 0 ? std::int64_t{t.tv_sec} * 1000 + t.tv_nsec / 1'000'000 : 0;
  }

  std::jthread thread_;
};

std::string shown(const z3::model& model, const z3::expr& e) {
  z3::expr v = model.eval(e, true);
  if (v.is_fpa()) {
    if (Z3_fpa_is_numeral_nan(v.ctx(), v)) return "nan";
    const std::uint64_t bits = z3::expr(v.ctx(), Z3_mk_fpa_to_ieee_bv(v.ctx(), v)).simplify().get_numeral_uint64();
    char text[64];
    const auto shown = [&](auto number) {
      return std::string(text, std::to_chars(text, text + sizeof text, number).ptr);
    };
    return v.get_sort().fpa_sbits() == 24 ? shown(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                                          : shown(std::bit_cast<double>(bits));
  }
  if (v.is_bv()) return std::to_string(v.get_numeral_uint64());
  std::string text = v.to_string();
  if (text.starts_with("(- ")) text = "-" + text.substr(3, text.size() - 4);
  return text;
}

class Z3 : public Solver {
 public:
  explicit Z3(bool keeps) : keeps_(keeps) {}
  std::string name() const override { return "Z3"; }
  std::unique_ptr<Solver> session() const override { return std::make_unique<Z3>(true); }

  Verdict answer(const std::vector<Term>& assertions, const Budget& budget) const override {
    std::unique_ptr<z3::context> own;  // so that an answer hangs on the question alone
    std::unique_ptr<z3::context>& kept = keeps_ ? kept_ : own;
    if (!kept) kept = std::make_unique<z3::context>();
    try {
      z3::context& context = *kept;
      Encoding encoding(context);
      std::vector<z3::expr> encoded;
      for (const Term& t : assertions) encoded.push_back(encoding.term(t));
      // Limited by steps, and on integers Z3's core alone: in 4.8.12 its timers, "timeout" and those of the default
      // solver's tactics, can deadlock.
      z3::solver solver = encoding.has_bits() ? z3::solver(context) : z3::solver(context, z3::solver::simple());
      z3::params limits(context);
      limits.set("rlimit", budget.steps);
      limits.set("max_memory", 1024U);
      solver.set(limits);
      for (const z3::expr& e : encoded) solver.add(e);
      const z3::check_result result = [&] {
        // Steps are what ends most of them; on products of sizes a step may take a hundred times as long.
        const Watch watch(context, budget.milliseconds);
        return solver.check();
      }();
      if (result == z3::unsat) return {Verdict::Proved};
      if (result == z3::sat) return {Verdict::Refuted, model_of(solver.get_model(), encoding)};
    } catch (const z3::exception&) {
      kept.reset();  // out of memory or time
    }
    return {};
  }

 private:
  static std::map<std::string, std::string> model_of(const z3::model& model, const Encoding& encoding) {
    std::map<std::string, std::string> out;
    for (const auto& [name, e] : encoding.names())
      if (const auto kind = e.get_sort().sort_kind(); kind != Z3_UNINTERPRETED_SORT && kind != Z3_ARRAY_SORT)
        out.emplace(name, shown(model, e));
    return out;
  }

  bool keeps_;
  mutable std::unique_ptr<z3::context> kept_;
};

}  // namespace

const Solver& z3() {
  static const Z3 solver(false);
  return solver;
}

std::string z3_version() {
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
}

std::vector<std::optional<std::uint64_t>> numbers_of(const std::vector<Term>& terms) {
  z3::context context;
  Encoding encoding(context);
  std::vector<std::optional<std::uint64_t>> out;
  for (const Term& t : terms) {
    z3::expr e = encoding.term(t).simplify();
    if (t.sort.kind == Sort::Bool) {
      out.emplace_back(e.is_true() ? 1 : 0);
    } else if (t.sort.kind == Sort::Float && Z3_fpa_is_numeral_nan(context, e)) {
      out.emplace_back();
    } else {
      if (t.sort.kind == Sort::Float) e = z3::expr(context, Z3_mk_fpa_to_ieee_bv(context, e)).simplify();
      out.emplace_back(e.get_numeral_uint64());
    }
  }
  return out;
}

}  // namespace lockstep::proofs::smt
