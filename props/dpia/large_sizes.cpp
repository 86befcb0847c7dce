#include "props/dpia/large_sizes.h"

#include <algorithm>

#include "props/dpia/sizes.h"
#include "semantics/functional/cost.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::props {
namespace {

constexpr std::int64_t expected_rounds = 10;  // of `while`
constexpr std::int64_t longest = 10000;       // array that is stored, or loop
// What 31 or 32 bits do not hold, itself or times what stands beside it in an index.
const std::vector<std::int64_t> far_lengths = {2147483647, 2147483648, 2147483652, 4294967296, 3000000000};

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
// As data; what has another type is no array.
bool is_short_data(const Phrase& p, const SizeValues& sizes) {
  const auto* e = std::get_if<ExpType>(&p.type.node);
  return !e || is_short(e->data, sizes);
}
const View* view_of(const Phrase& p) {
  const auto* x = as<PrimPhrase>(p);
  return x ? std::get_if<View>(&x->primitive->kind) : nullptr;
}
// Every array that is stored anywhere in it, and every count of a loop. Views are not stored, whatever their length,
// unless another phrase than a view takes them; a view's check runs over its indices.
bool is_short(const Phrase& p, const SizeValues& sizes) {
  const auto* x = as<PrimPhrase>(p);
  const auto* let = as<LetPhrase>(p);
  const View* view = view_of(p);
  bool all = view || is_short_data(p, sizes);
  if (x && !view)
    all = all && std::all_of(x->sizes.begin(), x->sizes.end(), [&](const Size& s) { return is_short(s, sizes); });
  if (view && view->indexed) all = all && is_short_data(*x->arguments.at(view->indexed->argument), sizes);
  for_each_child(p, [&](const PhraseRef& c) {
    const bool inside_view = view || (let && c.get() == let->body.get());
    all = all && (inside_view || is_short_data(*c, sizes)) && is_short(*c, sizes);
  });
  return all;
}

// A view of an array that is longer than any that is stored.
bool reads_far(const Phrase& p, const SizeValues& sizes) {
  const auto* x = as<PrimPhrase>(p);
  bool found = view_of(p) && std::any_of(x->arguments.begin(), x->arguments.end(),
                                         [&](const PhraseRef& a) { return !is_short_data(*a, sizes); });
  for_each_child(p, [&](const PhraseRef& c) { found = found || reads_far(*c, sizes); });
  return found;
}

void collect_lengths(const Type& t, std::set<std::string>& into) {
  if (const auto* a = as<ArrayType>(t)) collect_names(a->length, into), collect_lengths(*a->element, into);
  if (const auto* p = as<PairType>(t)) collect_lengths(*p->first, into), collect_lengths(*p->second, into);
}

bool is_short(const PhraseProgram& p, const SizeValues& sizes) {
  return is_short(*p.body, sizes) && is_short(p.result, sizes) &&
         std::all_of(p.parameters.begin(), p.parameters.end(),
                     [&](const auto& x) { return is_short(x.second, sizes); });
}

}  // namespace

double load_at(const PhraseProgram& p, const SizeValues& sizes) {
  SizeValues with = sizes;
  for (auto& [name, n] : with) n = std::max<std::int64_t>(n, 1);  // rows of no element are values, too
  with.emplace("#iterations", expected_rounds);
  const Cost c = cost(p);
  const auto value = [&](const Size& s) { return static_cast<double>(evaluate(s, with).value_or(1LL << 40)); };
  return std::max({element_count(p, with), value(c.work) / 3, value(c.space)});
}

std::optional<SizeValues> far_sizes(const PhraseProgram& p, double most, Random& random) {
  static const std::vector<std::int64_t> small = {0, 1, 2, 3, 5, 8};
  std::set<std::string> lengths;
  collect_lengths(p.result, lengths);
  for (const auto& [name, type] : p.parameters) collect_lengths(type, lengths);
  std::vector<std::string> free;
  std::copy_if(p.sizes.begin(), p.sizes.end(), std::back_inserter(free),
               [&](const std::string& n) { return !lengths.contains(n); });
  for (int tries = 0; tries < 6 && !free.empty(); ++tries) {
    SizeValues sizes;
    for (const std::string& s : p.sizes) sizes[s] = random.among(small);
    sizes[random.among(free)] = random.among(far_lengths);
    if (fits(p, sizes) && is_short(p, sizes) && reads_far(*p.body, sizes) && load_at(p, sizes) <= most) return sizes;
  }
  return {};
}

std::optional<SizeValues> large_sizes(const PhraseProgram& p, double most, Random& random) {
  static const std::vector<std::int64_t> large = {65, 66, 96, 100, 129, 240, 257, 1000, 1025, 1200, 4097, 4104, 5000},
                                         larger = {1025, 1200, 4097, 4104, 4200, 5000}, small = {0, 1, 2, 3, 4};
  if (p.sizes.empty()) return {};
  for (int tries = 0; tries < 12; ++tries) {
    const std::int64_t n = random.among(random.percent(10) ? far_lengths : most > 5000 ? larger : large);
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
