// The list of the calculus's obligations, in the order of its primitives, and their decision on several threads.
#include "proofs/calculus/list.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace lockstep::proofs {

std::vector<Obligation> calculus_obligations(const CalculusRef& calculus) {
  std::vector<Obligation> all;
  const auto add = [&](std::vector<Obligation> more) {
    for (Obligation& o : more) all.push_back(std::move(o));
  };
  for (const std::string& name : calculus->names())
    if (std::holds_alternative<View>(calculus->primitive(name)->kind)) add(view_obligations(calculus, name));
  add(translation_obligations());
  for (const std::string& name : calculus->names())
    if (std::holds_alternative<Loop>(calculus->primitive(name)->kind)) add(loop_obligations(calculus, name));
  add(facet_obligations());
  add(scattered_obligations());
  add(strategy_obligations());
  add(fusion_laws());
  add(operator_obligations(calculus));
  return all;
}

namespace {

Decided decided(const Obligation& o, const Solver& solver) {
  const auto start = std::chrono::steady_clock::now();
  Decided out{o.decide(solver), 0};
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

}  // namespace

std::vector<Decided> decide_obligations(const std::vector<Obligation>& all,
                                        const std::function<void(std::size_t)>& step, const Solver& solver) {
  std::vector<Decided> out(all.size());
  std::atomic<std::size_t> next = 0, done = 0;
  const auto work = [&](const std::function<void(std::size_t)>& report) {
    for (std::size_t k; (k = next++) < all.size(); ++done) {
      if (report) report(done);
      out[k] = decided(all[k], solver);
    }
  };
  std::vector<std::jthread> others;
  const std::size_t threads = std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), 8);
  for (std::size_t t = 1; t < std::min(threads, all.size()); ++t) others.emplace_back(work, nullptr);
  work(step);
  return out;  // the others are joined first
}

bool as_it_must_be(const Obligation& o, const Outcome& found) {
  return o.wrong ? found.standing == Standing::Refuted : found.standing >= Standing::Assumed;
}

}  // namespace lockstep::proofs
