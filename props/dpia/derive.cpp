// Inputs are drawn once, at sizes that the last program accepts: facts only grow on the way.
#include "props/dpia/derive.h"

#include "props/dpia/generate.h"
#include "props/dpia/reordered.h"
#include "semantics/functional/cost.h"
#include "semantics/functional/denote.h"
#include "semantics/functional/source.h"
#include "semantics/functional/syntax/print.h"
#include "semantics/imperative/check.h"

namespace lockstep::props {
namespace {

constexpr double heavy_limit = 2e6;  // of an input without which only empty arrays would be tried

struct StepInput {
  DrawnInput drawn;                // its results are the source's
  Outcome before;                  // by the step before, IEEE
  std::vector<Trap> traps{};       // that it may report: by what and with what values, for steps stand elsewhere
  std::optional<Outcome> exact{};  // by the source, on the reals; when it is first asked for
};

Trap without_place(Trap t) {
  t.region = {};
  return t;
}

// By a program whose loops count, and may take some more rounds than the source's do.
Outcome outcome(const PhraseProgram& p, const DrawnInput& e, const Domain& domain) {
  const Rounds rounds;
  rounds.restart(any_rounds, rounds_allowed(e.rounds));
  const auto value = denote(rounds.counted(p), e.arguments.sizes, values_of(p, e.arguments), domain);
  if (!value) return tl::unexpected(without_place(value.error()));
  return flatten(*value, p.result, e.arguments.sizes);
}

// One step on one input; the outcome becomes that of the step before.
void test_step(const PhraseProgram& source, StepVerdict& v, StepInput& e) {
  const PhraseProgram& p = v.program.program;
  const Arguments& arguments = e.drawn.arguments;
  const SizeValues& sizes = arguments.sizes;
  const std::optional<Outcome>& bounded = e.drawn.bounded;
  Outcome got = outcome(p, e.drawn, ieee_domain());
  const auto disagree = [&](std::string expected, std::string found) {
    v.disagreement = Disagreement{shown(p, arguments), std::move(expected), std::move(found)};
  };
  if (!same_outcome(e.before, e.traps, got)) {
    if (!v.rounding || !got || !e.before)
      return disagree(shown(e.before, p.result, sizes), shown(got, p.result, sizes));
    if (!bounded || !*bounded) ++v.undecided;
  }
  // The bound is wide where many numbers are added; on the reals another order changes nothing.
  if (v.rounding && got) {
    if (!e.exact) e.exact = outcome(source, e.drawn, exact_domain());
    const Outcome exact = outcome(p, e.drawn, exact_domain());
    if (!same_reals(*e.exact, exact))
      return disagree(shown_on_reals(*e.exact, p.result, sizes), shown_on_reals(exact, p.result, sizes));
  }
  if (v.rounding && got && bounded && *bounded) {
    const Comparison c = compare_within_bound(**bounded, *got, p.result, sizes);
    if (!c.agrees) return disagree(c.expected, c.found);
    v.undecided += c.unbounded > 0;
    v.compared += c.floats, v.wide += c.wide;
    v.error.add(c.rounding);
  }
  e.before = std::move(got);
  ++v.tested;
}

// One that loops longer than the source by far is wrong.
void test(const PhraseProgram& source, StepVerdict& v, StepInput& e) {
  try {
    test_step(source, v, e);
  } catch (const EndlessSignal&) {
    v.disagreement =
        Disagreement{shown(source, e.drawn.arguments), shown(e.before, source.result, e.drawn.arguments.sizes),
                     "more than " + std::to_string(rounds_allowed(e.drawn.rounds)) + " rounds of `while`"};
  }
}

}  // namespace

Checked<ReadBack> read_back(const PhraseProgram& program, const Calculus& calculus, const SizeSolver& solver) {
  const std::vector<std::string> literals = literals_of(*program.body);
  for (const Suffixes suffixes : {Suffixes::Never, Suffixes::Always}) {
    const std::string text = print(source_of(program, calculus, suffixes)) + "\n";
    const auto parsed = parse_program(std::make_shared<const Source>(Source{program.name, text}));
    if (!parsed) return tl::unexpected(parsed.error());
    auto inferred = infer(*parsed, calculus, solver);
    const bool last = suffixes == Suffixes::Always;
    if (!inferred && last) return tl::unexpected(inferred.error());
    if (!inferred || inferred->entries.size() != 1) continue;
    if (!last && literals_of(*inferred->entries[0].body) != literals) continue;
    return ReadBack{text, std::move(inferred->entries[0]), std::move(inferred->obligations)};
  }
  throw Bug("a program that is read back is no entry point");
}

bool DerivationReport::agrees() const {
  for (const StepVerdict& s : steps)
    if (s.disagreement || !s.type_errors.empty()) return false;
  return true;
}

DerivationReport check_derivation(const PhraseProgram& source, const std::vector<rewriting::Derived>& steps,
                                  const Calculus& calculus, const SizeSolver& solver, const DeriveOptions& options) {
  const CheckOptions types{.implied = implied_by(solver)};
  DerivationReport report;
  report.cost = cost(source);
  Draws drawn = draw_inputs(source, steps.empty() ? source : steps.back().program,
                            {.seed = options.seed,
                             .inputs = options.inputs,
                             .limit = options.limit,
                             .elements = options.elements,
                             .heavy_inputs = 1,
                             .heavy_limit = heavy_limit,
                             .progress = options.progress});
  std::vector<StepInput> inputs;
  for (DrawnInput& e : drawn.inputs) {
    Outcome before = e.ieee;
    std::vector<Trap> traps;
    for (const Trap& t : e.traps) traps.push_back(without_place(t));
    inputs.push_back({std::move(e), std::move(before), std::move(traps)});
  }
  report.inputs = std::move(drawn.tried);
  for (const rewriting::Derived& step : steps) {
    if (options.progress) options.progress("checking " + step.rule, report.steps.size(), steps.size());
    auto text = read_back(step.program, calculus, solver);
    StepVerdict v{text ? std::move(*text)
                       : ReadBack{print(source_of(step.program, calculus, Suffixes::Always)) + "\n", step.program, {}}};
    v.rounding = step.rounding;
    if (!text)
      for (const Diagnostic& d : text.error())
        v.type_errors.push_back(d.message + (d.expected.empty() ? "" : "; expected " + d.expected));
    for (const PhraseProgram* p : std::initializer_list<const PhraseProgram*>{&step.program, &v.program.program})
      if (const auto checked = check_program(*p, types); !checked && v.type_errors.empty())
        for (const Diagnostic& d : checked.error()) v.type_errors.push_back(d.message);
    if (v.type_errors.empty()) v.cost = cost(v.program.program);
    for (StepInput& e : inputs)
      if (v.type_errors.empty() && !v.disagreement) test(source, v, e);
    report.steps.push_back(std::move(v));
    if (!report.agrees()) break;
  }
  return report;
}

}  // namespace lockstep::props
