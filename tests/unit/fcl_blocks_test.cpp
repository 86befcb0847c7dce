// The paper's programs at block sizes and lengths around them (fcl.md §6 E), against what they are to give: the
// reversed, the transposed, sums of chunks, and traps at just the lengths and block sizes that they cannot have.
#include <catch2/catch.hpp>

#include "semantics/language/arrays.h"
#include "tests/unit/fcl_program.h"
#include "tests/unit/long_run.h"

namespace fcl_blocks_test {
using namespace lockstep;

namespace {

using Ints = std::vector<std::int64_t>;

class Example {
 public:
  Example(const std::string& file, std::string definition)
      : program_(test::fcl_program(test::fcl_example(file))), definition_(std::move(definition)) {}

  // Nothing: a trap.
  std::optional<Ints> run(std::int64_t block, const Ints& numbers, const Ints& array) const {
    std::vector<Value> arguments;
    for (const std::int64_t n : numbers) arguments.push_back(int_value(n));
    std::vector<Value> elements;
    for (const std::int64_t x : array) elements.push_back(int_value(x));
    arguments.push_back(array_value(std::move(elements)));
    const auto v =
        fcl::evaluate(program_, definition_, std::move(arguments), {.launch = {.block = static_cast<int>(block)}});
    if (!v) return {};
    Ints out;
    for (std::int64_t k = 0; k < length_of(*v); ++k) out.push_back(as_scalar(force(element_of(*v, k))).integer());
    return out;
  }

 private:
  static Value int_value(std::int64_t n) { return scalar_value(make_integer(ScalarType::I32, n)); }

  fcl::Inferred program_;
  std::string definition_;
};

// Of 32 bits, whose sums wrap.
Ints drawn(std::int64_t n) {
  Ints out;
  std::uint32_t x = 12345;
  for (std::int64_t k = 0; k < n; ++k) out.push_back(static_cast<std::int32_t>(x = x * 1664525 + 1013904223));
  return out;
}
bool is_power_of_2(std::int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

std::optional<Ints> sums_of_chunks(const Ints& xs, std::int64_t block) {
  const std::int64_t chunk = 2 * block, n = static_cast<std::int64_t>(xs.size());
  if (n % chunk != 0 || (n > 0 && !is_power_of_2(block))) return {};
  Ints out;
  for (std::int64_t i = 0; i < n; i += chunk) {
    std::uint32_t sum = 0;
    for (std::int64_t k = i; k < i + chunk; ++k) sum += static_cast<std::uint32_t>(xs[static_cast<std::size_t>(k)]);
    out.push_back(static_cast<std::int32_t>(sum));
  }
  return out;
}
std::optional<Ints> sum_of_all(const Ints& xs, std::int64_t block) {
  Ints left = xs;
  do {
    const auto next = sums_of_chunks(left, block);
    if (!next || next->empty()) return {};
    left = *next;
  } while (left.size() > 1);
  return left;
}
std::optional<Ints> reversed(const Ints& xs, std::int64_t chunk) {
  if (static_cast<std::int64_t>(xs.size()) % chunk != 0) return {};
  return Ints(xs.rbegin(), xs.rend());
}

void at(std::int64_t block, std::int64_t n) {
  static const Example reverse("reverse", "revDistribute"), in_block("reverse", "revBlock"), sums("reduction", "sum"),
      sum("reduction_whole", "sum");
  INFO(block << " threads, " << n << " elements");
  const Ints xs = drawn(n);
  CHECK(reverse.run(block, {block}, xs) == reversed(xs, block));
  CHECK(in_block.run(block, {}, xs) == reversed(xs, 1));
  CHECK(sums.run(block, {}, xs) == sums_of_chunks(xs, block));
  CHECK(sum.run(block, {}, xs) == sum_of_all(xs, block));
}

}  // namespace

TEST_CASE("at every length up to two chunks and one more, in blocks of up to 64") {
  for (std::int64_t block = 1; block <= 64; ++block)
    for (std::int64_t n = 0; n <= 4 * block + 1; n += test::long_run() || block <= 16 ? 1 : block / 2) at(block, n);
}

TEST_CASE("at the lengths around a block and two, in blocks of up to 1024") {
  for (std::int64_t block = 65; block <= 1024; block += test::long_run() ? 1 : 137)
    for (const std::int64_t n :
         {std::int64_t{0}, std::int64_t{1}, block - 1, block, block + 1, 2 * block, 2 * block + 1})
      at(block, n);
  for (const std::int64_t block : {128, 256, 512, 1024}) at(block, 4 * block);
}

TEST_CASE("a tile is as wide as a block has threads, or not") {
  static const Example transposed("transpose", "transposeTiled");
  for (std::int64_t tile = 1; tile <= (test::long_run() ? 16 : 5); ++tile)
    for (std::int64_t cols = 0; cols <= 3 * tile; ++cols)
      for (std::int64_t rows = 0; rows <= 3 * tile; rows += cols % tile == 0 ? 1 : tile) {
        INFO(tile << " " << cols << " x " << rows);
        const Ints m = drawn(cols * rows);
        std::optional<Ints> expected;
        if (cols % tile == 0 && rows % tile == 0) {
          expected.emplace();
          for (std::int64_t i = 0; i < cols; ++i)
            for (std::int64_t j = 0; j < rows; ++j) expected->push_back(m[static_cast<std::size_t>(j * cols + i)]);
        }
        CHECK(transposed.run(tile * tile, {tile, cols, rows}, m) == expected);
      }
}

}  // namespace fcl_blocks_test
