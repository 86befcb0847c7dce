#include "props/dpia/large_sizes.h"

#include <algorithm>

#include "props/dpia/sizes.h"
#include "semantics/functional/cost.h"

namespace lockstep::props {
namespace {

constexpr std::int64_t expected_rounds = 10;  // of `while`
constexpr std::int64_t longest = 10000;       // array, or loop

bool is_short(const Size& s, const SizeValues& sizes) {
  const auto n = evaluate(s, sizes);
  return n && *n >= 0 && *n <= longest;
}
bool is_short(const Type& t, const SizeValues& sizes) {
  const auto go = [&](const Ref<Type>& r) { return is_short(*r, sizes); };
  return match(
      t.node, [](ScalarType) { return true; }, [](const IndexType&) { return true; },
      [&](const ArrayType& a) { return is_short(a.length, sizes) && go(a.element); },
      [&](const PairType& p) { return go(p.first) && go(p.second); }, [](const VectorType&) { return true; },
      [&](const FunctionType& f) { return go(f.from) && go(f.to); }, [](const TypeVariable&) { return false; });
}
// Every array that stands anywhere in it, and every count of a loop.
bool is_short(const Phrase& p, const SizeValues& sizes) {
  const auto* e = std::get_if<ExpType>(&p.type.node);
  bool all = !e || is_short(e->data, sizes);
  if (const auto* x = as<PrimPhrase>(p))
    all = all && std::all_of(x->sizes.begin(), x->sizes.end(), [&](const Size& s) { return is_short(s, sizes); });
  for_each_child(p, [&](const PhraseRef& c) { all = all && is_short(*c, sizes); });
  return all;
}

bool is_short(const PhraseProgram& p, const SizeValues& sizes) {
  return is_short(*p.body, sizes) && is_short(p.result, sizes) &&
         std::all_of(p.parameters.begin(), p.parameters.end(),
                     [&](const auto& x) { return is_short(x.second, sizes); });
}

}  // namespace

double load_at(const PhraseProgram& p, const SizeValues& sizes) {
  SizeValues with = sizes;
  with.emplace("#iterations", expected_rounds);
  const Cost c = cost(p);
  const auto value = [&](const Size& s) { return static_cast<double>(evaluate(s, with).value_or(1LL << 40)); };
  return std::max({element_count(p, sizes), value(c.work) / 3, value(c.space)});
}

std::optional<SizeValues> large_sizes(const PhraseProgram& p, double most, Random& random) {
  static const std::vector<std::int64_t> large = {65, 66, 96, 100, 129, 240, 257, 1000, 1025, 1200, 4097, 4104, 5000},
                                         huge = {2147483647, 2147483648, 2147483652, 4294967296, 3000000000},
                                         small = {0, 1, 2, 3, 4};
  if (p.sizes.empty()) return {};
  for (int tries = 0; tries < 12; ++tries) {
    const std::int64_t n = random.among(random.percent(30) ? huge : large);
    const std::vector<std::int64_t> near = {n, n, 2 * n, n + 1};
    const std::string& name = random.among(p.sizes);
    SizeValues sizes;
    for (const std::string& s : p.sizes) sizes[s] = random.among(p.facts.empty() || random.percent(50) ? small : near);
    sizes[name] = n;
    if (fits(p, sizes) && is_short(p, sizes) && load_at(p, sizes) <= most) return sizes;
  }
  return {};
}

}  // namespace lockstep::props
