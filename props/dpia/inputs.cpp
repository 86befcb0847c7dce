// Random values by leaf, and the search for sizes.
#include "props/dpia/inputs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "props/dpia/generate.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::props {
namespace {

void add_bounds(const Type& t, std::vector<std::optional<Size>>& out) {
  if (const auto* a = as<ArrayType>(t)) return add_bounds(*a->element, out);
  if (const auto* p = as<PairType>(t)) {
    add_bounds(*p->first, out);
    return add_bounds(*p->second, out);
  }
  const auto* i = as<IndexType>(t);
  out.push_back(i ? std::optional(i->bound) : std::nullopt);
}

std::int64_t least_size(const SizeValues& sizes) {
  std::int64_t least = 0;
  for (const auto& [name, n] : sizes)
    if (n > 0 && (least == 0 || n < least)) least = n;
  return std::max<std::int64_t>(least, 1);
}

std::int64_t below(Random& r, std::int64_t n) {
  return static_cast<std::int64_t>(r.next() % static_cast<std::uint64_t>(n));
}

Scalar random_float(ScalarType t, Random& r) {
  const int digits = t == ScalarType::F32 ? 24 : 53;
  const auto whole = static_cast<std::int64_t>(r.next() >> (64 - digits));  // 0 <= whole < 2^digits
  return make_ieee(t, std::ldexp(static_cast<double>(whole), 1 - digits) - 1.0);
}

// The length of the array that a primitive indexes by a number of the program; nothing for every other.
std::optional<Size> indexed_length(const PrimPhrase& p) {
  const auto* view = std::get_if<View>(&p.primitive->kind);
  const auto* loop = std::get_if<Loop>(&p.primitive->kind);
  const auto indexed = view ? view->indexed : loop ? loop->indexed : std::nullopt;
  if (!indexed) return {};
  const Phrase& index = *p.arguments.at(indexed->argument);
  if (as<NatPhrase>(index) || as<LiteralPhrase>(index)) return {};
  return p.sizes.at(indexed->length);
}

void collect_indexed(const Phrase& p, std::vector<Size>& into) {
  if (const auto* x = as<PrimPhrase>(p))
    if (const auto n = indexed_length(*x)) into.push_back(*n);
  for_each_child(p, [&](const PhraseRef& c) { collect_indexed(*c, into); });
}

// One leaf, drawn in order. `top`: integers are below it; 0: small ones of either sign.
void fill(const LeafArray& leaf, void* data, std::int64_t top, Random& r) {
  const std::int64_t count = count_of(leaf);
  const std::int64_t low = top > 0 || !is_signed(leaf.type) ? 0 : -100;
  const std::int64_t range = top > 0 ? top : 101 - low;
  for (std::int64_t i = 0; i < count; ++i) {
    Scalar s = leaf.type == ScalarType::Bool ? make_bool(r.next() >> 63 != 0)
               : is_float(leaf.type)         ? random_float(leaf.type, r)
                                     : make_integer(leaf.type, static_cast<std::uint64_t>(low + below(r, range)));
    put_scalar(data, leaf.type, i, s);
  }
}

void sort_integers(const LeafArray& leaf, void* data) {
  std::vector<Scalar> all;
  for (std::int64_t i = 0; i < count_of(leaf); ++i) all.push_back(scalar_at(leaf, i));
  std::sort(all.begin(), all.end(), [](const Scalar& a, const Scalar& b) { return a.integer() < b.integer(); });
  for (std::size_t i = 0; i < all.size(); ++i) put_scalar(data, leaf.type, static_cast<std::int64_t>(i), all[i]);
}

// Those that are not below `length`, where it is known, become -1, which scatter ignores.
void permute_integers(const LeafArray& leaf, void* data, std::int64_t length, Random& r) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(count_of(leaf)));
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t i = all.size(); i > 1; --i)
    std::swap(all[i - 1], all[static_cast<std::size_t>(below(r, static_cast<std::int64_t>(i)))]);
  if (length > 0 && is_signed(leaf.type))
    for (std::int64_t& n : all) n = n < length ? n : -1;
  for (std::size_t i = 0; i < all.size(); ++i)
    put_scalar(data, leaf.type, static_cast<std::int64_t>(i),
               make_integer(leaf.type, static_cast<std::uint64_t>(all[i])));
}

// Numbers that the program's sizes are compared with, divided or multiplied by.
void collect_constants(const Size& s, std::set<std::int64_t>& into) {
  for (const SizeTerm& term : s.terms()) {
    const std::int64_t c = std::abs(term.coefficient);
    if (c > 1) into.insert(c);
    for (const auto& [atom, power] : term.powers)
      if (atom.division) {
        collect_constants(atom.division->first, into);
        collect_constants(atom.division->second, into);
      }
  }
}

void collect_constants(const Phrase& p, std::set<std::int64_t>& into) {
  if (const auto* x = as<PrimPhrase>(p))
    for (const Size& s : x->sizes) collect_constants(s, into);
  for_each_child(p, [&](const PhraseRef& c) { collect_constants(*c, into); });
}

std::vector<std::int64_t> candidates(const PhraseProgram& program) {
  std::set<std::int64_t> constants;
  for (const SizeFact& f : program.facts) {
    collect_constants(f.left, constants);
    collect_constants(f.right, constants);
  }
  collect_constants(*program.body, constants);
  std::set<std::int64_t> out{0, 1, 2, 3, 4, 5, 7, 8, 11, 16, 17, 32, 37, 64, 101};
  for (const std::int64_t c : constants)
    if (c < (std::int64_t{1} << 40))
      for (const std::int64_t n : {c - 1, c, c + 1, 2 * c, 2 * c + c / 2 + 3, 3 * c}) out.insert(n);
  return {out.begin(), out.end()};
}

// Every assignment of candidates where they are few, random ones where they are many.
void for_each_assignment(const std::vector<std::string>& names, const std::vector<std::int64_t>& values,
                         SizeValues sizes, Random& random, const std::function<void(const SizeValues&)>& use) {
  constexpr std::size_t many = 3000;
  std::size_t all = 1;
  for (std::size_t k = 0; k < names.size() && all <= many; ++k) all *= values.size();
  const bool every = all <= many;
  for (std::size_t draw = 0; draw < (every ? all : many); ++draw) {
    std::size_t rest = draw;
    for (const std::string& n : names) {
      // The first draws give all names one value.
      if (every)
        sizes[n] = values[rest % values.size()], rest /= values.size();
      else
        sizes[n] = draw < values.size() ? values[draw] : random.among(values);
    }
    use(sizes);
  }
}

}  // namespace

std::vector<std::optional<Size>> index_bounds(const Type& type) {
  std::vector<std::optional<Size>> out;
  add_bounds(type, out);
  return out;
}

std::vector<std::int64_t> index_tops(const PhraseProgram& program, const SizeValues& sizes) {
  std::vector<Size> lengths;
  collect_indexed(*program.body, lengths);
  std::set<std::int64_t> out;
  for (const Size& s : lengths)
    if (const auto n = evaluate(s, sizes); n && *n > 0) out.insert(*n);
  if (out.empty()) out.insert(sizes.empty() ? 100 : least_size(sizes));
  return {out.begin(), out.end()};
}

tl::expected<Leaves, std::string> random_leaves(const Type& type, const SizeValues& sizes, std::uint64_t seed,
                                                Integers integers, std::int64_t length) {
  auto leaves = allocate_leaves(type, sizes, "random input");
  if (!leaves) return leaves;
  const auto bounds = index_bounds(type);
  const std::vector<void*> memory = writable(*leaves);  // ours until it is handed out
  for (std::size_t k = 0; k < leaves->size(); ++k) {
    const LeafArray& leaf = (*leaves)[k];
    void* data = memory[k];
    Random random(seed_of(seed, k));
    std::int64_t top = integers == Integers::Small ? 0 : length > 0 ? length : least_size(sizes);
    if (bounds[k]) {
      top = evaluate(*bounds[k], sizes).value_or(0);
      if (top <= 0 && count_of(leaf) > 0)
        return tl::unexpected("there is no value of type idx(" + show(*bounds[k]) + ") where that is 0");
    }
    if (is_integer(leaf.type) && bits_of(leaf.type) < 32)
      top = std::min(top, std::int64_t(1) << (bits_of(leaf.type) - is_signed(leaf.type)));
    fill(leaf, data, top, random);
    if (!is_integer(leaf.type) || bounds[k]) continue;
    if (integers == Integers::Sorted) sort_integers(leaf, data);
    if (integers == Integers::Distinct) permute_integers(leaf, data, length, random);
  }
  return leaves;
}

tl::expected<Arguments, std::string> random_inputs(const PhraseProgram& program, const SizeValues& sizes,
                                                   std::uint64_t seed, Integers integers, std::int64_t top) {
  Arguments out{sizes, {}};
  if (top == 0) top = index_tops(program, sizes).front();
  for (std::size_t k = 0; k < program.parameters.size(); ++k) {
    auto leaves = random_leaves(program.parameters[k].second, sizes, seed_of(seed, 1000 + k), integers, top);
    if (!leaves) return tl::unexpected(program.parameters[k].first + ": " + leaves.error());
    out.values.push_back(std::move(*leaves));
  }
  return out;
}

double element_count(const PhraseProgram& program, const SizeValues& sizes) {
  double sum = 0;
  const auto add = [&](const Type& t) {
    for (const Leaf& leaf : leaves_of(t)) {
      double n = leaf.width;
      for (const Size& d : leaf.dims) n *= static_cast<double>(evaluate(d, sizes).value_or(0));
      sum += n;
    }
  };
  for (const auto& [name, type] : program.parameters) add(type);
  add(program.result);
  return sum;
}

bool fits(const PhraseProgram& program, const SizeValues& sizes) {
  for (const SizeFact& f : program.facts)
    if (evaluate(f, sizes) != true) return false;
  const auto natural = [&](const Type& t) {
    for (const Leaf& leaf : leaves_of(t))
      for (const Size& d : leaf.dims)
        if (evaluate(d, sizes).value_or(-1) < 0) return false;
    for (const auto& bound : index_bounds(t))  // a value has to exist
      if (bound && evaluate(*bound, sizes).value_or(0) < 1) return false;
    return true;
  };
  return natural(program.result) && std::all_of(program.parameters.begin(), program.parameters.end(),
                                                [&](const auto& p) { return natural(p.second); });
}

SizeSearch search_sizes(const PhraseProgram& program, const SizeValues& given, std::size_t count, const Weight& weight,
                        double limit, std::uint64_t seed) {
  std::vector<std::string> names;
  for (const std::string& n : program.sizes)
    if (!given.contains(n)) names.push_back(n);
  Random random(seed_of(seed, 77));
  std::set<SizeValues> seen;
  std::vector<std::pair<double, SizeValues>> found;
  const auto try_sizes = [&](const SizeValues& sizes) {
    if (fits(program, sizes) && seen.insert(sizes).second) found.emplace_back(weight(sizes), sizes);
  };
  for_each_assignment(names, candidates(program), given, random, try_sizes);
  // Facts such as n % 4 == 3 let few of these through: every number then.
  if (found.size() < count && !names.empty()) {
    std::vector<std::int64_t> all(names.size() == 1 ? 1000 : 64);
    std::iota(all.begin(), all.end(), 0);
    for_each_assignment(names, all, given, random, try_sizes);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto light = static_cast<std::size_t>(
      std::count_if(found.begin(), found.end(), [&](const auto& f) { return f.first <= limit; }));
  const auto whole = std::find_if(found.begin(), found.end(), [](const auto& f) {
    return std::all_of(f.second.begin(), f.second.end(), [](const auto& n) { return n.second > 0; });
  });
  SizeSearch out;
  for (std::size_t k = 0; k < light; ++k) out.light.push_back(found[k].second);
  if (whole != found.end() && whole->first > limit) out.heavy = whole->second;
  // The lightest and the heaviest, and between them by rank, from a random place in each step.
  const std::size_t wanted = std::min(count, light);
  for (std::size_t k = 0; k < wanted; ++k) {
    const std::size_t from = light * k / wanted, to = light * (k + 1) / wanted;
    const std::size_t inside = from + static_cast<std::size_t>(below(random, static_cast<std::int64_t>(to - from)));
    out.sizes.push_back(found[k == 0 ? 0 : k + 1 == wanted ? light - 1 : inside].second);
  }
  return out;
}

}  // namespace lockstep::props
