// Bounds, divisions and widths: each access, lane, count, index division and narrow index, where it stands. In: the
// accesses; out: one obligation each.
#include <algorithm>

#include "proofs/kernel/parts.h"
#include "semantics/core/table.h"

namespace lockstep::proofs::kernels {
namespace {

std::string filled(const Claim& c, const SizeValues& values) {
  std::string out = c.what;
  for (std::size_t k = 0; k < c.shown.size(); ++k) {
    const std::string hole = "{" + std::to_string(k) + "}";
    const auto n = evaluate(c.shown[k], values);
    if (const auto at = out.find(hole); at != std::string::npos)
      out.replace(at, hole.size(), n ? std::to_string(*n) : "?");
  }
  return show_values(values) + ": " + out;
}

std::optional<Counterexample> counterexample(const Accesses& a, const Claim& c) {
  std::size_t budget = search_budget;
  std::optional<Counterexample> found;
  for (const SizeValues& sizes : small_sizes_of(a)) {
    each_instance(a, *c.where, sizes, false, budget, [&](const SizeValues& v) {
      if (evaluate(c.goal, v) == 0)
        if (const auto inputs = inputs_that_reach(a, *c.where, v, budget))
          found = Counterexample{filled(c, v) + *inputs, program_sizes(a, v)};
      return found.has_value();
    });
    if (found) return found;
    if (budget == 0) break;
  }
  return {};
}

// Of the solver's.
std::optional<Counterexample> counterexample(const Accesses& a, const Claim& c, const Answer& answer) {
  std::size_t budget = search_budget;
  if (answer.kind != smt::Verdict::Refuted) return {};
  const auto inputs = inputs_that_reach(a, *c.where, answer.model, budget);
  if (!inputs) return {};
  return Counterexample{filled(c, answer.model) + *inputs, program_sizes(a, answer.model)};
}

bool hangs_on_data(const Claim& c) {
  if (mentions_data(c.goal)) return true;
  return c.where->guards.any_of([](const Guard& g) { return mentions_data(*g.condition); });
}

}  // namespace

ProgramObligation settle(const Accesses& a, const Claim& c, Prover& prover) {
  const Clock clock;
  ProgramObligation o{c.kind, c.name, show_loops(a, *c.where), Standing::Unknown, {}, 0, "", {c.from}};
  const Answer answer = prover.prove_at(a, *c.where, c.goal);
  if (answer.proved()) {
    o.standing = Standing::Proved;
    o.method = answer.method;
  } else if (const auto small = counterexample(a, c)) {
    refute(o, *small);
  } else if (const auto found = counterexample(a, c, answer)) {
    refute(o, *found);
  } else if (hangs_on_data(c)) {
    o.standing = Standing::Tested;
    o.detail = "data-dependent: no check that dominates it bounds it";
  }
  o.seconds = clock.seconds();
  return o;
}

Obligations bounds_obligations(const Accesses& a, Prover& prover) {
  Obligations out;
  for (const Access& x : a.accesses) {
    const Place& p = a.places[static_cast<std::size_t>(x.place)];
    if (p.variable) continue;
    const Term end = add(x.index, number(x.width));
    out.push_back(settle(a,
                         {ObligationKind::Bounds,
                          std::string(x.write ? "write " : "read ") + show_access(a, x) + " of " + show_term(p.count),
                          &x.where,
                          x.from,
                          both(less_equal(number(0), x.index), less_equal(end, p.count)),
                          std::string(x.write ? "writes " : "reads ") + p.name + "[{0}" +
                              (x.width > 1 ? " : " + std::to_string(x.width) : "") + "] of {1}",
                          {x.index, p.count}},
                         prover));
  }
  for (const Demand& d : a.demands) {
    const ObligationKind kind = d.kind == Demand::Kind::Division ? ObligationKind::Divisions
                                : d.kind == Demand::Kind::Width  ? ObligationKind::Widths
                                                                 : ObligationKind::Bounds;
    static constexpr auto what = table<Demand::Kind>({{Demand::Kind::Division, "natural "},
                                                      {Demand::Kind::Lane, "inside: "},
                                                      {Demand::Kind::Count, "allocate "},
                                                      {Demand::Kind::Units, "a unit or more: "},
                                                      {Demand::Kind::Width, ""}});
    const std::string name = std::string(what[d.kind]) + d.text;
    out.push_back(settle(a, {kind, name, &d.where, d.from, d.goal, d.text, {}}, prover));
  }
  return out;
}

}  // namespace lockstep::proofs::kernels
