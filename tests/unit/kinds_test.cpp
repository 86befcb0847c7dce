// Kinds of random values, what is given, and sizes that belong together.
#include "props/engine/kinds.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "props/dpia/inputs.h"
#include "props/dpia/sizes.h"
#include "semantics/primitives/calculus.h"
#include "tests/unit/dpia_program.h"

namespace kinds_test {
using namespace lockstep;
using namespace lockstep::props;

namespace {

PhraseProgram program(const std::string& text) {
  const auto e = test::elaborated(text, standard_calculus());
  REQUIRE(e.has_value());
  return e->entries.back();
}

std::vector<double> floats(const Leaves& leaves) {
  std::vector<double> out;
  for (std::int64_t i = 0; i < count_of(leaves[0]); ++i) out.push_back(scalar_at(leaves[0], i).ieee());
  return out;
}
std::vector<std::int64_t> integers(const Leaves& leaves) {
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < count_of(leaves[0]); ++i) out.push_back(scalar_at(leaves[0], i).integer());
  return out;
}
Leaves drawn(const Type& t, const SizeValues& sizes, RandomKind kind, std::uint64_t seed = 1) {
  auto out = random_leaves(t, sizes, seed, Integers::Small, 0, kind);
  REQUIRE(out.has_value());
  return *out;
}
// Symmetric, and its diagonal greater than the others of each row together.
bool dominant(const std::vector<double>& a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    double others = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (a[i * n + j] != a[j * n + i]) return false;
      if (i != j) others += std::abs(a[i * n + j]);
    }
    if (!(a[i * n + i] > 2 * others)) return false;
  }
  return true;
}
template <class T>
bool distinct(std::vector<T> all) {
  std::sort(all.begin(), all.end());
  return std::adjacent_find(all.begin(), all.end()) == all.end();
}

const Size n = Size::name("n"), m = Size::name("m");
const Type f32 = scalar(ScalarType::F32), f64 = scalar(ScalarType::F64), i32 = scalar(ScalarType::I32),
           i8 = scalar(ScalarType::I8), u8 = scalar(ScalarType::U8), i64 = scalar(ScalarType::I64);

std::vector<SizeValues> searched(const PhraseProgram& p, const SizesAsked& asked) {
  return search_sizes(
             p, asked, 12, [&](const SizeValues& s) { return element_count(p, s); }, 25000, 1)
      .sizes;
}

}  // namespace

TEST_CASE("random:spd is symmetric, and its diagonal outweighs the rows") {
  for (const Type& t : {f32, f64})
    for (const std::int64_t size : {0, 1, 2, 17, 100}) {
      const auto a = floats(drawn(array(n, array(n, t)), {{"n", size}}, RandomKind::Spd));
      CHECK(dominant(a, static_cast<std::size_t>(size)));
      CHECK(a.size() == static_cast<std::size_t>(size * size));
    }
  CHECK_FALSE(dominant({2, 1, 0.5, 2}, 2));
  CHECK_FALSE(dominant(floats(drawn(array(n, array(n, f64)), {{"n", 5}}, RandomKind::Any)), 5));
  // Each matrix of several.
  const auto two = floats(drawn(array(m, array(n, array(n, f32))), {{"m", 2}, {"n", 3}}, RandomKind::Spd));
  CHECK(dominant({two.begin(), two.begin() + 9}, 3));
  CHECK(dominant({two.begin() + 9, two.end()}, 3));
}

TEST_CASE("random:positive is above 0, integers and floats") {
  for (const double x : floats(drawn(array(n, f32), {{"n", 500}}, RandomKind::Positive))) CHECK((x > 0 && x <= 1));
  for (const std::int64_t x : integers(drawn(array(n, i8), {{"n", 500}}, RandomKind::Positive)))
    CHECK((x > 0 && x <= 100));
}

TEST_CASE("random:sorted ascends in each row") {
  const auto rows = floats(drawn(array(m, array(n, f64)), {{"m", 3}, {"n", 50}}, RandomKind::Sorted));
  for (int row = 0; row < 3; ++row) CHECK(std::is_sorted(rows.begin() + 50 * row, rows.begin() + 50 * (row + 1)));
  CHECK_FALSE(std::is_sorted(rows.begin(), rows.end()));
  const auto whole = integers(drawn(array(n, i32), {{"n", 50}}, RandomKind::Sorted));
  CHECK(std::is_sorted(whole.begin(), whole.end()));
}

TEST_CASE("random:distinct holds no number twice, up to as many as a type has") {
  for (const std::int64_t size : {0, 1, 100, 201, 5000}) {
    CHECK(distinct(integers(drawn(array(n, i64), {{"n", size}}, RandomKind::Distinct))));
    CHECK(distinct(floats(drawn(array(n, f32), {{"n", size}}, RandomKind::Distinct))));
  }
  CHECK(distinct(integers(drawn(array(n, i8), {{"n", 256}}, RandomKind::Distinct))));
  CHECK(distinct(integers(drawn(array(n, u8), {{"n", 256}}, RandomKind::Distinct))));
  CHECK_FALSE(random_leaves(array(n, i8), {{"n", 257}}, 1, Integers::Small, 0, RandomKind::Distinct).has_value());
  CHECK_FALSE(distinct(integers(drawn(array(n, i32), {{"n", 500}}, RandomKind::Any))));
  const auto indexes = integers(drawn(array(n, index_type(n)), {{"n", 9}}, RandomKind::Distinct));
  CHECK(distinct(indexes));
  for (const std::int64_t i : indexes) CHECK((i >= 0 && i < 9));
}

TEST_CASE("random:permutation holds every number below its length") {
  for (const Type& t : {i64, i8, index_type(n)}) {
    auto p = integers(drawn(array(n, t), {{"n", 100}}, RandomKind::Permutation));
    CHECK_FALSE(std::is_sorted(p.begin(), p.end()));
    std::sort(p.begin(), p.end());
    for (std::int64_t i = 0; i < 100; ++i) CHECK(p[static_cast<std::size_t>(i)] == i);
  }
  CHECK_FALSE(random_leaves(array(n, i8), {{"n", 129}}, 1, Integers::Small, 0, RandomKind::Permutation).has_value());
  CHECK(random_leaves(array(n, u8), {{"n", 256}}, 1, Integers::Small, 0, RandomKind::Permutation).has_value());
  CHECK_FALSE(
      random_leaves(array(m, index_type(n)), {{"m", 5}, {"n", 4}}, 1, Integers::Small, 0, RandomKind::Permutation)
          .has_value());
}

TEST_CASE("a kind is refused of a type that has no such values") {
  const Type matrix = array(n, array(n, f64)), pairs = array(n, lockstep::pair(f64, i32));
  const auto kinds = [](const Type& t) {
    std::string out;
    for (const KindRow& row : kind_rows()) out += refused(row.kind, t) ? "" : std::string(row.name) + " ";
    return out;
  };
  CHECK(kinds(matrix) == "spd positive distinct sorted ");
  CHECK(kinds(array(n, array(m, f64))) == "positive distinct sorted ");
  CHECK(kinds(array(n, array(n, i32))) == "positive distinct sorted permutation ");
  CHECK(kinds(f32) == "positive ");
  CHECK(kinds(pairs) == "positive ");
  CHECK(kinds(array(n, index_type(n))) == "distinct sorted permutation ");
  CHECK(kinds(array(n, scalar(ScalarType::Bool))).empty());
}

TEST_CASE("a name that an equation determines is computed: sizes that random numbers do not meet") {
  const PhraseProgram p = program(
      "fun f [a b c d] (xs : [a]i32) (ys : [b]i32) (zs : [c]i32) (ws : [d]i32) : i32\n"
      "  where a == 7*b + 13, c == a + 29*d, b == 3*d + 5 = 0");
  const auto sizes = searched(p, {});
  CHECK(sizes.size() == 12);
  for (const SizeValues& s : sizes) CHECK(fits(p, s));
  const auto near = searched(p, {{{"d", 2}}, {}, {}});
  REQUIRE(near.size() == 1);
  CHECK(near[0] == SizeValues{{"a", 90}, {"b", 11}, {"c", 148}, {"d", 2}});
}

TEST_CASE("sizes that bound each other beyond what random numbers meet are found") {
  for (const char* facts : {"1000 <= n, n*n <= m", "20 <= n, n*n <= m, m % n == 7", "n % 97 == 13, m == 5*n + 1",
                            "n < m, m < k, k < l, l % k == 3"}) {
    CAPTURE(facts);
    const PhraseProgram p =
        program("fun f [n m k l] (xs : [n]i32) (ys : [m]i32) (zs : [k]i32) (ws : [l]i32) : i32 where " +
                std::string(facts) + " = 0");
    const auto found = search_sizes(
        p, {}, 12, [&](const SizeValues& s) { return element_count(p, s); }, 1e9, 1);
    CHECK(found.sizes.size() >= 6);
    for (const SizeValues& s : found.sizes) CHECK(fits(p, s));
  }
}

TEST_CASE("log2n is the logarithm of n, from wherever n comes") {
  const PhraseProgram p =
      program("fun f [n] (log2n : nat) (xs : [n]i32) : [n]i32 = iterate log2n (map (\\x -> x + 1)) xs");
  const auto together = [](const SizeValues& s) {
    return s.at("n") == (std::int64_t{1} << s.at("log2n")) || s == SizeValues{{"n", 0}, {"log2n", 0}};
  };
  const auto sizes = searched(p, {});
  CHECK(sizes.size() >= 7);
  for (const SizeValues& s : sizes) CHECK(together(s));
  CHECK(searched(p, {{{"log2n", 3}}, {}, {}}) == std::vector<SizeValues>{{{"n", 8}, {"log2n", 3}}});
  CHECK(searched(p, {{{"n", 16}}, {}, {}}) == std::vector<SizeValues>{{{"n", 16}, {"log2n", 4}}});
  CHECK(searched(p, {{{"n", 5}, {"log2n", 7}}, {}, {}}).size() == 1);  // who gives both means them
  CHECK(searched(p, {{}, {4, 8}, {}}).size() == 2);
  // Where a fact rules it out there are sizes too, and a name that is no logarithm of another is drawn apart.
  CHECK_FALSE(searched(program("fun f [n] (log2n : nat) (xs : [n]i32) : i32 where log2n > n = 0"), {}).empty());
  const PhraseProgram apart = program("fun f [n] (log2m : nat) (xs : [n]i32) : i32 = 0");
  const auto free = searched(apart, {});
  CHECK(std::any_of(free.begin(), free.end(), [](const SizeValues& s) { return s.at("log2m") > 10; }));
}

TEST_CASE("sizes are drawn from what is asked for, and fit what is given") {
  const PhraseProgram p = program("fun f [n m] (xs : [n*m]i32) (ys : [n]i32) : i32 = 0");
  for (const SizeValues& s : searched(p, {{}, {4, 9}, {}}))
    for (const auto& [name, size] : s) CHECK((size == 4 || size == 9));
  SizesAsked asked;
  asked.inputs.push_back({drawn(array(n, i32), {{"n", 35}}, RandomKind::Any), {}});
  const auto sizes = searched(p, asked);
  CHECK(sizes.size() == 4);
  for (const SizeValues& s : sizes) CHECK(s.at("n") * s.at("m") == 35);
}

TEST_CASE("what is given stands in every input, and a kind is drawn for each anew unless it has a seed") {
  const PhraseProgram p = program("fun f [n] (xs ys zs : [n]i32) : i32 = 0");
  const Leaves xs = drawn(array(n, i32), {{"n", 5}}, RandomKind::Any, 77);
  const GivenInputs given{{xs, {}}, {{}, {RandomKind::Distinct, {}}}, {{}, {RandomKind::Any, 3}}};
  const auto one = random_inputs(p, {{"n", 5}}, 1, Integers::Small, 0, given);
  const auto two = random_inputs(p, {{"n", 5}}, 2, Integers::Small, 0, given);
  REQUIRE((one.has_value() && two.has_value()));
  CHECK(integers(one->values[0]) == integers(xs));
  CHECK(integers(two->values[0]) == integers(xs));
  CHECK(integers(one->values[1]) != integers(two->values[1]));
  CHECK(integers(one->values[2]) == integers(two->values[2]));
}

}  // namespace kinds_test
