// The obligations of a kernel program and of a source on its way to both machines (obligations.h).
#include "proofs/kernel/obligations.h"

#include <algorithm>

#include "proofs/kernel/indices.h"
#include "proofs/kernel/parts.h"
#include "proofs/laws/compiling.h"
#include "semantics/kernel/check.h"

namespace lockstep::proofs::kernels {

std::string_view show(ObligationKind k) {
  constexpr std::string_view names[] = {"bounds", "divisions", "races", "initialisation", "barriers", "in-place",
                                        "checks", "moves",     "swaps", "indices",        "widths"};
  return names[static_cast<int>(k)];
}

std::string_view verdict_of(const ProgramObligation& o) {
  if (o.standing == Standing::Refuted) return "violated";
  if (o.standing == Standing::Tested) return "excepted: data-dependent (tested)";
  return o.standing == Standing::Unknown ? "unknown (tested)" : name_of(o.standing);
}

void add_to(ProgramObligation& o, const MeetingVerdict& v) {
  if (v.standing == Standing::Proved) o.method = both(o.method, v.method);
  if (v.standing < o.standing) o.detail = v.detail, o.sizes = v.sizes;
  o.standing = std::min(o.standing, v.standing);
}

void refute(ProgramObligation& o, const Counterexample& c) {
  o.standing = Standing::Refuted;
  o.detail = c.text;
  o.sizes = c.sizes;
}

MeetingVerdict refuted(const Counterexample& c) { return {Standing::Refuted, {}, c.text, c.sizes}; }

Obligations kernel_obligations(const kernel::Program& p, Prover& prover) {
  const Accesses a = accesses_of(p);
  Obligations out;
  const auto append = [&](Obligations more) {
    for (ProgramObligation& o : more) out.push_back(std::move(o));
  };
  append(bounds_obligations(a, prover));
  append(race_obligations(a, prover));
  append(group_obligations(a, prover));
  append(initial_obligations(a, prover));
  append(barrier_obligations(a));
  return out;
}

std::vector<DpiaTrace> traces_of(const PhraseProgram& source, const Calculus& calculus) {
  std::vector<DpiaTrace> out;
  for (const Machine machine : {Machine::Cpu, Machine::Gpu})
    out.push_back(lawful_trace(source, calculus, machine, true));
  return out;
}

namespace {
Obligations discharged(const lockstep::Obligation& o, Prover& prover) {
  if (const auto* safe = o.statement.as_if<SafeKernel>()) return kernel_obligations(safe->program, prover);
  if (const auto* r = o.statement.as_if<PathRecord>()) return {index_obligation(*r, prover)};
  if (const auto* order = o.statement.as_if<ReadsPrecedeWrites>())
    return in_place_obligations(order->before, order->after, prover);
  if (const auto* places = o.statement.as_if<LiveApart>())
    return places_obligations(places->before, places->after, prover);
  if (const auto* early = o.statement.as_if<ChecksComeAnyway>())
    return early_checks_obligations(early->before, early->after, prover);
  if (const auto* checks = o.statement.as_if<ChecksHold>())
    return checks_obligations(checks->before, checks->after, prover);
  if (const auto* moves = o.statement.as_if<MovesTheSame>())
    return moves_obligations(moves->before, moves->after, prover);
  if (const auto* swaps = o.statement.as_if<RoundsSwap>())
    return swaps_obligations(swaps->before, swaps->after, prover);
  if (o.statement.as_if<LawsHold>()) return {};  // proofs/laws
  throw Bug("nothing is known of obligations of the kind " + o.kind);
}
bool is_owed(const DpiaTrace& trace) {
  return std::any_of(trace.steps.begin(), trace.steps.end(), [](const Step& s) { return !s.owed.empty(); });
}
}  // namespace

std::vector<MachineObligations> program_obligations(const std::vector<DpiaTrace>& traces, unsigned timeout_ms,
                                                    const smt::Solver& solver, Asks asks) {
  std::vector<MachineObligations> out;
  Prover prover(timeout_ms, solver, asks);
  for (const DpiaTrace& trace : traces) {
    if (!is_owed(trace)) throw Bug("a trace without its obligations");
    if (const auto wrong = kernel::check(trace.kernel()); !wrong.empty()) {
      out.push_back({trace.machine, {}, wrong.front()});
      continue;
    }
    Obligations all;
    for (const Step& step : trace.steps)
      for (const lockstep::Obligation& owed : step.owed)
        for (ProgramObligation& o : discharged(owed, prover)) all.push_back(std::move(o));
    std::stable_sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.kind < y.kind; });
    out.push_back({trace.machine, std::move(all), {}, prover.complaints(), prover.take_settled(), {}});
    if (const AnyProgram* first = trace.machine == Machine::Cpu ? trace.after("paths") : nullptr)
      out.back().marked = marked_once(first->as<kernel::Program>(), prover);
  }
  return out;
}

Tally tally_of(const Obligations& all, ObligationKind kind) {
  Tally t;
  for (const ProgramObligation& o : all) {
    if (o.kind != kind) continue;
    t.proved += o.standing == Standing::Proved;
    t.violated += o.standing == Standing::Refuted;
    t.excepted += o.standing == Standing::Tested;
    t.unknown += o.standing == Standing::Unknown;
  }
  return t;
}

std::string show_tallies(const Obligations& all) {
  std::string out;
  for (const ObligationKind k : obligation_kinds) {
    const Tally t = tally_of(all, k);
    if (t.all() > 0)
      out += (out.empty() ? "" : ", ") + std::string(show(k)) + " " + std::to_string(t.proved) + "/" +
             std::to_string(t.all());
  }
  return out.empty() ? "nothing to prove" : out;
}

}  // namespace lockstep::proofs::kernels
