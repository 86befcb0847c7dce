// Verdicts: by normal forms, by a counterexample among small sizes, or by the solver.
#include "semantics/functional/inference/verdicts.h"

#include <algorithm>
#include <chrono>

#include "semantics/core/table.h"

namespace lockstep {

std::string_view show(Verdict v) {
  static constexpr auto rows = table<Verdict>({{Verdict::Normalised, "proved by normalisation"},
                                               {Verdict::Solved, "proved by Z3"},
                                               {Verdict::Assumed, "assumed"},
                                               {Verdict::Refuted, "refuted"},
                                               {Verdict::Unknown, "unknown"}});
  return rows[v];
}

}  // namespace lockstep

namespace lockstep::inference {
namespace {

std::string symbol_of_failure(SizeRelation r) {
  static constexpr auto rows = table<SizeRelation>({{SizeRelation::Equal, " \u2260 "},
                                                    {SizeRelation::NotEqual, " = "},
                                                    {SizeRelation::LessEqual, " > "},
                                                    {SizeRelation::Less, " \u2265 "}});
  return std::string(rows[r]);
}

// Small sizes first: the smallest counterexample is the one to show. Z3's are not small.
void find_small_counterexample(SizeObligation& o) {
  std::set<std::string> names;
  collect_names(o.goal.left, names);
  collect_names(o.goal.right, names);
  for (const SizeFact& f : o.facts) {
    collect_names(f.left, names);
    collect_names(f.right, names);
  }
  const std::vector<std::string> order(names.begin(), names.end());
  if (order.size() > 5) return;
  const std::int64_t limit = order.size() <= 2 ? 40 : order.size() <= 3 ? 12 : 6;
  std::optional<std::pair<std::int64_t, SizeValues>> best;
  SizeValues values;
  const std::function<void(std::size_t, std::int64_t)> go = [&](std::size_t k, std::int64_t sum) {
    if (best && sum >= best->first) return;
    if (k < order.size()) {
      for (std::int64_t v = 0; v <= limit; ++v) {
        values[order[k]] = v;
        go(k + 1, sum + v);
      }
      return;
    }
    for (const SizeFact& f : o.facts)
      if (evaluate(f, values) != true) return;
    if (evaluate(o.goal, values) == false) best = {sum, values};
  };
  go(0, 0);
  if (!best) return;
  std::set<std::string> shown;
  collect_names(o.goal.left, shown);
  collect_names(o.goal.right, shown);
  std::string text;
  for (const std::string& n : shown) text += (text.empty() ? "" : ", ") + n + " = " + std::to_string(best->second[n]);
  const auto left = evaluate(o.goal.left, best->second), right = evaluate(o.goal.right, best->second);
  const std::string found = std::to_string(*left) + symbol_of_failure(o.goal.relation) + std::to_string(*right);
  o.counterexample = text + (text.empty() ? "" : ": ") + found;
  o.counterexample_sizes = text.empty() ? found : text;
}

void discharge(SizeObligation& o, const SizeContext& context, const SizeSolver& solver) {
  const auto start = std::chrono::steady_clock::now();
  if (context.proves(o.goal)) {
    o.verdict = Verdict::Normalised;
  } else if (find_small_counterexample(o); !o.counterexample.empty()) {
    o.verdict = Verdict::Refuted;
  } else {
    o.verdict = solver ? solver(o.facts, o.goal).verdict : Verdict::Unknown;
  }
  o.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Whether some small sizes satisfy all of these.
bool possible(const std::vector<SizeFact>& facts) {
  std::set<std::string> names;
  for (const SizeFact& f : facts) collect_names(f.left, names), collect_names(f.right, names);
  const std::vector<std::string> order(names.begin(), names.end());
  const std::int64_t limit = order.size() <= 1   ? 1000
                             : order.size() == 2 ? 70
                             : order.size() == 3 ? 16
                             : order.size() == 4 ? 7
                                                 : 3;
  if (order.size() > 6) return true;  // not looked for
  SizeValues values;
  const std::function<bool(std::size_t)> go = [&](std::size_t k) {
    if (k == order.size())
      return std::all_of(facts.begin(), facts.end(), [&](const SizeFact& f) { return evaluate(f, values) == true; });
    for (std::int64_t v = 0; v <= limit; ++v) {
      values[order[k]] = v;
      if (go(k + 1)) return true;
    }
    return false;
  };
  return go(0);
}

// Equal sizes as they are said best: k*(n/k) == n is n % k == 0.
std::string shown_goal(const SizeFact& goal) {
  if (goal.relation != SizeRelation::Equal) return show(goal);
  const Size difference = goal.left - goal.right;
  for (const SizeTerm& t : difference.terms())
    for (const auto& [atom, power] : t.powers) {
      if (!atom.division) continue;
      const auto& [a, b] = *atom.division;
      const Size rest = floor_div(a, b) * b - a;
      if (difference == rest || difference == Size(0) - rest) return show_atomic(a) + " % " + show_atomic(b) + " == 0";
    }
  return show(goal);
}

std::string in_brackets(const std::string& text) { return text.empty() ? "" : " (" + text + ")"; }

bool is_number(const SizeFact& f) { return f.left.constant() && f.right.constant(); }

std::string settling_fact(const SizeObligation& o) {
  std::vector<SizeFact> together = o.facts;
  together.push_back(o.goal);
  return !is_number(o.goal) && possible(together) ? "a fact would settle it: where " + shown_goal(o.goal) : "";
}

Diagnostic diagnostic_of(const SizeObligation& o) {
  const std::string goal = shown_goal(o.goal);
  const bool refuted = o.verdict == Verdict::Refuted, as_remainder = goal != show(o.goal);
  const std::string example = as_remainder ? o.counterexample_sizes : o.counterexample;
  if (is_number(o.goal))
    return {o.region, o.origin + " needs " + goal + ", which does not hold", "sizes for which it holds", ""};
  return {o.region,
          o.origin + " needs " + goal +
              (refuted ? ", which does not hold for all sizes" + in_brackets(example) : ", which could not be decided"),
          goal, settling_fact(o)};
}

// The first two lengths exchanged.
bool transposed(const Type& a, const Type& b) {
  const auto *outer_a = as<ArrayType>(a), *outer_b = as<ArrayType>(b);
  const auto* inner_a = outer_a ? as<ArrayType>(*outer_a->element) : nullptr;
  const auto* inner_b = outer_b ? as<ArrayType>(*outer_b->element) : nullptr;
  return inner_a && inner_b && outer_a->length == inner_b->length && inner_a->length == outer_b->length &&
         *inner_a->element == *inner_b->element;
}

// Whether these are two lengths of one array among the parameters, one inside the other.
bool axes_of_one_array(const Size& a, const Size& b, const std::vector<Defined::Parameter>& parameters) {
  for (const Defined::Parameter& p : parameters)
    for (const Type* t = p.type ? &*p.type : nullptr; t && as<ArrayType>(*t); t = &*as<ArrayType>(*t)->element)
      if (const auto* inner = as<ArrayType>(*as<ArrayType>(*t)->element)) {
        const Size &m = as<ArrayType>(*t)->length, &n = inner->length;
        if ((m == a && n == b) || (m == b && n == a)) return true;
      }
  return false;
}

// Two types that differ in a size. What should be a multiple of something is said as that.
Diagnostic diagnostic_of(const SizeObligation& o, const Mismatch& m,
                         const std::vector<Defined::Parameter>& parameters) {
  const std::string goal = show(o.goal), found = o.origin + " has the type " + readable(m.found);
  if (m.local_function.empty() && shown_goal(o.goal) != goal) return diagnostic_of(o);
  const bool axes = axes_of_one_array(o.goal.left, o.goal.right, parameters);
  const std::string fact = settling_fact(o);
  const std::string mend =
      !m.local_function.empty() ? m.local_function +
                                      " is a local function, which has one type, that of its first use; written with "
                                      "`fun`, above, it takes arrays of all sizes"
      : transposed(m.expected, m.found)
          ? "its axes are exchanged: apply transpose, or write the type " + readable(m.found)
      : axes ? "is it the other axis that is meant? transpose exchanges them" + (fact.empty() ? "" : "; else " + fact)
             : fact;
  if (is_number(o.goal))
    return {o.region, found, readable(m.expected),
            mend.empty() && o.origin == element_of_array ? "all elements of an array have one type, and so one length"
                                                         : mend};
  return {o.region,
          found + ", and " + goal +
              (o.verdict == Verdict::Refuted ? " does not hold for all sizes" + in_brackets(o.counterexample)
                                             : " could not be decided"),
          readable(m.expected), mend};
}

// Of a size that is no natural number, which is an error where the size is made.
bool below_zero(const SizeFact& f) { return f.left.constant().value_or(0) < 0 || f.right.constant().value_or(0) < 0; }

// a == b and b == a are one fact.
std::string either_way(const SizeFact& f) {
  const bool turn = f.relation == SizeRelation::Equal && compare(f.right, f.left) < 0;
  return show(turn ? SizeFact{f.right, f.relation, f.left} : f);
}

}  // namespace

void settle(std::vector<SizeObligation> obligations, const Defined& d, const Asked& asked, const SizeSolver& solver,
            std::vector<SizeObligation>& all, Diagnostics& errors) {
  SizeContext context;
  for (const SizeFact& f : d.facts) context.assume(f);
  // From facts that contradict each other everything follows, and nothing would be checked.
  if (!d.facts.empty() && !possible(d.facts) &&
      (context.proves({1, SizeRelation::LessEqual, 0}) ||
       (solver && solver(d.facts, {1, SizeRelation::LessEqual, 0}).verdict == Verdict::Solved)))
    errors.push_back(
        {asked.facts, "no sizes satisfy the facts of " + d.name, "facts that do not contradict each other", ""});
  for (const SizeFact& f : d.facts) all.push_back({f, {}, {}, "where", d.name, Verdict::Assumed, {}, {}, 0});
  const std::size_t told_before = errors.size();
  Diagnostics consequences;
  std::set<std::string> told, listed;
  std::set<std::size_t> told_types;
  for (std::size_t k = 0; k < obligations.size(); ++k) {
    SizeObligation& o = obligations[k];
    // What two numbers decide, or what was said already, is not worth a line.
    if (is_number(o.goal) && evaluate(o.goal, {}) == true) continue;
    if (!listed.insert(show(o.goal) + show_position(o.region)).second) continue;
    o.facts = d.facts;
    o.definition = d.name;
    discharge(o, context, solver);
    const bool failed = o.verdict == Verdict::Refuted || o.verdict == Verdict::Unknown;
    const auto types = failed && k >= asked.written ? asked.constraints.equality_of(k - asked.written) : std::nullopt;
    const bool news = failed && told.insert(either_way(o.goal)).second;
    if ((!types || told_types.insert(*types).second) && news)
      (below_zero(o.goal) ? consequences : errors)
          .push_back(types ? diagnostic_of(o, asked.constraints.mismatch_of(k - asked.written), d.parameters)
                           : diagnostic_of(o));
    all.push_back(std::move(o));
  }
  if (errors.size() == told_before && !consequences.empty()) errors.push_back(consequences.front());
}

}  // namespace lockstep::inference
