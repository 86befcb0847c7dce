// Equalities of types, and what must hold of sizes.
#include "semantics/functional/inference/constraints.h"

#include <algorithm>

#include "semantics/functional/inference/advice.h"

namespace lockstep::inference {

// Unknowns as _.
std::string readable(const Type& t) {
  std::string out;
  bool unknown = false;
  const std::string text = show(t);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'' && i + 1 < text.size() && text[i + 1] == '?') continue;
    if (text[i] == '?') {
      unknown = true;
      out += '_';
    } else if (!(unknown && std::isdigit(static_cast<unsigned char>(text[i])))) {
      unknown = false;
      out += text[i];
    }
  }
  return out;
}

namespace {

// The number that stands in one where an index stands in the other.
std::optional<ScalarType> number_for_index(const Type& index, const Type& number) {
  const auto* s = as<ScalarType>(number);
  if (as<IndexType>(index)) return s ? std::optional(*s) : std::nullopt;
  const auto *a = as<ArrayType>(index), *b = as<ArrayType>(number);
  if (a && b) return number_for_index(*a->element, *b->element);
  const auto *p = as<PairType>(index), *q = as<PairType>(number);
  if (!p || !q) return {};
  const auto first = number_for_index(*p->first, *q->first);
  return first ? first : number_for_index(*p->second, *q->second);
}

std::string mend_of(const Type& expected, const Type& found) {
  if (as<IndexType>(found) && as<ScalarType>(expected))
    return "an index becomes a number by a conversion: " + show(expected) + " (...)";
  if (as<ScalarType>(expected) && as<ScalarType>(found)) return "convert with " + show(expected) + " (...)";
  if (as<VectorType>(expected) && as<ScalarType>(found))
    return "a scalar becomes a short vector by splat " + show(as<VectorType>(expected)->width);
  if (as<FunctionType>(found) && !as<FunctionType>(expected)) return "an argument seems to be missing";
  if (const auto s = number_for_index(found, expected)) {
    const std::string to = std::string(show(*s));
    const auto* array = as<ArrayType>(found);
    return array && as<IndexType>(*array->element)
               ? "indices become numbers by a conversion of each: map (\\i -> " + to + " i) (...)"
               : "an index becomes a number by a conversion, where it stands: " + to + " i";
  }
  if (const auto* e = as<ArrayType>(expected), *f = as<ArrayType>(found);
      e && f && as<ScalarType>(*e->element) && as<ScalarType>(*f->element))
    return "convert each element: map (\\x -> " + show(*e->element) + " x) (...)";
  if (number_for_index(expected, found)) return std::string(no_number_is_an_index);
  return "";
}

bool overlap(const Region& a, const Region& b) { return a.begin < b.end && b.begin < a.end; }

}  // namespace

void Constraints::report(const Region& region, std::string message, std::string expected, std::string mend) {
  errors_.push_back({region, std::move(message), std::move(expected), std::move(mend)});
}

void Constraints::fail(const Region& region, std::string message, std::string expected, std::string mend) {
  report(region, std::move(message), std::move(expected), std::move(mend));
  throw Failure{};
}

void Constraints::unify(const Type& expected, const Type& found, const Region& region, const std::string& what) {
  const std::size_t before = types.pending();
  types.unification = equalities_.size() + 1;
  const bool fits = types.unify(expected, found, region, what);
  types.unification = 0;
  if (fits) {
    if (types.pending() > before) equalities_.push_back({expected, found, region});
    return;
  }
  const Type e = types.deep(expected), f = types.deep(found);
  std::string mend = mend_of(e, f);
  for (const LocalArgument& a : local_arguments_)
    if (a.region.begin == region.begin && a.region.end == region.end)
      mend = a.function + " is a local function, which has one type, that of its first use" +
             (mend.empty() ? "" : ": " + mend) + "; or write one for each type with `fun`, above";
  fail(region, what + " has the type " + readable(f), readable(e), mend);
}

void Constraints::at_local_argument(const Region& region, std::string function) {
  local_arguments_.push_back({region, std::move(function)});
}

std::optional<std::size_t> Constraints::equality_of(std::size_t k) const {
  const auto it = equality_of_.find(k);
  return it == equality_of_.end() ? std::nullopt : std::optional(it->second);
}

Mismatch Constraints::mismatch_of(std::size_t k) const {
  const Equality& e = equalities_.at(equality_of_.at(k));
  Mismatch out{types.deep(e.expected), types.deep(e.found), ""};
  for (const LocalArgument& a : local_arguments_)
    if (a.region.begin == e.region.begin && a.region.end == e.region.end) out.local_function = a.function;
  return out;
}

void Constraints::require(SizeFact fact, const Region& region, std::string origin) {
  obligations.push_back({std::move(fact), {}, region, std::move(origin), {}, Verdict::Unknown, {}, {}, 0});
}

// What is open in a function that nothing uses is open for that reason. Otherwise one error for each place: what stands
// around and in it is open for the same reason.
void Constraints::refuse_unknowns(const std::vector<Binding>& unused_functions) {
  const std::vector<Unifier::Open> open_types = types.open_types(), open_sizes = types.open_sizes();
  std::vector<Region> told;
  const auto tell = [&](const Region& region, const std::string& message, const char* expected, const char* mend) {
    if (std::any_of(told.begin(), told.end(), [&](const Region& r) { return overlap(r, region); })) return;
    told.push_back(region);
    report(region, message, expected, mend);
  };
  for (const auto& open : {open_types, open_sizes})
    for (const Unifier::Open& o : open)
      for (const Binding& f : unused_functions)
        if (f.local_function.begin <= o.region.begin && o.region.end <= f.local_function.end)
          tell(f.local_function, "nothing uses the local function " + f.name + ", so nothing determines its type",
               "a use of it", "leave it out");
  if (!told.empty()) throw Failure{};
  for (const Unifier::Open& o : open_types)
    tell(o.region, "nothing determines " + o.what, "",
         "give a literal a suffix, or use the value where its type is known");
  for (const Unifier::Open& o : open_sizes)
    tell(o.region, "nothing determines " + o.what, "",
         "make it an explicit size argument, (k : nat), or give the array a known length");
  if (!told.empty()) throw Failure{};
}

// Of a size that is a number below 0, what it needs: from 5 + m == 3 that 5 <= 3.
SizeFact Constraints::needed_of_negative(const std::string& name, const Size& value) const {
  if (const SizeEquation* from = types.solved_from(name))
    for (const auto& [side, other] : {std::pair{from->left, from->right}, std::pair{from->right, from->left}}) {
      if (!mentions(side, name) || mentions(other, name)) continue;
      const Size at_zero = types.size(lockstep::substitute(side, {{name, Size(0)}})), goal = types.size(other);
      if (goal - at_zero == value && at_zero.constant() && goal.constant())
        return {at_zero, SizeRelation::LessEqual, goal};
    }
  return {0, SizeRelation::LessEqual, value};
}

namespace {
// What is divided in it and may be below 0.
std::vector<Size> signed_dividends(const Size& s) {
  std::vector<Size> out;
  for (const SizeTerm& t : s.terms())
    for (const auto& [atom, power] : t.powers)
      if (atom.division) {
        bool minus = false;
        for (const SizeTerm& inner : atom.division->first.terms()) minus = minus || inner.coefficient < 0;
        if (minus) out.push_back(atom.division->first);
      }
  return out;
}
}  // namespace

// A size is a natural number: k <= n where an unknown was solved as n - k.
void Constraints::natural_solutions() {
  const SizeSubstitution solution = types.size_solution();
  for (const auto& [name, value] : solution) {
    const auto need = [&, name = name](SizeFact fact) {
      require(std::move(fact), types.region_of(name), types.what_of(name));
    };
    const Size positive = positive_part(value), negative = positive - value;
    // A floor division of something negative would be negative without a minus in front.
    for (const Size& dividend : signed_dividends(value)) need({0, SizeRelation::LessEqual, dividend});
    if (value.constant().value_or(0) < 0)
      need(needed_of_negative(name, value));
    else if (!(negative == Size(0)))
      need({negative, SizeRelation::LessEqual, positive});
  }
}

void Constraints::collect() {
  natural_solutions();
  for (const SizeEquation& e : types.equations()) {
    const SizeFact fact{types.size(e.left), SizeRelation::Equal, types.size(e.right)};
    if (fact.left == fact.right) continue;
    if (e.unification) equality_of_.emplace(obligations.size(), e.unification - 1);
    require(fact, e.region, e.origin);
  }
  const SizeSubstitution solution = types.size_solution();
  for (SizeObligation& o : obligations) o.goal = lockstep::substitute(o.goal, solution);
}

}  // namespace lockstep::inference
