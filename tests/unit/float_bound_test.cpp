// Floats against the bound of exact arithmetic: what is just outside is caught, what is just inside is not called
// wrong, and a program whose way rounding decides is said to be undecided.
#include <catch2/catch.hpp>
#include <cmath>

#include "props/dpia/campaign.h"
#include "props/dpia/verify.h"
#include "semantics/core/float_function.h"
#include "semantics/kernel/parse.h"
#include "semantics/kernel/run.h"
#include "semantics/primitives/operators.h"
#include "tests/unit/dpia_program.h"

namespace float_bound_test {
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
    CHECK(inside.rounding.error / inside.rounding.bound > 0.9);
    CHECK(inside.rounding.error / inside.rounding.bound <= 1);
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
  CHECK(unseen.rounding.error / unseen.rounding.bound > 0.4);
  CHECK(unseen.rounding.error / unseen.rounding.bound > 4 * right.rounding.error / right.rounding.bound);
  CHECK_FALSE(drifting(tenths(64, 0.1), 3).agrees);
}

TEST_CASE("a branch that rounding decides is undecided, with its position") {
  // On every input: some that are drawn again would be exact otherwise.
  for (const char* text :
       {"fun f [n] (xs : [n]f32) : [n]i32 = map (\\x -> if (x * 0 + 4) / 3 * 3 < 4 then 1 else 2) xs",
        "fun f [n] (xs : [n]f32) : [n]bool = map (\\x -> (x * 0 + 4) / 3 * 3 == 4) xs",
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
  o.seed = 4;
  o.folder = "";
  o.compiled_programs = o.programs;
  const props::CampaignReport r = props::run_campaign(o);
  CHECK(r.failures.empty());
  CHECK(r.bounded > 40);
  CHECK(r.rounding.bound > 0);
  CHECK(r.rounding.error <= r.rounding.bound);
  CHECK_THAT(r.worst, Contains("program "));
}

// ------------------------------------------------------------------------------------------------ infinities and zeros

namespace {

const Domain& ieee = ieee_domain();
const Domain& bounded = bounded_domain();

Scalar number(double x, ScalarType t = ScalarType::F32) { return bounded.from_ieee(t, x); }
Scalar apply(const FloatFunction& f, std::vector<Scalar> xs, ScalarType t = ScalarType::F32) {
  return bounded.apply(f, t, xs);
}
const FloatFunction& named(std::string_view name) { return float_function_named(name); }
double bound_of(const Scalar& s) { return bounded.error_bound(s); }

bool accepts(const Scalar& exact, double found) {
  return props::compare_within_bound({{exact}}, {{make_ieee(exact.type, found)}}, scalar(exact.type), {}).agrees;
}

}  // namespace

TEST_CASE("soundness A4: of an infinite exact value only the same infinity agrees") {
  const double inf = HUGE_VAL, nan = std::nan("");
  for (const double sign : {1.0, -1.0}) {
    const Scalar exact = number(sign * inf);
    CHECK(accepts(exact, sign * inf));
    for (const double wrong : {-sign * inf, 5.0, -88.0, 0.0, nan}) CHECK_FALSE(accepts(exact, wrong));
  }
  CHECK(accepts(number(nan), nan));
  for (const double wrong : {inf, -inf, 0.0}) CHECK_FALSE(accepts(number(nan), wrong));
  CHECK_FALSE(accepts(number(1), inf));
  // As programs come to them.
  CHECK_FALSE(accepts(apply(named("log"), {number(0)}), 5));
  CHECK_FALSE(accepts(apply(named("pow"), {number(0), number(-1.5)}), -inf));
}

TEST_CASE("soundness A4: a zero that no rounding made has its sign") {
  CHECK(accepts(number(-0.0), -0.0));
  CHECK_FALSE(accepts(number(-0.0), 0.0));
  CHECK_FALSE(accepts(number(0.0), -0.0));
  CHECK_FALSE(accepts(number(1), 1 + 0x1p-23));
  CHECK_FALSE(accepts(number(2 - 0x1p-23), 2));
}

TEST_CASE("soundness A5: what the bounded domain says exactly is what IEEE gives, signs of zeros and infinities too") {
  const std::vector<double> values = {0.0, -0.0, 1, -1, 2.5, -0.5, 3, -3, HUGE_VAL, -HUGE_VAL, std::nan("")};
  struct Both {
    Scalar bounded, ieee;
  };
  std::size_t exact = 0, inexact = 0, undecided = 0;
  // `a` and then numbers; what comes of it, where it is decided.
  const auto results = [&](const Both& a, const std::function<void(const Both&)>& use) {
    for (const FloatFunction* f : float_functions())
      for (const double y : f->arity > 1 ? values : std::vector<double>{0})
        for (const double z : f->arity > 2 ? values : std::vector<double>{0})
          for (const bool first : {true, false}) {
            if (f->arity == 1 && !first) continue;
            std::vector<Scalar> b{a.bounded}, i{a.ieee};
            if (f->arity > 1) b.push_back(number(y)), i.push_back(make_ieee(ScalarType::F32, y));
            if (f->arity > 1 && !first) std::swap(b[0], b[1]), std::swap(i[0], i[1]);
            if (f->arity > 2) b.push_back(number(z)), i.push_back(make_ieee(ScalarType::F32, z));
            INFO(f->name << (first ? " on " : " on swapped ") << a.ieee.ieee() << ", " << y << ", " << z);
            try {
              use({apply(*f, b), ieee.apply(*f, ScalarType::F32, i)});
            } catch (const UndecidedSignal&) {
              ++undecided;
            }
          }
  };
  const auto check = [&](const Both& r) {  // of one operation, or two
    const double e = bounded.to_ieee(r.bounded), x = r.ieee.ieee();
    if (bound_of(r.bounded) > 0) {
      ++inexact;
      if (!(std::abs(e - x) <= bound_of(r.bounded) + std::ldexp(std::abs(e), -24))) FAIL(e << " is not " << x);
    } else {
      ++exact;
      if (!props::same_scalar(make_ieee(ScalarType::F32, e), r.ieee)) FAIL(e << " is not " << x);
    }
  };
  for (const double x : values)
    results({number(x), make_ieee(ScalarType::F32, x)}, [&](const Both& once) {
      check(once);
      results(once, check);
    });
  CHECK(exact > 10 * undecided);
  CHECK(inexact > 0);
}

TEST_CASE("soundness A5: a zero of unknown sign agrees with either, and a quotient by it is undecided") {
  // 0.1 + 0.2 - 0.3 may be either side of zero.
  const Scalar near = apply(floats::subtract, {apply(floats::add, {number(0.1f), number(0.2f)}), number(0.3f)});
  const Scalar zero = apply(floats::multiply, {number(0), near});
  CHECK(accepts(zero, 0.0));
  CHECK(accepts(zero, -0.0));
  CHECK_FALSE(accepts(zero, 1e-40));
  CHECK_THROWS_AS(apply(floats::divide, {number(1), zero}), UndecidedSignal);
  CHECK_THROWS_AS(apply(named("pow"), {zero, number(-1)}), UndecidedSignal);
  CHECK(bounded.to_ieee(apply(floats::divide, {number(-1), number(-0.0)})) == HUGE_VAL);
  // With -0 it is the zero that it is, with 0 it is 0.
  for (const bool first : {true, false}) {
    const auto sum = [&](double y) {
      return apply(floats::add, first ? std::vector{zero, number(y)} : std::vector{number(y), zero});
    };
    CHECK(accepts(sum(-0.0), 0.0));
    CHECK(accepts(sum(-0.0), -0.0));
    CHECK(accepts(sum(0.0), 0.0));
    CHECK_FALSE(accepts(sum(0.0), -0.0));
  }
}

TEST_CASE(
    "soundness A5: a quotient of a negative zero is one, and an infinity by a zero of unknown sign is undecided") {
  CHECK(std::signbit(bounded.to_ieee(apply(floats::divide, {number(-0.0), number(2)}))));
  CHECK_FALSE(std::signbit(bounded.to_ieee(apply(floats::divide, {number(-0.0), number(-2)}))));
  const Scalar near = apply(floats::subtract, {apply(floats::add, {number(0.1f), number(0.2f)}), number(0.3f)});
  const Scalar zero = apply(floats::multiply, {number(0), near});
  CHECK_THROWS_AS(apply(floats::divide, {number(HUGE_VAL), zero}), UndecidedSignal);
}

TEST_CASE("soundness A5: a program that divides by a negative zero is no error of the interpreters") {
  for (const char* text :
       {"fun f [n] (xs : [n]f32) : [n]f32 = map (\\x -> sqrt ((-(log (x - x))) / ((-1.0) * (x - x)))) xs",
        "fun f [n] (xs : [n]f32) : [n]bool = map (\\x -> 0.0 < (-(log (x - x))) / ((-1.0) * (x - x))) xs",
        "fun f [n] (xs : [n]f32) : [n]f32 = map (\\x -> 1 / sqrt (x - x)) xs"}) {
    CAPTURE(text);
    const auto e = test::elaborated(text);
    REQUIRE(e.has_value());
    const props::VerifyReport r = props::verify(e->entries.back(), test::calculus(), {});
    CHECK(r.ok());
    CHECK(r.inputs.undecided == 0);
  }
}

// ------------------------------------------------------------------------------------------------ what a bound says

TEST_CASE("what a function computes of an argument added up in another order lies within its bound") {
  std::mt19937_64 random(7);
  const auto drawn = [&](double scale) {
    return static_cast<double>(static_cast<float>(scale * (static_cast<double>(random() % 20001) / 10000 - 1)));
  };
  const auto ieee_apply = [](const FloatFunction& f, const std::vector<double>& x) {
    std::vector<Scalar> arguments;
    for (const double v : x) arguments.push_back(make_ieee(ScalarType::F32, v));
    return ieee.apply(f, ScalarType::F32, arguments).ieee();
  };
  for (const FloatFunction* f : float_functions()) {
    std::size_t decided = 0, refused = 0;
    for (int k = 0; k < 400; ++k) {
      const double scale = k % 3 == 0 ? 0.5 : k % 3 == 1 ? 2 : 40;
      const double a = drawn(scale), b = drawn(scale), c = drawn(scale / 8), d = drawn(scale), e = drawn(scale);
      const double other = ieee_apply(floats::add, {a, ieee_apply(floats::add, {b, c})});
      INFO(f->name << " of " << other << " " << d << " " << e);
      try {
        const Scalar sum = apply(floats::add, {apply(floats::add, {number(a), number(b)}), number(c)});
        const Scalar r = apply(*f, {sum, number(d), number(e)});
        const double found = ieee_apply(*f, {other, d, e});
        CHECK(accepts(r, found));
        ++decided;
        refused += !std::isnan(found) && std::abs(found) > 1e-3 && !accepts(r, found * 1.5);
      } catch (const UndecidedSignal&) {
      }
    }
    INFO(f->name);
    CHECK(decided > 150);
    CHECK(refused > 75);
  }
}

TEST_CASE("the functions decide what they are at their edges, or say that they cannot") {
  const Scalar nearly_one = apply(floats::add, {apply(floats::add, {number(0.1f), number(0.7f)}), number(0.2f)});
  for (const char* name : {"asin", "acos"}) {
    CHECK_THROWS_AS(apply(named(name), {nearly_one}), UndecidedSignal);
    CHECK(accepts(apply(named(name), {number(1.5)}), std::nan("")));
  }
  CHECK(accepts(apply(named("acos"), {number(1)}), 0.0));
  CHECK_THROWS_AS(apply(named("tan"),
                        {apply(floats::add, {number(1.5707963f), apply(floats::add, {number(1e-7f), number(3e-9f)})})}),
                  UndecidedSignal);
  const Scalar nearly_zero = apply(floats::add, {apply(floats::add, {number(0.1f), number(0.7f)}), number(-0.8f)});
  CHECK_THROWS_AS(apply(named("atan2"), {nearly_zero, number(-1)}), UndecidedSignal);
  CHECK(std::abs(bounded.to_ieee(apply(named("atan2"), {nearly_zero, number(1)}))) < 1e-6);
  CHECK(accepts(apply(named("atan2"), {number(-0.0), number(-1)}), -3.1415927f));
  CHECK(accepts(apply(named("atan2"), {number(0.0), number(-0.0)}), 3.1415927f));
  CHECK_FALSE(accepts(apply(named("atan2"), {number(0.0), number(-1)}), -3.1415927f));
  CHECK_THROWS_AS(apply(named("sinh"), {number(5000)}), UndecidedSignal);
  CHECK(accepts(apply(named("log2"), {number(8)}), 3.0));
  CHECK(accepts(apply(named("log2"), {number(-1)}), std::nan("")));
  CHECK(accepts(apply(named("round"), {number(2.5)}), 3.0));
  CHECK(accepts(apply(named("round"), {number(-0.3f)}), -0.0));
}

TEST_CASE("soundness A12: sin, cos and tanh are bounded by their range") {
  const Scalar large = apply(floats::multiply, {apply(floats::add, {number(0.1f), number(0.7f)}), number(1e9)});
  REQUIRE(bound_of(large) > 40);
  for (const char* name : {"sin", "cos", "tanh"}) {
    const Scalar r = apply(named(name), {large});
    CHECK(bound_of(r) <= 1.001);
    CHECK_FALSE(accepts(r, 1.1));
    CHECK_FALSE(accepts(r, -1.1));
  }
  for (const char* name : {"sin", "cos"}) CHECK_FALSE(accepts(apply(named(name), {number(3e20)}), 1.1));
}

TEST_CASE("soundness A12: a bound wider than the result is no comparison") {
  // Terms that cancel: 1000 ± u, taken apart again.
  const Scalar sum = apply(floats::add, {apply(floats::add, {number(1000.1f), number(0.3f)}), number(-1000.1f)});
  const Scalar less = apply(floats::add, {sum, number(-0.29999f)});
  const auto compare = [](const Scalar& exact, double found) {
    return props::compare_within_bound({{exact}}, {{make_ieee(exact.type, found)}}, f32, {});
  };
  CHECK(compare(sum, 0.3).wide == 0);
  CHECK(compare(sum, 0.3).floats == 1);
  const props::Comparison c = compare(less, 0);
  CHECK(c.agrees);
  CHECK(c.wide == 1);
  CHECK(c.rounding.bound == 0);  // it is not among those that were compared
}

namespace {

const char* const one_float = "fun f (x : f32) : f32 = x";

props::DrawnInput drawn(const Scalar& exact, double found) {
  props::DrawnInput e;
  e.ieee = Scalars{{make_ieee(exact.type, found)}};
  e.bounded = Outcome(Scalars{{exact}});
  e.arguments.values = {leaves_from({{make_ieee(exact.type, 0)}}, f32, {})};
  return e;
}
Outcome gives(double x) { return Scalars{{make_ieee(ScalarType::F32, x)}}; }

}  // namespace

TEST_CASE("users-dpia B5: a target is held against the bits of its kernel's interpreter, whatever the bound") {
  const PhraseProgram source = test::entry(one_float);
  // As on dot_gpu: 288.5, with a bound of 1,000.
  const Scalar wide = apply(floats::add, {apply(floats::add, {number(1e10f), number(288.5)}), number(-1e10f)});
  REQUIRE(bound_of(wide) > 288.5);
  const Attempt kernel = gives(288.5);
  for (const double wrong : {0.0, 144.25, 289.0}) {
    props::Row v{"openmp"};
    props::judge(v, source, drawn(wide, 288.5), gives(288.5), &kernel, gives(wrong));
    REQUIRE(v.disagreement);
    CHECK_THAT(v.disagreement->expected, Contains("288.5") && Contains("the interpreter of the kernel"));
  }
  props::Row right{"openmp"};
  props::judge(right, source, drawn(wide, 288.5), gives(288.5), &kernel, gives(288.5));
  right.tested = 1;
  CHECK_FALSE(right.disagreement);
  CHECK(right.same_bits == 1);
  CHECK(right.wide == 1);
  CHECK(right.rounding.bound == 0);
  CHECK_FALSE(right.groundless());
}

TEST_CASE("soundness A12: where there are no bits, too many wide bounds are no test") {
  const PhraseProgram source = test::entry(one_float);
  const Scalar wide = apply(floats::add, {apply(floats::add, {number(1e10f), number(288.5)}), number(-1e10f)});
  props::Row v{"reordering"};
  for (int k = 0; k < 40; ++k, ++v.tested) props::judge(v, source, drawn(number(1), 1), gives(1), nullptr, gives(1));
  const auto one_wide = [&] {
    props::judge(v, source, drawn(wide, 288.5), gives(288.5), nullptr, gives(100)), ++v.tested;
  };
  one_wide();
  one_wide();
  CHECK_FALSE(v.groundless());  // two of 42
  one_wide();
  REQUIRE(v.groundless());
  CHECK_THAT(*v.groundless(), Contains("wider than the result for 3 of 43 floats"));
}

// What rounding can do, by the formula of the first order: a bound below it is wrong.
TEST_CASE("soundness A12: bounds of sums, fused products and quotients are no smaller than they may be") {
  const double u = 0x1p-24;
  // Each addition on the way of a term counts, on either side.
  const Scalar a = number(0.1f), b = number(0.7f);
  const auto sum = [&](const Scalar& x, const Scalar& y) { return apply(floats::add, {x, y}); };
  const auto product = [&](const Scalar& x, const Scalar& y) { return apply(floats::multiply, {x, y}); };
  const double m = 0.1f + static_cast<double>(0.7f);
  CHECK(bound_of(sum(a, b)) >= u * m);
  CHECK(bound_of(sum(sum(a, b), sum(a, b))) >= 3 * u * 2 * m);
  // A term that was multiplied often, beside one that was not, on either side.
  const Scalar cube = product(product(a, b), a);
  const double c = 0.1f * static_cast<double>(0.7f) * 0.1f;
  CHECK(bound_of(cube) >= 2 * u * c);
  for (const Scalar& s : {sum(cube, b), sum(b, cube)}) CHECK(bound_of(s) >= (1 + 2) * u * (c + 0.7f));
  // Errors that come from elsewhere stay, on either side.
  const Scalar e = apply(named("exp"), {number(1)});
  const double extra = bound_of(e);
  REQUIRE(extra > 0);
  for (const Scalar& s : {sum(e, number(0x1p-10)), sum(number(0x1p-10), e)}) CHECK(bound_of(s) > extra + 2 * u);
  CHECK(bound_of(sum(e, e)) >= 2 * extra + u * 5);
  CHECK(bound_of(product(e, number(64))) >= 64 * extra);
  // fma: the product's factors, the third, its own rounding, and what is below the least number there is.
  const auto fused = [&](const Scalar& x, const Scalar& y, const Scalar& z) { return apply(floats::fma, {x, y, z}); };
  CHECK(bound_of(fused(e, number(64), a)) >= 64 * extra);
  CHECK(bound_of(fused(number(64), e, a)) >= 64 * extra);
  CHECK(bound_of(fused(a, b, e)) >= extra);
  CHECK(bound_of(fused(a, b, a)) >= u * (0.1f * static_cast<double>(0.7f) + 0.1f));
  CHECK(bound_of(fused(cube, b, a)) >= 3 * u * 0.1f);
  CHECK(bound_of(fused(a, b, cube)) >= 3 * u * c);
  CHECK(bound_of(fused(number(0x1p-80), number(0x1p-80), number(0))) >= 0x1p-160);
  CHECK(bound_of(fused(number(0x1p-80), number(0x1p-80), number(0x1p-149))) >= 0x1p-160);
  // Quotients: the dividend's error, the divisor's, and below the least number there is.
  const auto quotient = [&](const Scalar& x, const Scalar& y) { return apply(floats::divide, {x, y}); };
  CHECK(bound_of(quotient(number(1), number(3))) >= u / 3);
  CHECK(bound_of(quotient(e, number(0x1p-6))) >= 64 * extra);
  CHECK(bound_of(quotient(cube, number(3))) >= 3 * u * c / 3);
  CHECK(bound_of(quotient(number(1), e)) >= extra / (2.72 * 2.72));
  CHECK(bound_of(quotient(number(1000), e)) >= 1000 * extra / (2.72 * 2.72));
  CHECK(bound_of(quotient(number(0x1p-149), number(3))) >= 0x1p-149 / 3);
  CHECK(bound_of(quotient(number(0x1p-125), number(12345))) >= 0x1p-150);
}

TEST_CASE("soundness A12: a whole number is rounded to a float once") {
  // Halfway between two floats and one more: by way of a double it would be a tie, and go down to the even one.
  const Scalar above = make_integer(ScalarType::U64, 0x8000008000000001),
               below = make_integer(ScalarType::I64, 0x4000004000000001);
  CHECK(ieee.from_integer(ScalarType::F32, above).ieee() == 0x1p63 + 0x1p40);
  CHECK(ieee.from_integer(ScalarType::F32, below).ieee() == 0x1p62 + 0x1p39);
}

}  // namespace float_bound_test
