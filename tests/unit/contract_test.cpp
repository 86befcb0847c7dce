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

TEST_CASE("what ends a loop is decided with the roundings that are written") {
  const std::string head = "fun f (a : f32) : f32 = ", start = " (abs a + 1)";
  const auto body = [&](const std::string& text) { return contracted(entry(head + text + start), calculus()).body; };
  const std::string end = "while (\\x -> x * x - a > 0) ";
  CHECK(alpha_equal(*body(end + "(\\x -> x / 2)"), *entry(head + end + "(\\x -> x / 2)" + start).body));
  CHECK(alpha_equal(*body(end + "(\\x -> x * x + a)"), *entry(head + end + "(\\x -> fma x x a)" + start).body));
}

TEST_CASE("where roundings keep a loop from its end, what comes behind the stage is not run there") {
  const props::VerifyReport r = props::verify(entry("fun f (a : f32) : f32 =\n"
                                                    "  fst (while (\\(_, rest) -> rest > 0) (\\(x, _) -> let y = (x + "
                                                    "a / x) / 2 in (y, y * y - a)) (abs a + 1, 1))"),
                                              calculus(), {.inputs = 24});
  std::size_t lost = 0, tested = 0;
  for (const props::Row& s : r.stages) {
    CHECK_FALSE(s.disagreement);
    if (s.name == "reduce-in-blocks") tested = s.tested;
    if (s.name == "contract") lost = s.not_run;
    if (s.name == "paths") CHECK(s.tested + lost == tested);
  }
  CHECK(lost > 0);
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
