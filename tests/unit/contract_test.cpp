// Contraction: which sums take their product, with the bits of one rounding, and what is held to what.
#include <catch2/catch.hpp>
#include <cmath>

#include "props/dpia/verify.h"
#include "semantics/functional/source.h"
#include "semantics/functional/syntax/print.h"
#include "tests/unit/dpia_program.h"
#include "translate/dpia/stage.h"

namespace contract_test {
using namespace lockstep;
using namespace lockstep::test;

namespace {
void becomes(const std::string& body, const std::string& expected) {
  const std::string head = "fun f [n] (xs ys zs : [n]f32) (is : [n]i32) : [n]f32 = ";
  const PhraseProgram made = contracted(entry(head + body), calculus());
  CAPTURE(body, print(source_of(*made.body, calculus(), Suffixes::Never)));
  CHECK(alpha_equal(*made.body, *entry(head + expected).body));
}
std::string each(const std::string& e) { return "map (\\(x, y, z) -> " + e + ") (zip xs (zip ys zs))"; }

// Floats whose products have twice their digits.
std::vector<double> numbers(std::int64_t n, std::int64_t of) {
  std::vector<double> out;
  for (std::int64_t i = 0; i < n; ++i) out.push_back(1.0F + static_cast<float>((i * 7919 + of * 104729) % 1009) / 1013);
  return out;
}
}  // namespace

TEST_CASE("a sum takes one product, the first of two") {
  becomes(each("x * y + z"), each("fma x y z"));
  becomes(each("z + x * y"), each("fma x y z"));
  becomes(each("x * y - z"), each("fma x y (-z)"));
  becomes(each("z - x * y"), each("fma (-x) y z"));
  becomes(each("x * y + y * z"), each("fma x y (y * z)"));
  becomes(each("x * x + y * y + z * z"), each("fma z z (fma x x (y * y))"));
  becomes(each("x * (y * z + x) + z"), each("fma x (fma y z x) z"));
}

TEST_CASE("neither sums without a product nor those of integers change, nor does a product that is named") {
  for (const char* const e : {"x + y", "x * y", "x / y + z", "(x + y) * z", "let p = x * y in p + z"})
    becomes(each(e), each(e));
  const std::string whole = "map (\\i -> f32 (i * i + i)) is";
  becomes(whole, whole);
}

TEST_CASE("what is contracted has the bits of one rounding") {
  const PhraseProgram written = entry("fun f [n] (xs ys zs : [n]f32) : [n]f32 = " + each("z - x * y"));
  const PhraseProgram made = contracted(written, calculus());
  const std::int64_t n = 200;
  const auto xs = numbers(n, 1), ys = numbers(n, 2), zs = numbers(n, 3);
  const std::vector<Value> arguments{f32s(xs), f32s(ys), f32s(zs)};
  std::vector<double> once, twice;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const auto x = static_cast<float>(xs[i]), y = static_cast<float>(ys[i]), z = static_cast<float>(zs[i]);
    once.push_back(std::fma(-x, y, z));
    twice.push_back(z - x * y);
  }
  const auto shown = [&](const PhraseProgram& p, const Domain& d) {
    return show(*denote(p, {{"n", n}}, arguments, d), d);
  };
  CHECK(once != twice);
  CHECK(shown(made, ieee_domain()) == show(f32s(once), ieee_domain()));
  CHECK(shown(written, ieee_domain()) == show(f32s(twice), ieee_domain()));
  CHECK(shown(made, twice_rounded_domain()) == show(f32s(twice), ieee_domain()));
}

TEST_CASE("with --strict nothing is contracted") {
  PhraseProgram p = entry("fun f [n] (xs : [n]f32) : [n]f32 = map (\\x -> x * x + x) xs");
  p.in_order = true;
  CHECK(alpha_equal(*contracted(p, calculus()).body, *p.body));
}

TEST_CASE("what comes behind is held to the contracted program, and it to the one before") {
  const std::string dot = "fun f [n] (xs ys : [n]f32) : f32 = reduce (+) 0 (map (\\(x, y) -> x * y) (zip xs ys))";
  const props::VerifyReport r = props::verify(entry(dot), calculus(), {});
  const auto row = [&](const std::string& name) {
    const auto found = std::find_if(r.stages.begin(), r.stages.end(), [&](const auto& s) { return s.name == name; });
    REQUIRE(found != r.stages.end());
    return *found;
  };
  CHECK(r.agrees());
  CHECK(row("reduce-in-blocks").reassociated > 0);
  CHECK_FALSE(row("reduce-in-blocks").contracts);
  CHECK(row("contract").reassociated > 0);
  CHECK(row("contract").contracts);
  CHECK(row("contract").same == "computes what the program after reduce-in-blocks does, bit for bit");
  CHECK(row("paths").reassociated == 0);
  CHECK(row("paths").same == "computes what the program after contract does, bit for bit");
}

}  // namespace contract_test
