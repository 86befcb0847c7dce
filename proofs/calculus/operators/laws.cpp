// The laws that the scalar operators claim (ScalarOp::laws), at each type: proved of the operators' terms, which are
// tested against their C++ meanings. Sums and products of floats are associative up to rounding only: assumed.
#include "proofs/calculus/operators/laws.h"

#include <cmath>
#include <limits>
#include <random>

#include "proofs/calculus/list.h"
#include "proofs/calculus/operators/terms.h"

namespace lockstep::proofs {
namespace {

std::string shown(const std::vector<ScalarType>& types) {
  std::string out;
  for (const ScalarType t : types) out += (out.empty() ? "" : " ") + std::string(show(t));
  return out;
}

// Of floats: IEEE equality, and a NaN like a NaN.
Term same_value(const Term& a, const Term& b) {
  if (a.sort.kind != Sort::Float) return equal(a, b);
  const auto nan = [](const Term& x) { return make(TermOp::FloatIsNan, boolean, {x}); };
  return any_of({make(TermOp::FloatEqual, boolean, {a, b}), all_of({nan(a), nan(b)})});
}

Term law_term(const ScalarOp& op, Law law, ScalarType t, std::int64_t identity) {
  const Term x = name("x", sort_of(t)), y = name("y", sort_of(t)), z = name("z", sort_of(t));
  const auto f = [&](const Term& a, const Term& b) {
    const auto out = operator_term(op, t, {a, b});
    if (!out) throw Bug("a law of an operator that has no term");
    return *out;
  };
  switch (law) {
    case Law::Commutative:
      return same_value(f(x, y), f(y, x));
    case Law::Associative:
      return same_value(f(f(x, y), z), f(x, f(y, z)));
    case Law::Identity: {
      const Term e = value_term(is_float(t) ? make_ieee(t, static_cast<double>(identity))
                                            : make_integer(t, static_cast<std::uint64_t>(identity)));
      return all_of({same_value(f(e, x), x), same_value(f(x, e), x)});
    }
  }
  throw Bug("law");
}

// A sum or product as IEEE 754 defines it (§4.3, §6.1, §6.3). What is known of floats is their class and sign and, of
// finite ones, their value, a whole number of times the least positive one; `rounded` is the rounding, whatever it
// does.
Term defined(OnReals op, const Term& x, const Term& y) {
  const auto is = [](const char* what, const Term& v) { return call(what, boolean, {v}); };
  const auto value = [](const Term& v) { return call("value", integer, {v}); };
  const auto special = [](const char* what, const Term& negative) { return call(what, element_sort, {negative}); };
  const Term nan = name("nan", element_sort), nx = is("negative", x), ny = is("negative", y), ix = is("infinite", x),
             iy = is("infinite", y);
  const Term any_nan = any_of({is("nan", x), is("nan", y)}), signs_differ = unequal(nx, ny);
  if (op == OnReals::Sum) {
    const Term sum = value(x) + value(y);
    const Term finite =
        choose(equal(sum, number(0)), special("zero", all_of({nx, ny})), call("rounded", element_sort, {sum}));
    const Term one_infinite = choose(ix, special("infinity", nx), choose(iy, special("infinity", ny), finite));
    return choose(any_of({any_nan, all_of({ix, iy, signs_differ})}), nan, one_infinite);
  }
  const auto zero = [&](const Term& v) { return equal(value(v), number(0)); };
  const Term product = value(x) * value(y);
  const Term finite = choose(equal(product, number(0)), special("zero", signs_differ),
                             call("rounded product", element_sort, {product}));
  const Term no_product = any_of({all_of({ix, negation(iy), zero(y)}), all_of({iy, negation(ix), zero(x)})});
  return choose(any_of({any_nan, no_product}), nan,
                choose(any_of({ix, iy}), special("infinity", signs_differ), finite));
}

std::string text_of(Law law, std::int64_t identity) {
  if (law == Law::Identity) return std::to_string(identity) + " is neutral";
  return law == Law::Commutative ? "commutative" : "associative";
}

// ------------------------------------------------------------------------------------------------- values to test on
std::vector<Scalar> edge_values(ScalarType t) {
  if (t == ScalarType::Bool) return {make_bool(false), make_bool(true)};
  std::vector<Scalar> out;
  if (is_float(t)) {
    const bool single = t == ScalarType::F32;
    const double tiny = single ? std::numeric_limits<float>::denorm_min() : std::numeric_limits<double>::denorm_min();
    const double great = single ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
    for (const double v :
         {0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e-3, tiny, great, -great, std::numeric_limits<double>::infinity(),
          -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
      out.push_back(make_ieee(t, v));
    return out;
  }
  const std::uint64_t top = std::uint64_t(1) << (bits_of(t) - 1);
  for (const std::uint64_t v : {std::uint64_t(0), std::uint64_t(1), std::uint64_t(2), std::uint64_t(7),
                                std::uint64_t(33), top - 1, top, top + 1, ~std::uint64_t(0)})
    out.push_back(make_integer(t, v));
  return out;
}

Scalar drawn(ScalarType t, std::mt19937_64& random) {
  if (t == ScalarType::Bool) return make_bool(random() & 1);
  if (!is_float(t)) {
    const std::uint64_t bits = random();
    return make_integer(t, bits >> (random() % 64));
  }
  const auto mantissa = static_cast<double>(static_cast<std::int64_t>(random()));
  return make_ieee(t, std::ldexp(mantissa, static_cast<int>(random() % 80) - 100));
}

// All pairs of edge values, and drawn arguments.
std::vector<std::vector<Scalar>> arguments_of(ScalarType t, int arity, int random_ones, std::mt19937_64& random) {
  std::vector<std::vector<Scalar>> out;
  const auto edges = edge_values(t);
  for (const Scalar& a : edges)
    for (const Scalar& b : arity > 1 ? edges : std::vector<Scalar>(1))
      out.push_back(arity == 1   ? std::vector{a}
                    : arity == 2 ? std::vector{a, b}
                                 : std::vector{a, b, edges[out.size() % edges.size()]});
  for (int k = 0; k < random_ones; ++k) {
    std::vector<Scalar> x;
    for (int i = 0; i < arity; ++i) x.push_back(drawn(t, random));
    out.push_back(std::move(x));
  }
  return out;
}

std::optional<Scalar> meaning_of(const ScalarOp& op, ScalarType t, const std::vector<Scalar>& x) {
  try {
    return op.meaning(ieee_domain(), t, x);
  } catch (const TrapSignal&) {
    return {};
  }
}

// As numbers_of gives it.
std::optional<std::uint64_t> bits_of_value(const Scalar& s) {
  if (is_float(s.type) && std::isnan(s.ieee())) return {};
  return value_term(s).number;
}

}  // namespace

Obligation operator_law(const std::string& name, const ScalarOp& op, Law law, const std::vector<ScalarType>& types,
                        std::int64_t identity) {
  return {"operators", name, text_of(law, identity) + " on " + shown(types), [=](const Solver& solver) {
            std::vector<Case> cases;
            for (const ScalarType t : types)
              cases.push_back({{{}, law_term(op, law, t, identity), {}}, std::string(show(t))});
            return decide_all(cases, 10000, solver);
          }};
}

Obligation commutative_by_definition(const std::string& op, OnReals of, const std::vector<ScalarType>& floats) {
  return {"operators", op, "commutative on " + shown(floats), [=](const Solver& solver) {
            const Term x = name("x", element_sort), y = name("y", element_sort);
            Outcome out = decide_all({{{{}, equal(defined(of, x, y), defined(of, y, x)), {}}}}, 10000, solver);
            if (out.standing == Standing::Proved) out.method = names_of(out.by) + ", as IEEE 754 defines it";
            return out;
          }};
}

std::vector<ScalarType> types_with_term(const ScalarOp& op) {
  std::vector<ScalarType> out;
  for (const ScalarType t : op.types())
    if (operator_term(
            op, t,
            std::vector<Term>(static_cast<std::size_t>(static_cast<const int&>(op.arity)), name("x", sort_of(t)))))
      out.push_back(t);
  return out;
}

Outcome meanings_agree(const ScalarOp& op, int random_ones) {
  std::mt19937_64 random(1);
  std::size_t cases = 0;
  for (const ScalarType t : types_with_term(op)) {
    std::vector<Term> terms;
    std::vector<std::pair<std::vector<Scalar>, Scalar>> meanings;
    for (const auto& x : arguments_of(t, op.arity, random_ones, random)) {
      std::vector<Term> values;
      for (const Scalar& s : x) values.push_back(value_term(s));
      const auto meaning = meaning_of(op, t, x);
      if (!meaning) continue;  // a trap
      terms.push_back(*operator_term(op, t, values));
      meanings.emplace_back(x, *meaning);
    }
    const auto numbers = numbers_of(terms);
    cases += numbers.size();
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      if (numbers[k] == bits_of_value(meanings[k].second)) continue;
      std::string at = std::string(show(t)) + ":";
      for (const Scalar& s : meanings[k].first) at += " " + show(s, ieee_domain());
      return {Standing::Refuted, "tested",
              at + " gives " + show(meanings[k].second, ieee_domain()) + ", its term another"};
    }
  }
  if (cases == 0) return {Standing::Unknown, "", "it has no term"};
  return {Standing::Tested, std::to_string(cases) + " values, seed 1", ""};
}

std::vector<Obligation> operator_obligations(const CalculusRef& calculus) {
  std::vector<Obligation> all;
  for (const std::string& op : calculus->names()) {
    const auto* facets = std::get_if<ScalarOp>(&calculus->primitive(op)->kind);
    if (!facets) continue;
    const std::vector<ScalarType> with_term = types_with_term(*facets);
    if (!with_term.empty())
      all.push_back({"operators", op, "its term is its meaning on " + shown(with_term),
                     [=](const Solver&) { return meanings_agree(std::get<ScalarOp>(calculus->primitive(op)->kind)); }});
    const std::vector<ScalarType> types = facets->types();
    std::vector<ScalarType> whole, floats;
    for (const ScalarType t : types) (is_float(t) ? floats : whole).push_back(t);
    const bool exact = facets->on_reals == OnReals::Exact;  // nothing is rounded
    for (const auto* group : {&whole, &floats}) {
      if (group->empty()) continue;
      const bool rounded = group == &floats && !exact;
      if (facets->laws.commutative)
        all.push_back(rounded ? commutative_by_definition(op, facets->on_reals, floats)
                              : operator_law(op, *facets, Law::Commutative, *group));
      if (facets->laws.associative && !rounded) all.push_back(operator_law(op, *facets, Law::Associative, *group));
      if (facets->laws.associative && rounded)
        all.push_back({"operators", op, "associative on " + shown(floats), [](const Solver&) {
                         return Outcome{Standing::Assumed, "up to rounding", ""};
                       }});
      if (facets->laws.identity)
        all.push_back(operator_law(op, *facets, Law::Identity, *group, *facets->laws.identity));
    }
  }
  return all;
}

}  // namespace lockstep::proofs
