// Inference of a program: each definition's signature, its body, and the verdict on everything that sizes must satisfy.
#include "semantics/functional/infer.h"

#include <algorithm>
#include <chrono>

#include "semantics/core/size_limit.h"
#include "semantics/core/table.h"
#include "semantics/functional/elaborate.h"
#include "semantics/functional/hierarchy.h"

namespace lockstep {

std::string_view show(Verdict v) {
  static constexpr auto rows = table<Verdict>({{Verdict::Normalised, "proved by normalisation"},
                                               {Verdict::Solved, "proved by Z3"},
                                               {Verdict::Assumed, "assumed"},
                                               {Verdict::Refuted, "refuted"},
                                               {Verdict::Unknown, "unknown"}});
  return rows[v];
}

namespace {

using namespace inference;

std::string symbol_of_failure(SizeRelation r) {
  static constexpr auto rows = table<SizeRelation>({{SizeRelation::Equal, " \u2260 "},
                                                    {SizeRelation::NotEqual, " = "},
                                                    {SizeRelation::LessEqual, " > "},
                                                    {SizeRelation::Less, " \u2265 "}});
  return std::string(rows[r]);
}

// Small sizes first: the smallest counterexample is the one to show. Z3's are not small.
std::string small_counterexample(const SizeObligation& o) {
  std::set<std::string> names;
  collect_names(o.goal.left, names);
  collect_names(o.goal.right, names);
  for (const SizeFact& f : o.facts) {
    collect_names(f.left, names);
    collect_names(f.right, names);
  }
  const std::vector<std::string> order(names.begin(), names.end());
  if (order.size() > 5) return "";
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
  if (!best) return "";
  std::set<std::string> shown;
  collect_names(o.goal.left, shown);
  collect_names(o.goal.right, shown);
  std::string text;
  for (const std::string& n : shown) text += (text.empty() ? "" : ", ") + n + " = " + std::to_string(best->second[n]);
  const auto left = evaluate(o.goal.left, best->second), right = evaluate(o.goal.right, best->second);
  return text + (text.empty() ? "" : ": ") + std::to_string(*left) + symbol_of_failure(o.goal.relation) +
         std::to_string(*right);
}

void discharge(SizeObligation& o, const SizeContext& context, const SizeSolver& solver) {
  const auto start = std::chrono::steady_clock::now();
  if (context.proves(o.goal)) {
    o.verdict = Verdict::Normalised;
  } else if (o.counterexample = small_counterexample(o); !o.counterexample.empty()) {
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
  const std::string example = as_remainder ? o.counterexample.substr(0, o.counterexample.find(':')) : o.counterexample;
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

// Of a whole program: what examples take is far below, and what is left makes every check linear in its source.
constexpr std::size_t expanded_at_once = 50'000;
// So many more are expanded to judge what the places of calls decide.
constexpr std::size_t judged_at_once = 100'000;
// What every stage can take, in time and in depth of recursion.
constexpr std::size_t most_nodes = 2'000'000, deepest = 25'000;

std::size_t height(const Phrase& p) {
  std::size_t inside = 0;
  for_each_child(p, [&](const PhraseRef& c) { inside = std::max(inside, height(*c)); });
  return inside + 1;
}

void error_if_large(const Region& region, const std::string& name, const PhraseRef& body, Diagnostics& out) {
  if (node_count(*body) > most_nodes)
    out.push_back({region, name + " has more than " + std::to_string(most_nodes) + " nodes, its calls expanded",
                   "a program of reasonable size", ""});
  else if (height(*body) > deepest)
    out.push_back({region, name + " is more than " + std::to_string(deepest) + " operations deep, its calls expanded",
                   "fewer operations of which each takes the result of the one before", "use iterate or reduce"});
}

// Binders as the source has them, numbered where there are several of a name.
PhraseRef renamed(const PhraseProgram& p) {
  Names names;
  for (const std::string& s : p.sizes) names.reserve(s);
  for (const auto& [name, type] : p.parameters) names.reserve(name);
  return refresh(p.body, names);
}

// One entry point with its calls expanded, to at most so many nodes: TooManyNodes is thrown beyond.
Checked<PhraseProgram> expanded_within(const Elaboration& elaboration, std::size_t entry, const Calculus& calculus,
                                       std::size_t nodes) {
  PhraseProgram out = elaboration.entries.at(entry);
  Diagnostics errors;
  Names names;
  std::size_t none = 0;
  Elaborator elaborator(calculus, *elaboration.definitions, names, errors, elaboration.implied, none);
  elaborator.defining = out.name;
  for (const SizeFact& f : out.facts) elaborator.assume(f);
  for (const std::string& s : out.sizes) names.reserve(s);
  for (const auto& [name, type] : out.parameters) names.reserve(name);
  out.body = refresh(out.body, names);
  try {
    out.body = elaborator.expanded(out.body, nodes);
  } catch (const Failure&) {
    return tl::unexpected(errors);
  }
  error_if_large(elaboration.entry_regions.at(entry), out.name, out.body, errors);
  if (errors.empty()) errors = hierarchy_errors(out.body);
  if (!errors.empty()) return tl::unexpected(errors);
  out.body = renamed(out);
  return out;
}

class Inference {
 public:
  Inference(const Calculus& calculus, const SizeSolver& solver) : calculus_(calculus), solver_(solver) {
    out_.implied = implied_by(solver);
  }

  Checked<Elaboration> run(const surface::Program& program, Calls calls) {
    std::map<std::string, Region> seen;
    for (const surface::Definition& d : program.definitions) file_.emplace(d.name, &d);
    for (const surface::Definition& d : program.definitions) {
      if (!seen.emplace(d.name, d.name_region).second)
        diagnostics_.push_back(
            {d.name_region, "the name " + d.name + " is defined twice", "distinct names at the top level", ""});
      definition(d);
    }
    if (!diagnostics_.empty()) return tl::unexpected(diagnostics_);
    out_.definitions = std::make_shared<const Definitions>(std::move(defined_));
    if (calls == Calls::Left) {
      judge_places();
      if (!diagnostics_.empty()) return tl::unexpected(diagnostics_);
      return std::move(out_);
    }
    for (std::size_t k = 0; k < out_.entries.size(); ++k) {
      auto entry = expanded(out_, k, calculus_);
      if (!entry) return tl::unexpected(entry.error());
      out_.entries[k] = std::move(*entry);
    }
    return std::move(out_);
  }

 private:
  // What the places of calls decide is an error of the file, as far as expanding them takes little.
  void judge_places() {
    std::size_t left = judged_at_once;
    for (std::size_t k = 0; k < out_.entries.size(); ++k) {
      const Defined* d = out_.definitions->find(out_.entries[k].name);
      if (!d->has_calls || d->expanded_nodes > left) continue;
      left -= d->expanded_nodes;
      try {
        const auto entry = expanded_within(out_, k, calculus_, judged_at_once);
        if (!entry) diagnostics_.insert(diagnostics_.end(), entry.error().begin(), entry.error().end());
      } catch (const TooManyNodes&) {  // judged where it is used
      }
    }
  }

  void error(const Region& region, std::string message, std::string expected = {}, std::string mend = {}) {
    diagnostics_.push_back({region, std::move(message), std::move(expected), std::move(mend)});
  }

  void check_size_names(const Size& s, const std::set<std::string>& scope, const Region& region, bool in_fact = false) {
    std::set<std::string> names;
    collect_names(s, names);
    for (const std::string& n : names) {
      if (scope.contains(n) || !unknown_sizes_.insert(n).second) continue;
      const auto value = values_.find(n);
      if (value != values_.end()) {
        error(region, n + " is a value here, of the type " + show(value->second), "a size: a number or a size name",
              value_as_size(n, value->second, in_fact));
        continue;
      }
      const std::string near = nearest_name(n, {scope.begin(), scope.end()});
      error(region, "unknown size " + n, "a number or a size in scope",
            near.empty() ? "list it as [" + n + "] after the function's name" : "did you mean " + near + "?");
    }
  }

  static std::string value_as_size(const std::string& n, const Type& t, bool in_fact) {
    const auto* s = as<ScalarType>(t);
    const bool whole = s && is_integer(*s);
    const std::string as_size = "take it as a size, which is known before the program runs: (" + n + " : nat)";
    const std::string of_values = "what depends on a value is decided in the body: if ... then ... else ...";
    if (in_fact) return whole ? as_size + "; " + of_values : of_values;
    return whole ? as_size : "list a size, of another name, in [ ] after the function's name";
  }

  void check_type(const Type& t, const std::set<std::string>& scope, const Region& region) {
    match(
        t.node, [](ScalarType) {}, [&](const IndexType& x) { check_size_names(x.bound, scope, region); },
        [&](const ArrayType& x) {
          check_size_names(x.length, scope, region);
          std::optional<Size> elements = x.length;
          for (const auto* inner = as<ArrayType>(*x.element); inner && elements; inner = as<ArrayType>(*inner->element))
            elements = combined('*', *elements, inner->length);
          if (!elements) return error(region, "this array has more than 2^63 elements", "less");
          check_type(*x.element, scope, region);
          if (!is_data(*x.element)) error(region, "an array of functions", "an array of data");
        },
        [&](const PairType& x) {
          check_type(*x.first, scope, region), check_type(*x.second, scope, region);
          if (!is_data(*x.first) || !is_data(*x.second)) error(region, "a tuple of functions", "a tuple of data");
        },
        [&](const VectorType& x) {
          const auto w = x.width.constant();
          if (!w || !(*w == 2 || *w == 3 || *w == 4 || *w == 8 || *w == 16))
            error(region, "a short vector of " + show(x.width) + " lanes", "2, 3, 4, 8 or 16 lanes");
        },
        [&](const FunctionType& x) { check_type(*x.from, scope, region), check_type(*x.to, scope, region); },
        [](const TypeVariable&) {});
  }

  void definition(const surface::Definition& d) {
    const std::size_t before = diagnostics_.size();
    Names names;
    Elaborator elaborator(calculus_, defined_, names, diagnostics_, out_.implied, nodes_left_);
    elaborator.defining = d.name;
    elaborator.file = &file_;
    values_.clear();
    unknown_sizes_.clear();
    for (const surface::Parameter& p : d.parameters)
      if (p.type && p.name != "_") values_.emplace(p.name, p.type->type);
    Defined out{d.name, {}, {}, d.result.type, {}, {}, skip()};
    std::set<std::string> scope, all;
    const auto add = [&](const std::string& n, const Region& region) {
      if (n != "_" && !all.insert(n).second)
        error(region, "the name " + n + " stands twice in the signature of " + d.name, "distinct names");
      names.reserve(n);
    };
    for (const auto& [n, region] : d.sizes) {
      add(n, region);
      scope.insert(n);
      out.implicit_sizes.push_back(n);
      elaborator.declare(n, Size::name(n));
    }
    for (const surface::Parameter& p : d.parameters)
      if (!p.type) {
        add(p.name, p.region);
        scope.insert(p.name);
        elaborator.declare(p.name, Size::name(p.name));
      }
    std::vector<surface::SizeNeed> needs;
    const auto take = [&](const std::vector<surface::SizeNeed>& more) {
      needs.insert(needs.end(), more.begin(), more.end());
    };
    std::set<std::string> types;
    bool data = is_data(d.result.type);
    for (const surface::Parameter& p : d.parameters) {
      out.parameters.push_back({p.name, p.type ? std::optional(p.type->type) : std::nullopt});
      if (!p.type) continue;
      std::string n = p.name;
      if (n == "_")
        out.parameters.back().name = n = names.fresh("unused");
      else
        add(n, p.region);
      check_type(p.type->type, scope, p.type->region);
      take(p.type->needs);
      std::set<std::string> sizes;
      collect_names(p.type->type, sizes, types);
      data = data && is_data(p.type->type);
      elaborator.declare(p.name, Typed{ident(n, phrase_type(p.type->type)), p.type->type});
    }
    check_type(d.result.type, scope, d.result.region);
    if (!is_data(d.result.type)) error(d.result.region, "the result of " + d.name + " is a function", "data");
    take(d.result.needs);
    std::set<std::string> result_sizes;
    const std::set<std::string> parameter_types = types;
    collect_names(d.result.type, result_sizes, types);
    for (const std::string& t : types)
      if (!parameter_types.contains(t))
        error(d.result.region, "the result's type '" + t + " is in no parameter",
              "a type variable that a parameter determines");
    out.type_variables.assign(types.begin(), types.end());
    for (const surface::Fact& f : d.facts) {
      check_size_names(f.fact.left, scope, f.region, true);
      check_size_names(f.fact.right, scope, f.region, true);
      take(f.needs);
      out.facts.push_back(f.fact);
      fact_region_ = f.region;
      elaborator.assume(f.fact);
    }
    if (diagnostics_.size() == before) {
      const Elaborator untouched = elaborator;
      try {
        out.body = elaborator.definition(d.body, d.result.type);
        out.body = renamed(program_of(out));
      } catch (const Failure&) {
      } catch (const SizeTooLarge&) {
        error(d.name_region, d.name + " has a size that is too large to reason about", "coefficients below 2^63");
      }
      if (diagnostics_.size() > before && !explain_order(d, elaborator.misfits, untouched, before))
        explain_accumulator(d, elaborator.accumulating, untouched, before);
    }
    std::vector<SizeObligation> obligations;
    for (const surface::SizeNeed& n : needs)
      obligations.push_back({n.fact, {}, n.region, "the size written here", {}, Verdict::Unknown, {}, 0});
    obligations.insert(obligations.end(), elaborator.obligations.begin(), elaborator.obligations.end());
    if (diagnostics_.size() == before) settle(obligations, out, elaborator, needs.size());
    // What stands in a function that was called is seen where it is called, once that is expanded.
    if (diagnostics_.size() == before) error_if_large(d.name_region, d.name, out.body, diagnostics_);
    if (diagnostics_.size() == before)
      for (Diagnostic& e : hierarchy_errors(out.body)) diagnostics_.push_back(std::move(e));
    const bool entry = data && types.empty();
    if (entry && diagnostics_.size() == before)
      out_.entries.push_back(program_of(out)), out_.entry_regions.push_back(d.name_region);
    // A call of a definition with an error is looked at all the same, against its signature.
    if (diagnostics_.size() != before) out.body = placeholder(out);
    defined_.add(std::move(out));
  }

  // Errors stop the run before anybody looks at it.
  static PhraseRef placeholder(const Defined& d) { return Phrase{phrase_type(d.result), Ident{"_"}}; }

  // Takes back the errors from `before` on; whether none of them was at this place.
  bool taken_back(std::size_t before, const Region& place) {
    const auto begin = diagnostics_.begin() + static_cast<std::ptrdiff_t>(before);
    const bool none = std::none_of(begin, diagnostics_.end(), [&](const Diagnostic& e) {
      return e.region.begin < place.end && place.begin < e.region.end;
    });
    diagnostics_.erase(begin, diagnostics_.end());
    return none;
  }

  // An error in an argument of a call that is none when two of the arguments are exchanged.
  bool explain_order(const surface::Definition& d, const std::vector<Elaborator::MisfitCall>& misfits,
                     const Elaborator& untouched, std::size_t told_at) {
    if (misfits.empty()) return false;
    const Elaborator::MisfitCall& call = misfits.front();
    const Region at = diagnostics_[told_at].region;
    if (at.begin < call.argument.begin || call.argument.end < at.end) return false;
    for (const std::size_t other : call.others) {
      const std::size_t before = diagnostics_.size();
      Elaborator exchanged = untouched;
      exchanged.exchange = {call.call, call.k, other};
      try {
        exchanged.definition(d.body, d.result.type);
      } catch (const Failure&) {
      } catch (const SizeTooLarge&) {
        diagnostics_.push_back({call.call, "", "", ""});
      }
      const std::string instead = exchanged.exchange_text;
      if (!taken_back(before, call.call) || instead.empty()) continue;
      const std::string first = call.name == "while" ? "the condition comes first: " : "write ";
      diagnostics_[told_at] = {call.call, "the arguments of " + call.name + " stand in another order",
                               "arguments as in its type, " + call.type, first + instead};
      return true;
    }
    return false;
  }

  // An error in a function of reduce or scan that is none when its parameters are exchanged.
  void explain_accumulator(const surface::Definition& d, const std::vector<Region>& functions,
                           const Elaborator& untouched, std::size_t told_at) {
    const Region at = diagnostics_[told_at].region;
    const Region* innermost = nullptr;
    for (const Region& f : functions)
      if (f.begin <= at.begin && at.end <= f.end && (!innermost || innermost->begin <= f.begin)) innermost = &f;
    if (!innermost) return;
    const std::size_t before = diagnostics_.size();
    Elaborator exchanged = untouched;
    exchanged.reversed = *innermost;
    try {
      exchanged.definition(d.body, d.result.type);
    } catch (const Failure&) {
    }
    if (!taken_back(before, *innermost)) return;
    const std::string instead = exchanged.reversed_text;
    diagnostics_[told_at].mend =
        "the element comes first, then the accumulator" + (instead.empty() ? "" : ": " + instead);
  }

  // Obligations from `own` on are the elaborator's. One error of each equality of types, and of each fact.
  void settle(std::vector<SizeObligation>& obligations, const Defined& d, const Elaborator& elaborator,
              std::size_t own) {
    SizeContext context;
    for (const SizeFact& f : d.facts) context.assume(f);
    // From facts that contradict each other everything follows, and nothing would be checked.
    if (!d.facts.empty() && !possible(d.facts) &&
        (context.proves({1, SizeRelation::LessEqual, 0}) ||
         (solver_ && solver_(d.facts, {1, SizeRelation::LessEqual, 0}).verdict == Verdict::Solved)))
      error(fact_region_, "no sizes satisfy the facts of " + d.name, "facts that do not contradict each other");
    for (const SizeFact& f : d.facts) out_.obligations.push_back({f, {}, {}, "where", d.name, Verdict::Assumed, {}, 0});
    const std::size_t told_before = diagnostics_.size();
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
      discharge(o, context, solver_);
      const bool failed = o.verdict == Verdict::Refuted || o.verdict == Verdict::Unknown;
      const auto types = failed && k >= own ? elaborator.equality_of(k - own) : std::nullopt;
      const bool news = failed && told.insert(either_way(o.goal)).second;
      if ((!types || told_types.insert(*types).second) && news)
        (below_zero(o.goal) ? consequences : diagnostics_)
            .push_back(types ? diagnostic_of(o, elaborator.mismatch_of(k - own), d.parameters) : diagnostic_of(o));
      out_.obligations.push_back(std::move(o));
    }
    if (diagnostics_.size() == told_before && !consequences.empty()) diagnostics_.push_back(consequences.front());
  }

  // Of a size that is no natural number, which is an error where the size is made.
  static bool below_zero(const SizeFact& f) {
    return f.left.constant().value_or(0) < 0 || f.right.constant().value_or(0) < 0;
  }

  // a == b and b == a are one fact.
  static std::string either_way(const SizeFact& f) {
    const bool turn = f.relation == SizeRelation::Equal && compare(f.right, f.left) < 0;
    return show(turn ? SizeFact{f.right, f.relation, f.left} : f);
  }

  static PhraseType phrase_type(const Type& t) {
    if (const auto* f = as<FunctionType>(t)) return phrase_function(phrase_type(*f->from), phrase_type(*f->to));
    return exp_type(t);
  }

  static PhraseProgram program_of(const Defined& d) {
    PhraseProgram p{d.name, d.implicit_sizes, 0, {}, d.result, d.facts, d.body, ""};
    for (const Defined::Parameter& q : d.parameters) {
      if (q.type)
        p.parameters.emplace_back(q.name, *q.type);
      else
        p.sizes.push_back(q.name), ++p.explicit_sizes;
    }
    return p;
  }

  const Calculus& calculus_;
  const SizeSolver& solver_;
  Diagnostics diagnostics_;
  Region fact_region_;  // of the last one of the definition
  std::map<std::string, const surface::Definition*> file_;
  std::map<std::string, Type> values_;   // parameters of the definition that are no sizes
  std::set<std::string> unknown_sizes_;  // of the definition, told already
  Definitions defined_;
  std::size_t nodes_left_ = expanded_at_once;
  Elaboration out_;
};

}  // namespace

Checked<PhraseProgram> expanded(const Elaboration& elaboration, std::size_t entry, const Calculus& calculus) {
  const PhraseProgram& out = elaboration.entries.at(entry);
  const Region& region = elaboration.entry_regions.at(entry);
  const Defined* defined = elaboration.definitions ? elaboration.definitions->find(out.name) : nullptr;
  if (!defined || !defined->has_calls) return out;
  if (defined->expanded_nodes > most_nodes)
    return tl::unexpected(Diagnostics{
        {region, out.name + " has at least " + std::to_string(defined->expanded_nodes) + " nodes, its calls expanded",
         "at most " + std::to_string(most_nodes), "a function that calls another one twice doubles it"}});
  try {
    return expanded_within(elaboration, entry, calculus, most_nodes);
  } catch (const TooManyNodes& at) {
    return tl::unexpected(
        Diagnostics{{at.region, out.name + " expands to more than " + std::to_string(most_nodes) + " nodes", "",
                     "name what is computed twice: let y = f x in ..."}});
  }
}

Checked<Elaboration> infer(const surface::Program& program, const Calculus& calculus, const SizeSolver& solver,
                           Calls calls) {
  return Inference(calculus, solver).run(program, calls);
}

}  // namespace lockstep
