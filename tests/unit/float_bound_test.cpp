// Floats against the bound of exact arithmetic: what is just outside is caught, what is just inside is not called
// wrong, and a program whose way rounding decides is said to be undecided.
#include <catch2/catch.hpp>
#include <cmath>

#include "props/campaign.h"
#include "props/verify.h"
#include "semantics/kernel/parse.h"
#include "semantics/kernel/run.h"
#include "semantics/primitives/operators.h"
#include "tests/unit/dpia_program.h"

using namespace lockstep;
using Catch::Matchers::Contains;

namespace {

const Type f32 = scalar(ScalarType::F32);

// Σ xs from the left, each step `times` units in the last place too large.
kernel::Program summing(int drift) {
  static std::vector<PrimitiveRef> kept;
  for (const PrimitiveRef& p : scalar_operators()) {
    if (p->name != "+") continue;
    Primitive wrong = *p;
    std::get<ScalarOp>(wrong.kind).meaning = [drift, right = std::get<ScalarOp>(p->kind).meaning](
                                                 const Domain& d, ScalarType t, std::span<const Scalar> xs) {
      Scalar sum = right(d, t, xs);
      if (!is_float(t) || drift == 0) return sum;
      auto x = static_cast<float>(sum.ieee());
      for (int k = 0; k < drift; ++k) x = std::nextafter(x, HUGE_VALF);
      return make_ieee(t, static_cast<double>(x));
    };
    kept.push_back(std::make_shared<const Primitive>(std::move(wrong)));
  }
  const auto lookup = [](std::string_view name) -> const PrimitiveRef* { return name == "+" ? &kept.back() : nullptr; };
  const std::string text =
      "kernel p(n) input f32 xs[n]; output f32 r[1]; { var f32 a = 0f32; for (i < n) a = xs[i] +.f32 a; store r[0] = "
      "a; }";
  const auto program = kernel::parse(std::make_shared<const Source>(Source{"test.kernel", text}), lookup);
  REQUIRE(program);
  return *program;
}

std::vector<Scalar> sum(const kernel::Program& p, const std::vector<double>& xs, const Domain& domain) {
  kernel::Buffers inputs;
  for (const double x : xs) inputs["xs"].push_back(domain.from_ieee(ScalarType::F32, x));
  const auto r = kernel::run(p, {{"n", static_cast<std::int64_t>(xs.size())}}, inputs, domain);
  REQUIRE(r);
  return r->at("r");
}
props::Comparison drifting(const std::vector<double>& xs, int drift) {
  return props::compare_within_bound({sum(summing(0), xs, bounded_domain())}, {sum(summing(drift), xs, ieee_domain())},
                                     f32, {});
}

std::vector<double> tenths(std::size_t n, double first) {
  std::vector<double> xs{first};
  for (std::size_t i = 1; i < n; ++i) xs.push_back(0.1 + 0.001 * static_cast<double>(i));
  return xs;
}

props::VerifyReport verified(const std::string& text) {
  const auto e = test::elaborated(text);
  REQUIRE(e.has_value());
  return props::verify(e->entries.back(), test::calculus(), {.targets = {}});
}

}  // namespace

TEST_CASE("a result just outside the bound is wrong, one just inside is not") {
  const std::vector<Scalar> bounded = sum(summing(0), tenths(200, 0.1), bounded_domain());
  const double exact = bounded_domain().to_ieee(bounded[0]), bound = bounded_domain().error_bound(bounded[0]);
  REQUIRE(bound > 20 * std::ldexp(exact, -24));
  const auto compared = [&](double x) {
    return props::compare_within_bound({bounded}, {{make_ieee(ScalarType::F32, x)}}, f32, {});
  };
  for (const double side : {-1.0, 1.0}) {
    // The last float inside, by steps from the exact result; rounding the exact one may lend half a unit.
    auto x = static_cast<float>(exact);
    for (float next = x; std::abs(static_cast<double>(next) - exact) <= bound;
         next = std::nextafter(x, static_cast<float>(side) * HUGE_VALF))
      x = next;
    const props::Comparison inside = compared(x);
    CHECK(inside.agrees);
    CHECK(inside.error / inside.bound > 0.9);
    CHECK(inside.error / inside.bound <= 1);
    const auto once = std::nextafter(x, static_cast<float>(side) * HUGE_VALF),
               twice = std::nextafter(once, static_cast<float>(side) * HUGE_VALF);
    const props::Comparison outside = compared(twice);
    CHECK_FALSE(outside.agrees);
    CHECK_THAT(outside.expected, Contains("with an error of"));
  }
  CHECK(compared(exact).agrees);
  CHECK_FALSE(compared(std::nan("")).agrees);
  CHECK_FALSE(compared(HUGE_VAL).agrees);
}

TEST_CASE("a drift of one unit a step is caught where the bound allows to see it") {
  // Partial sums that stay where a unit in the last place is large beside the sum.
  CHECK(drifting(tenths(64, 520), 0).agrees);
  CHECK_FALSE(drifting(tenths(64, 520), 1).agrees);
  // Whole numbers are exact in every order: the bound is nothing, and one step is enough.
  CHECK(drifting({1, 2, 3}, 0).agrees);
  CHECK_FALSE(drifting({1, 2, 3}, 1).agrees);
  // Sums that grow: any order of additions might be as far off, so it is not called wrong; the share says how far.
  const props::Comparison right = drifting(tenths(64, 0.1), 0), unseen = drifting(tenths(64, 0.1), 1);
  CHECK(unseen.agrees);
  CHECK(unseen.error / unseen.bound > 0.4);
  CHECK(unseen.error / unseen.bound > 4 * right.error / right.bound);
  CHECK_FALSE(drifting(tenths(64, 0.1), 3).agrees);
}

TEST_CASE("a branch that rounding decides is undecided, with its position") {
  for (const char* text : {"fun f [n] (xs : [n]f32) : [n]i32 = map (\\x -> if x * 3 / 3 < x then 1 else 2) xs",
                           "fun f [n] (xs : [n]f32) : [n]bool = map (\\x -> x * 3 / 3 == x) xs",
                           "fun f [n] (xs : [n]f32) : [n]i32 = map (\\x -> i32 (floor (x * 0 + 4 / 3 * 3))) xs"}) {
    CAPTURE(text);
    const props::VerifyReport r = verified(text);
    CHECK(r.agrees());  // bit for bit
    CHECK_FALSE(r.ok());
    REQUIRE(r.too_undecided());
    CHECK_THAT(*r.too_undecided(),
               Contains("left undecided by rounding, more than 5%") && Contains(", at test.dpia:1:"));
  }
}

TEST_CASE("a branch that rounding does not decide is decided") {
  for (const char* text : {"fun f [n] (xs : [n]f32) : [n]i32 = map (\\x -> if x * 3 / 3 < x + 1 then 1 else 2) xs",
                           "fun f [n] (xs : [n]f32) : [n]bool = map (\\x -> x < 0.5) xs"})
    CHECK(verified(text).ok());
}

TEST_CASE("one undecided in twenty is allowed, more is not") {
  CHECK_FALSE(props::too_many_undecided(0, 0));
  CHECK_FALSE(props::too_many_undecided(1, 20));
  CHECK_FALSE(props::too_many_undecided(1, 12));  // one is no share
  CHECK(props::too_many_undecided(2, 39));
  props::CampaignReport r;
  r.bounded = 100, r.undecided = 5;
  CHECK_FALSE(r.too_undecided());
  r.undecided = 6;
  CHECK(r.too_undecided());
}

TEST_CASE("the compiled campaign says how much of the bounds its programs use") {
  props::CampaignOptions o;
  o.programs = 40;
  o.seed = 3;
  o.folder = "";
  o.compiled = true;
  const props::CampaignReport r = props::run_campaign(o);
  CHECK(r.failures.empty());
  CHECK(r.bounded > 40);
  CHECK(r.bound > 0);
  CHECK(r.error <= r.bound);
  CHECK_THAT(r.worst, Contains("program "));
}
