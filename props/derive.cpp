// Inputs are drawn once, at sizes that the last program accepts: facts only grow on the way.
#include "props/derive.h"

#include <cmath>

#include "props/generate.h"
#include "props/shown.h"
#include "semantics/functional/cost.h"
#include "semantics/functional/denote.h"
#include "semantics/functional/print.h"
#include "semantics/functional/source.h"

namespace lockstep::props {
namespace {

constexpr double heavy_limit = 2e6;        // of an input without which only empty arrays would be tried
constexpr double steps_per_element = 3.2;  // so much work counts as an element
constexpr int redraws = 6;

struct Expected {
  Arguments arguments;
  Outcome before;                  // by the step before, IEEE
  std::optional<Outcome> bounded;  // by the source; nothing: undecided
  std::optional<Outcome> exact{};  // by the source, on the reals; when it is first asked for
};

Outcome outcome(const PhraseProgram& p, const Arguments& a, const Domain& domain) {
  const auto value = denote(p, a.sizes, values_of(p, a), domain);
  if (!value) return tl::unexpected(value.error());
  return flatten(*value, p.result, a.sizes);
}

bool same(const Outcome& a, const Outcome& b) {
  if (a.has_value() != b.has_value()) return false;
  if (!a) return true;
  for (std::size_t k = 0; k < a->size(); ++k)
    if (!std::equal((*a)[k].begin(), (*a)[k].end(), (*b)[k].begin(), (*b)[k].end(), same_scalar)) return false;
  return true;
}

// Equal on the reals; wide floats, where there is no rational, to more digits than any target has.
bool same_reals(const Scalar& a, const Scalar& b) {
  const Domain& d = exact_domain();
  if (!is_float(a.type)) return a.bits == b.bits;
  const double x = d.to_ieee(a), y = d.to_ieee(b);
  if (!std::isfinite(x) || !std::isfinite(y)) return x == y || (std::isnan(x) && std::isnan(y));
  if (d.compare(lockstep::Comparison::Equal, a, b)) return true;
  const Scalar both[2] = {a, b};
  return std::abs(d.to_ieee(d.apply(FloatOp::Subtract, a.type, both))) <= 1e-25 * std::max(std::abs(x), std::abs(y));
}
bool same_reals(const Outcome& a, const Outcome& b) {
  if (a.has_value() != b.has_value()) return false;
  if (!a) return true;
  for (std::size_t k = 0; k < a->size(); ++k)
    if (!std::equal((*a)[k].begin(), (*a)[k].end(), (*b)[k].begin(), (*b)[k].end(),
                    [](const Scalar& x, const Scalar& y) { return same_reals(x, y); }))
      return false;
  return true;
}

std::string shown_exact(const Outcome& o, const Type& type, const SizeValues& sizes) {
  if (!o) return shown(o, type, sizes);
  return show(unflatten(*o, type, sizes), exact_domain()).substr(0, 300) + " on the reals";
}

std::vector<SizeValues> choose_sizes(const PhraseProgram& source, const PhraseProgram& last,
                                     const DeriveOptions& options, bool& too_large) {
  const Cost work = cost(source);
  const Weight weight = [&](SizeValues sizes) {
    const double elements = element_count(source, sizes);
    sizes.emplace("iterations", 10);
    return std::max(elements, static_cast<double>(evaluate(work.work, sizes).value_or(0)) / steps_per_element);
  };
  const SizeSearch found = search_sizes(last, {}, options.inputs, weight, options.elements, options.seed);
  std::vector<SizeValues> out = found.sizes;
  // Where there are few light sizes they come again with other values, unless there are no values at all.
  for (std::size_t k = 0; !found.sizes.empty() && k < options.inputs && out.size() < options.inputs; ++k)
    if (const SizeValues& again = found.sizes[found.sizes.size() - 1 - k % found.sizes.size()];
        element_count(source, again) > element_count(source, found.sizes.front()) || source.sizes.empty())
      out.push_back(again);
  too_large = found.heavy && weight(*found.heavy) > heavy_limit;
  if (found.heavy && !too_large) out.push_back(*found.heavy);
  return out;
}

Expected draw(const PhraseProgram& source, const SizeValues& sizes, std::size_t k, std::uint64_t seed) {
  static constexpr Integers kinds[] = {Integers::Small, Integers::Inside, Integers::Sorted, Integers::Distinct};
  for (int attempt = 0;; ++attempt) {
    const std::size_t n = k * 100 + static_cast<std::size_t>(attempt);
    auto arguments = random_inputs(source, sizes, seed_of(seed, n), kinds[n % 4]);
    if (!arguments) throw std::bad_alloc();
    Expected e{std::move(*arguments), Scalars{}, std::nullopt};
    e.before = outcome(source, e.arguments, ieee_domain());
    try {
      e.bounded = outcome(source, e.arguments, bounded_domain());
    } catch (const UndecidedSignal&) {
    }
    if (attempt + 1 >= redraws || (e.bounded && (e.before || k % 6 == 5))) return e;
  }
}

// One step on one input; the outcome becomes that of the step before.
void test(const PhraseProgram& source, StepVerdict& v, Expected& e) {
  const PhraseProgram& p = v.program.program;
  const SizeValues& sizes = e.arguments.sizes;
  Outcome got = outcome(p, e.arguments, ieee_domain());
  const auto disagree = [&](std::string expected, std::string found) {
    v.disagreement = Disagreement{shown(p, e.arguments), std::move(expected), std::move(found)};
  };
  if (!same(e.before, got)) {
    if (!v.rounding || !got || !e.before)
      return disagree(shown(e.before, p.result, sizes), shown(got, p.result, sizes));
    if (!e.bounded || !*e.bounded) ++v.undecided;
  }
  // The bound is wide where many numbers are added; on the reals another order changes nothing.
  if (v.rounding && got) {
    if (!e.exact) e.exact = outcome(source, e.arguments, exact_domain());
    const Outcome exact = outcome(p, e.arguments, exact_domain());
    if (!same_reals(*e.exact, exact))
      return disagree(shown_exact(*e.exact, p.result, sizes), shown_exact(exact, p.result, sizes));
  }
  if (v.rounding && got && e.bounded && *e.bounded) {
    const Comparison c = compare_within_bound(**e.bounded, *got, p.result, sizes);
    if (!c.agrees) return disagree(c.expected, c.found);
    v.undecided += c.unbounded > 0;
    if (c.bound > 0 && (v.bound == 0 || c.error * v.bound > v.error * c.bound)) v.error = c.error, v.bound = c.bound;
  }
  e.before = std::move(got);
  ++v.tested;
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
  std::vector<Expected> inputs;
  report.sizes = choose_sizes(source, steps.empty() ? source : steps.back().program, options, report.too_large);
  for (std::size_t k = 0; k < report.sizes.size(); ++k) {
    if (options.progress) options.progress("evaluating the source", k, report.sizes.size());
    inputs.push_back(draw(source, report.sizes[k], k, options.seed));
  }
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
    for (Expected& e : inputs)
      if (v.type_errors.empty() && !v.disagreement) test(source, v, e);
    report.steps.push_back(std::move(v));
    if (!report.agrees()) break;
  }
  return report;
}

}  // namespace lockstep::props
