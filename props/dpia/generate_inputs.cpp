// Inputs for a program: sizes that satisfy its facts, values for its parameters, and values as the leaves' scalars.
#include <algorithm>

#include "props/dpia/generate.h"

namespace lockstep::props {
namespace {

bool satisfies(const PhraseProgram& p, const SizeValues& sizes) {
  return std::all_of(p.facts.begin(), p.facts.end(), [&](const SizeFact& f) { return evaluate(f, sizes) == true; });
}

std::int64_t number(const Size& s, const SizeValues& sizes) {
  const auto n = evaluate(s, sizes);
  if (!n || *n < 0) throw Bug("the size " + show(s) + " of an input is no natural number");
  return *n;
}

Scalar random_scalar(ScalarType t, Random& r) {
  if (t == ScalarType::Bool) return make_bool(r.percent(50));
  if (is_float(t)) {
    if (r.percent(7)) return make_ieee(t, special_float(r, t == ScalarType::F32));
    const double quarters = (r.below(41) - 20) / 4.0;
    return make_ieee(t, quarters + (r.percent(30) ? 0.1 : 0));
  }
  if (r.percent(4)) return make_integer(t, r.next());
  const int low = is_signed(t) ? -3 : 0;
  return make_integer(t, static_cast<std::uint64_t>(static_cast<std::int64_t>(low + r.below(12))));
}

Value random_value(const Type& t, const SizeValues& sizes, Random& r) {
  if (const auto* s = as<ScalarType>(t)) return scalar_value(random_scalar(*s, r));
  if (const auto* p = as<PairType>(t)) {
    Value first = random_value(*p->first, sizes, r);
    return pair_value(std::move(first), random_value(*p->second, sizes, r));
  }
  if (const auto* v = as<VectorType>(t)) {
    Lanes lanes;
    for (std::int64_t l = number(v->width, sizes); l > 0; --l)
      lanes.push_back(random_scalar(*as<ScalarType>(*v->element), r));
    return lanes_value(std::move(lanes));
  }
  if (const auto* a = as<ArrayType>(t)) {
    std::vector<Value> items;
    for (std::int64_t n = number(a->length, sizes); n > 0; --n) items.push_back(random_value(*a->element, sizes, r));
    return array_value(std::move(items));
  }
  throw Bug("no random input of type " + show(t));
}

Value unflatten_from(const Scalars& leaves, std::vector<std::size_t>& at, std::size_t first, const Type& t,
                     const SizeValues& sizes) {
  if (const auto* p = as<PairType>(t)) {
    Value left = unflatten_from(leaves, at, first, *p->first, sizes);
    return pair_value(std::move(left),
                      unflatten_from(leaves, at, first + leaves_of(*p->first).size(), *p->second, sizes));
  }
  if (const auto* a = as<ArrayType>(t)) {
    std::vector<Value> items;
    for (std::int64_t n = number(a->length, sizes); n > 0; --n)
      items.push_back(unflatten_from(leaves, at, first, *a->element, sizes));
    return array_value(std::move(items));
  }
  const auto take = [&] { return leaves.at(first).at(at[first]++); };
  const auto* v = as<VectorType>(t);
  if (!v) return scalar_value(take());
  Lanes lanes;
  for (std::int64_t l = number(v->width, sizes); l > 0; --l) lanes.push_back(take());
  return lanes_value(std::move(lanes));
}

}  // namespace

std::vector<SizeValues> small_sizes(const PhraseProgram& p, std::size_t count, Random& random) {
  static const std::vector<std::int64_t> values = {0, 1, 2, 3, 5, 8}, fitting = {0, 2, 3, 4, 6, 8, 12};
  std::vector<SizeValues> out;
  if (p.sizes.empty()) return {SizeValues{}};
  for (int tries = 0; tries < (out.empty() ? 1000 : 60) && out.size() < count; ++tries) {
    SizeValues sizes;
    for (const std::string& n : p.sizes) sizes[n] = random.among(tries % 2 == 0 || p.facts.empty() ? values : fitting);
    if (satisfies(p, sizes) && std::find(out.begin(), out.end(), sizes) == out.end()) out.push_back(std::move(sizes));
  }
  const auto total = [](const SizeValues& v) {
    std::int64_t sum = 0;
    for (const auto& [name, n] : v) sum += n;
    return sum;
  };
  std::stable_sort(out.begin(), out.end(),
                   [&](const SizeValues& a, const SizeValues& b) { return total(a) < total(b); });
  return out;
}

std::vector<Value> random_arguments(const PhraseProgram& p, const SizeValues& sizes, Random& random) {
  std::vector<Value> out;
  for (const auto& [name, type] : p.parameters) out.push_back(random_value(type, sizes, random));
  return out;
}

Scalars leaves_of_arguments(const PhraseProgram& p, const std::vector<Value>& arguments, const SizeValues& sizes) {
  Scalars out;
  for (std::size_t k = 0; k < p.parameters.size(); ++k)
    for (auto& leaf : flatten(arguments[k], p.parameters[k].second, sizes)) out.push_back(std::move(leaf));
  return out;
}

Value unflatten(const Scalars& leaves, const Type& type, const SizeValues& sizes) {
  std::vector<std::size_t> at(leaves.size(), 0);
  return unflatten_from(leaves, at, 0, type, sizes);
}

}  // namespace lockstep::props
