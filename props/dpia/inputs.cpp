// Random values by leaf.
#include "props/dpia/inputs.h"

#include <algorithm>
#include <limits>

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

int digits_of(ScalarType t) { return t == ScalarType::F32 ? 24 : 53; }

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
               : is_float(leaf.type)         ? make_ieee(leaf.type, uniform(r, digits_of(leaf.type)))
                                     : make_integer(leaf.type, static_cast<std::uint64_t>(low + below(r, range)));
    put_scalar(data, leaf.type, i, s);
  }
}

// From one place of a leaf to another.
void sort(const LeafArray& leaf, void* data, std::int64_t from, std::int64_t to) {
  std::vector<Scalar> all;
  for (std::int64_t i = from; i < to; ++i) all.push_back(scalar_at(leaf, i));
  std::sort(all.begin(), all.end(), [&](const Scalar& a, const Scalar& b) {
    return is_float(leaf.type) ? a.ieee() < b.ieee() : a.integer() < b.integer();
  });
  for (std::int64_t i = from; i < to; ++i) put_scalar(data, leaf.type, i, all[static_cast<std::size_t>(i - from)]);
}

void put(const LeafArray& leaf, void* data, std::int64_t from, const std::vector<std::int64_t>& all) {
  for (const std::int64_t n : all)
    put_scalar(data, leaf.type, from++, make_integer(leaf.type, static_cast<std::uint64_t>(n)));
}
void put(const LeafArray& leaf, void* data, std::int64_t from, const std::vector<double>& all) {
  for (const double x : all) put_scalar(data, leaf.type, from++, make_ieee(leaf.type, x));
}

// Those that are not below `length`, where it is known, become -1, which scatter ignores.
void permute_integers(const LeafArray& leaf, void* data, std::int64_t length, Random& r) {
  std::vector<std::int64_t> all = permutation(count_of(leaf), r);
  if (length > 0 && is_signed(leaf.type))
    for (std::int64_t& n : all) n = n < length ? n : -1;
  put(leaf, data, 0, all);
}

void fill_positive(const LeafArray& leaf, void* data, Random& r) {
  for (std::int64_t i = 0, n = count_of(leaf); i < n; ++i)
    is_float(leaf.type) ? put(leaf, data, i, std::vector{(1 - uniform(r, digits_of(leaf.type))) / 2})
                        : put(leaf, data, i, std::vector{1 + below(r, 100)});
}

// From `low` on, where the type has such.
std::vector<std::int64_t> distinct_of(const LeafArray& leaf, std::int64_t row, const std::optional<std::int64_t>& bound,
                                      Random& r) {
  const int bits = bits_of(leaf.type) - is_signed(leaf.type);
  const std::int64_t high = bits >= 63 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << bits) - 1;
  return distinct_integers(row, is_signed(leaf.type) && !bound ? -high - 1 : 0, bound ? *bound - 1 : high, r);
}

// The rows of a leaf, a matrix being one of them, that are already filled as those of no kind are.
void fill_rows(RandomKind kind, const LeafArray& leaf, void* data, const std::optional<std::int64_t>& bound,
               Random& r) {
  const std::int64_t length = leaf.shape.back();
  const std::int64_t row = kind == RandomKind::Spd ? length * length : length;
  for (std::int64_t at = 0, n = count_of(leaf); at < n; at += row) {
    if (kind == RandomKind::Sorted) sort(leaf, data, at, at + row);
    if (kind == RandomKind::Permutation) put(leaf, data, at, permutation(row, r));
    if (kind == RandomKind::Spd)
      positive_definite(length, digits_of(leaf.type), r, [&](std::int64_t i, std::int64_t j, double x) {
        put_scalar(data, leaf.type, at + i * length + j, make_ieee(leaf.type, x));
      });
    if (kind != RandomKind::Distinct) continue;
    is_float(leaf.type) ? put(leaf, data, at, distinct_floats(row, digits_of(leaf.type), r))
                        : put(leaf, data, at, distinct_of(leaf, row, bound, r));
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
                                                Integers integers, std::int64_t length, RandomKind kind) {
  if (const auto none = refused_at(kind, type, sizes)) return tl::unexpected(*none);
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
    if (kind == RandomKind::Positive) fill_positive(leaf, data, random);
    if (kind != RandomKind::Any && kind != RandomKind::Positive)
      fill_rows(kind, leaf, data, bounds[k] ? std::optional(top) : std::nullopt, random);
    if (kind != RandomKind::Any || !is_integer(leaf.type) || bounds[k]) continue;
    if (integers == Integers::Sorted) sort(leaf, data, 0, count_of(leaf));
    if (integers == Integers::Distinct) permute_integers(leaf, data, length, random);
  }
  return leaves;
}

tl::expected<Arguments, std::string> random_inputs(const PhraseProgram& program, const SizeValues& sizes,
                                                   std::uint64_t seed, Integers integers, std::int64_t top,
                                                   const GivenInputs& given) {
  Arguments out{sizes, {}};
  if (top == 0) top = index_tops(program, sizes).front();
  for (std::size_t k = 0; k < program.parameters.size(); ++k) {
    Given g = given_of(given, k);
    auto leaves = g.values
                      ? tl::expected<Leaves, std::string>(std::move(*g.values))
                      : random_leaves(program.parameters[k].second, sizes,
                                      g.random.seed.value_or(seed_of(seed, 1000 + k)), integers, top, g.random.kind);
    if (!leaves) return tl::unexpected(program.parameters[k].first + ": " + leaves.error());
    out.values.push_back(std::move(*leaves));
  }
  return out;
}

}  // namespace lockstep::props
