// The scalar operators: integers against __int128, floats against the C library, guards against meanings.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "codegen/dialects/dialect.h"
#include "semantics/core/float_function.h"
#include "semantics/primitives/operators.h"

namespace scalar_operators_test {
using namespace lockstep;

namespace {

const std::vector<ScalarType> integer_types = [] {
  std::vector<ScalarType> all(scalar_types.begin(), scalar_types.end());
  std::erase_if(all, [](ScalarType t) { return !is_integer(t); });
  return all;
}();

const ScalarOp& op(std::string_view name) { return std::get<ScalarOp>(scalar_operator(name)->kind); }
Scalar meaning(std::string_view name, ScalarType t, const std::vector<Scalar>& x, const Domain& d = ieee_domain()) {
  return op(name).meaning(d, t, x);
}
Scalar integer(ScalarType t, std::int64_t n) { return make_integer(t, static_cast<std::uint64_t>(n)); }
double float_meaning(std::string_view name, double a, double b, const Domain& d = ieee_domain()) {
  return d.to_ieee(
      meaning(name, ScalarType::F32, {d.from_ieee(ScalarType::F32, a), d.from_ieee(ScalarType::F32, b)}, d));
}

using Big = __int128;
Big big(const Scalar& s) { return is_signed(s.type) ? Big(s.integer()) : Big(s.bits); }
// n modulo 2^bits, into the type's range: the definition of wrapping.
Big wrapped(ScalarType t, Big n) {
  const Big modulus = Big(1) << bits_of(t);
  Big r = n % modulus;
  if (r < 0) r += modulus;
  return is_signed(t) && r >= modulus / 2 ? r - modulus : r;
}

std::vector<Scalar> interesting(ScalarType t) {
  std::vector<Scalar> list;
  for (const std::int64_t n : {0, 1, 2, 3, 7, 31, 100, 255, -1, -2, -7, -100}) list.push_back(integer(t, n));
  list.push_back(make_integer(t, 1ull << (bits_of(t) - 1)));
  list.push_back(make_integer(t, (1ull << (bits_of(t) - 1)) - 1));
  std::mt19937_64 random(5);
  for (int i = 0; i < 8; ++i) list.push_back(make_integer(t, random()));
  return list;
}

// A small evaluator of guards, over phrases that are literals and operators.
Scalar evaluate(const PhraseRef& p) {
  if (const auto* l = as<LiteralPhrase>(*p)) return l->value;
  const auto* x = as<PrimPhrase>(*p);
  REQUIRE(x);
  std::vector<Scalar> arguments;
  for (const PhraseRef& a : x->arguments) arguments.push_back(evaluate(a));
  const ScalarType t = *as<ScalarType>(x->types.at(0));
  return std::get<ScalarOp>(x->primitive->kind).meaning(ieee_domain(), t, arguments);
}
bool traps(std::string_view name, ScalarType t, const std::vector<Scalar>& x) {
  try {
    meaning(name, t, x);
    return false;
  } catch (const TrapSignal&) {
    return true;
  }
}

}  // namespace

TEST_CASE("integer operators are those of the integers, wrapped", "[operators]") {
  for (const ScalarType t : integer_types) {
    for (const Scalar& a : interesting(t)) {
      CHECK(big(meaning("neg", t, {a})) == wrapped(t, -big(a)));
      CHECK(big(meaning("abs", t, {a})) == wrapped(t, big(a) < 0 ? -big(a) : big(a)));
      for (const Scalar& b : interesting(t)) {
        const std::vector<Scalar> x = {a, b};
        CHECK(big(meaning("+", t, x)) == wrapped(t, big(a) + big(b)));
        CHECK(big(meaning("-", t, x)) == wrapped(t, big(a) - big(b)));
        CHECK(meaning("*", t, x).bits ==
              make_integer(t, static_cast<std::uint64_t>(static_cast<unsigned __int128>(big(a)) *
                                                         static_cast<unsigned __int128>(big(b))))
                  .bits);
        if (big(b) != 0) CHECK(big(meaning("/", t, x)) == wrapped(t, big(a) / big(b)));
        if (big(b) != 0) CHECK(big(meaning("%", t, x)) == wrapped(t, big(a) % big(b)));
        CHECK((meaning("<", t, x).bits != 0) == (big(a) < big(b)));
        CHECK((meaning(">=", t, x).bits != 0) == (big(a) >= big(b)));
        CHECK((meaning("!=", t, x).bits != 0) == (big(a) != big(b)));
        CHECK(big(meaning("min", t, x)) == std::min(big(a), big(b)));
        CHECK(big(meaning("max", t, x)) == std::max(big(a), big(b)));
        const int by = static_cast<int>(wrapped(ScalarType::U64, big(b)) % static_cast<unsigned>(bits_of(t)));
        CHECK(big(meaning("<<", t, x)) == wrapped(t, big(a) * (Big(1) << by)));
        const Big power = Big(1) << by;
        CHECK(big(meaning(">>", t, x)) == (big(a) - ((big(a) % power) + power) % power) / power);
        CHECK(big(meaning("^", t, x)) == wrapped(t, big(a) ^ big(b)));
      }
    }
  }
}

TEST_CASE("the laws that an operator claims hold on integers", "[operators]") {
  for (const PrimitiveRef& p : scalar_operators()) {
    const auto& o = std::get<ScalarOp>(p->kind);
    if (static_cast<const int&>(o.arity) != 2 || !(o.laws.commutative || o.laws.identity)) continue;
    const bool of_bools = o.operands == Operands::Bool;
    for (const ScalarType t :
         {of_bools ? ScalarType::Bool : ScalarType::U8, of_bools ? ScalarType::Bool : ScalarType::I64}) {
      const auto list = of_bools ? std::vector<Scalar>{make_bool(false), make_bool(true)} : interesting(t);
      for (const Scalar& a : list) {
        for (const Scalar& b : list) {
          INFO(p->name);
          if (o.laws.commutative) CHECK(meaning(p->name, t, {a, b}).bits == meaning(p->name, t, {b, a}).bits);
          if (o.laws.identity) CHECK(meaning(p->name, t, {a, integer(t, *o.laws.identity)}).bits == a.bits);
          if (!o.laws.associative) continue;
          const Scalar c = list.back();
          CHECK(meaning(p->name, t, {meaning(p->name, t, {a, b}), c}).bits ==
                meaning(p->name, t, {a, meaning(p->name, t, {b, c})}).bits);
        }
      }
    }
  }
  CHECK_FALSE(op("-").laws.associative);
}

TEST_CASE("division by zero traps with its values, and the guard says when", "[operators]") {
  try {
    meaning("/", ScalarType::I32, {integer(ScalarType::I32, 7), integer(ScalarType::I32, 0)});
    FAIL("no trap");
  } catch (const TrapSignal& s) {
    CHECK(s.trap.primitive == "/");
    CHECK(s.trap.message == "division by zero: 7 / 0");
  }
  for (const ScalarType t : integer_types) {
    for (const Scalar& b : interesting(t)) {
      const Scalar a = integer(t, 7);
      const auto guard = op("%").guard(t);
      REQUIRE(guard);
      CHECK((evaluate(phrase_of(guard->ok, {literal(a), literal(b)})).bits == 0) == traps("%", t, {a, b}));
      CHECK(guard->shown == std::vector<std::size_t>{0, 1});
    }
  }
  CHECK_FALSE(op("/").can_trap(ScalarType::F32));
}

TEST_CASE("users-dpia F19: the trap of a conversion names the value, and that of a division values of any type",
          "[operators]") {
  const auto message = [](const std::string& name, ScalarType t, const std::vector<Scalar>& x) {
    try {
      meaning(name, t, x);
    } catch (const TrapSignal& s) {
      return s.trap.message;
    }
    return std::string("no trap");
  };
  CHECK(message("i32", ScalarType::F32, {make_ieee(ScalarType::F32, 4e9)}) == "the float 4e+09 is out of range");
  CHECK(message("u8", ScalarType::F64, {make_ieee(ScalarType::F64, -1.5)}) == "the float -1.5 is out of range");
  CHECK(message("i64", ScalarType::F64, {make_ieee(ScalarType::F64, std::nan(""))}) == "the float nan is out of range");
  CHECK(message("/", ScalarType::U64, {integer(ScalarType::U64, -1), integer(ScalarType::U64, 0)}) ==
        "division by zero: 18446744073709551615 / 0");
}

TEST_CASE("a conversion of a float traps exactly where its guard fails, at every bound", "[operators]") {
  for (const ScalarType t : {ScalarType::F32, ScalarType::F64}) {
    const auto next = [&](double x, double to) {
      return t == ScalarType::F32 ? std::nextafterf(static_cast<float>(x), static_cast<float>(to))
                                  : std::nextafter(x, to);
    };
    for (const ScalarType target : integer_types) {
      const double above = std::ldexp(1.0, bits_of(target) - (is_signed(target) ? 1 : 0));
      std::vector<double> list = {0, -0.0, 0.5, -0.5, -1, 1e30, -1e30, HUGE_VAL, -HUGE_VAL, std::nan("")};
      for (const double edge : {above, above - 1, -above, -above - 1, -1.0}) {
        for (const double x : {edge, next(edge, HUGE_VAL), next(edge, -HUGE_VAL)}) list.push_back(x);
      }
      int trapped = 0;
      for (const double x : list) {
        const Scalar s = make_ieee(t, x);
        const auto guard = op(show(target)).guard(t);
        REQUIRE(guard);
        const bool trap = traps(show(target), t, {s});
        INFO(show(target) << " of " << show(s, ieee_domain()));
        CHECK((evaluate(phrase_of(guard->ok, {literal(s, show(s, ieee_domain()))})).bits == 0) == trap);
        CHECK(guard->shown == std::vector<std::size_t>{0});
        if (!trap) CHECK(big(meaning(show(target), t, {s})) == static_cast<Big>(s.ieee()));
        trapped += trap ? 1 : 0;
      }
      CHECK(trapped >= 5);
    }
  }
}

TEST_CASE("conversions among integers wrap and those to floats round once", "[operators]") {
  CHECK(meaning("u8", ScalarType::I32, {integer(ScalarType::I32, -1)}).integer() == 255);
  CHECK(meaning("i64", ScalarType::U32, {integer(ScalarType::U32, -1)}).integer() == 4294967295);
  CHECK(meaning("bool", ScalarType::F32, {make_ieee(ScalarType::F32, 0.5)}).bits == 1);
  CHECK(meaning("i32", ScalarType::Bool, {make_bool(true)}).integer() == 1);
  CHECK(meaning("f64", ScalarType::U64, {integer(ScalarType::U64, -1)}).ieee() == 0x1p64);
  // By way of double this would be rounded twice, to 2^53.
  const std::int64_t n = (1LL << 53) + (1LL << 29) + 1;
  CHECK(meaning("f32", ScalarType::I64, {integer(ScalarType::I64, n)}).ieee() == 0x1p53 + 0x1p30);
}

TEST_CASE("the remainder of floats is fmod in every domain", "[operators]") {
  for (const Domain* d : {&ieee_domain(), &exact_domain(), &bounded_domain()}) {
    CHECK(float_meaning("%", 7.5, 2, *d) == 1.5);
    CHECK(float_meaning("%", -7.5, 2, *d) == -1.5);
    CHECK(float_meaning("%", 6, -2, *d) == 0);
    CHECK(float_meaning("%", 3, HUGE_VAL, *d) == 3);
    CHECK(std::isnan(float_meaning("%", HUGE_VAL, 3, *d)));
  }
  CHECK(float_meaning("%", 1e30, 0.3, exact_domain()) == std::fmod(1e30f, 0.3f));
}

TEST_CASE("operators on phrases have the type of their results", "[operators]") {
  const PhraseRef x = ident("x", exp_type(scalar(ScalarType::F32)));
  const PhraseRef v = ident("v", exp_type(vector_type(scalar(ScalarType::F32), 4)));
  const PhraseRef i = ident("i", exp_type(index_type(Size::name("n"))));
  CHECK(data_of(*apply_operator(scalar_operator("+"), {x, x})) == scalar(ScalarType::F32));
  CHECK(data_of(*apply_operator(scalar_operator("<"), {x, x})) == scalar(ScalarType::Bool));
  CHECK(data_of(*apply_operator(scalar_operator("i32"), {x})) == scalar(ScalarType::I32));
  CHECK(data_of(*apply_operator(scalar_operator("*"), {v, v})) == vector_type(scalar(ScalarType::F32), 4));
  CHECK(data_of(*apply_operator(scalar_operator("+"), {i, nat(3)})) == scalar(ScalarType::I64));
  CHECK_THROWS_AS(apply_operator(scalar_operator("+"), {x, v}), Bug);
  CHECK_THROWS_AS(apply_operator(scalar_operator("+"), {x}), Bug);
  CHECK_THROWS_AS(scalar_operator("<=>"), Bug);
}

TEST_CASE("every operator has one name and is one object", "[operators]") {
  std::set<std::string> names;
  for (const PrimitiveRef& p : scalar_operators()) {
    CHECK(names.insert(p->name).second);
    CHECK(scalar_operator(p->name) == p);
  }
  CHECK(names.size() == scalars::operators().size());
}

TEST_CASE("the text of an operator cuts bytes, masks shifts and guards the least integer", "[operators]") {
  const auto text = [](std::string_view name, ScalarType t, const std::vector<std::string>& x) {
    return spell(cpp_dialect(), op(name).definition(t), x).text;
  };
  CHECK(text("+", ScalarType::U8, {"a", "b"}) == "(a + b) & 255");
  CHECK(text("*", ScalarType::U16, {"a", "b"}) == "(a * b) & 65535");
  CHECK(text("neg", ScalarType::I8, {"a"}) == "(int8_t)(-a)");
  CHECK(text("/", ScalarType::I32, {"a", "b"}) == "b == -1 ? -a : a / b");
  CHECK(text("%", ScalarType::I64, {"a", "b"}) == "b == -1 ? 0 : a % b");
  CHECK(text("/", ScalarType::F32, {"a", "b"}) == "a / b");
  CHECK(text("<<", ScalarType::I32, {"a", "b"}) == "a << (b & 31)");
  CHECK(text("neg", ScalarType::F32, {"(-1.0f)"}) == "-(-1.0f)");
  CHECK(text("min", ScalarType::F32, {"a", "b"}) == "((a < b) | (b != b)) ? a : b");
  CHECK(text("max", ScalarType::I32, {"a", "b"}) == "a > b ? a : b");
  CHECK(text("fma", ScalarType::F32, {"a", "b", "c"}) == "fmaf(a, b, c)");
  CHECK(text("sqrt", ScalarType::F64, {"a"}) == "sqrt(a)");
  CHECK(text("exp", ScalarType::F32, {"a"}) == "Sleef_cinz_expf1_u10purec(a)");
  CHECK(spell(hip_dialect(), op("exp").definition(ScalarType::F32), {"a"}).text == "expf(a)");
  CHECK(text("u8", ScalarType::F32, {"a"}) == "(uint8_t)a");
  CHECK(text("&", ScalarType::Bool, {"a", "b"}) == "(a & b) != 0");
}

TEST_CASE("operators on bits are what their words say, at every width", "[operators]") {
  for (const ScalarType t : integer_types) {
    const int width = bits_of(t);
    for (const Scalar& a : interesting(t)) {
      const std::uint64_t bits = static_cast<std::uint64_t>(big(a)) & (~0ULL >> (64 - width));
      int ones = 0, above = width;
      for (int k = 0; k < width; ++k) {
        if (bits >> k & 1) ++ones, above = width - 1 - k;
      }
      CHECK(big(meaning("popcount", t, {a})) == ones);
      CHECK(big(meaning("clz", t, {a})) == above);
      CHECK(big(meaning("complement", t, {a})) == wrapped(t, -big(a) - 1));
      for (const Scalar& b : interesting(t)) {
        const auto by = static_cast<int>(b.bits & static_cast<std::uint64_t>(width - 1));
        const Big turned = (Big(bits) << by | Big(bits) >> (width - by)) & ((Big(1) << width) - 1);
        CHECK(big(meaning("rotl", t, {a, b})) == wrapped(t, turned));
        CHECK(big(meaning("rotr", t, {meaning("rotl", t, {a, b}), b})) == big(a));
      }
    }
  }
}

TEST_CASE("the bits of a float are a word, and back", "[operators]") {
  for (const double x : {0.0, -0.0, 1.0, -2.5, 1e-40, 3e38, HUGE_VAL, -HUGE_VAL}) {
    const Scalar narrow = make_ieee(ScalarType::F32, x), wide = make_ieee(ScalarType::F64, x);
    const Scalar word = meaning("toBits", ScalarType::F32, {narrow});
    CHECK(word.type == ScalarType::U32);
    CHECK(word.bits == std::bit_cast<std::uint32_t>(static_cast<float>(x)));
    CHECK(meaning("fromBits", ScalarType::U32, {word}).bits == narrow.bits);
    CHECK(meaning("toBits", ScalarType::F64, {wide}).bits == std::bit_cast<std::uint64_t>(x));
    CHECK(meaning("fromBits", ScalarType::U64, {meaning("toBits", ScalarType::F64, {wide})}).bits == wide.bits);
  }
  for (const double sign : {1.0, -1.0})  // all NaNs are one
    CHECK(meaning("toBits", ScalarType::F32, {make_ieee(ScalarType::F32, std::copysign(std::nan(""), sign))}).bits ==
          0x7fc00000);
  const Domain& d = bounded_domain();
  const auto sum = [&](double a, double b) {
    return d.apply(floats::add, ScalarType::F32,
                   std::vector{d.from_ieee(ScalarType::F32, a), d.from_ieee(ScalarType::F32, b)});
  };
  CHECK(meaning("toBits", ScalarType::F32, {sum(1, 2)}, d).bits == 0x40400000);
  CHECK_THROWS_AS(meaning("toBits", ScalarType::F32, {sum(0.1F, 0.7F)}, d), UndecidedSignal);
  CHECK(spell(cpp_dialect(), op("fromBits").definition(ScalarType::U32), {"x"}).text == "__builtin_bit_cast(float, x)");
}

TEST_CASE("operators stand on whole vectors where no lane can stop the machine and none needs a call", "[operators]") {
  const auto whole = [](std::string_view name, ScalarType t) {
    const std::size_t arity = static_cast<std::size_t>(static_cast<const int&>(op(name).arity));
    const std::vector<std::string> names{"a", "b", "c"};
    return spell_on_vectors(cpp_dialect(), op(name).definition(t),
                            {names.begin(), names.begin() + std::ptrdiff_t(arity)}, 4);
  };
  CHECK(whole("+", ScalarType::U8) == "a + b");  // lanes are as wide as their type
  CHECK(whole("/", ScalarType::F32) == "a / b");
  CHECK(whole("/", ScalarType::I32).empty());
  CHECK(whole("max", ScalarType::F32) == "((a > b) | (b != b)) ? a : b");
  CHECK(whole("abs", ScalarType::F32) == "a <= 0 ? 0 - a : a");
  CHECK(whole("abs", ScalarType::I32) == "a < 0 ? -a : a");
  for (const char* lane_by_lane : {"<", "exp", "i64", "%"}) CHECK(whole(lane_by_lane, ScalarType::F32).empty());
  CHECK(whole("&", ScalarType::Bool).empty());
}

TEST_CASE("what the machine or C leaves open of a shift and a quotient, lanes too, is said by the operator",
          "[operators]") {
  const auto text = [](std::string_view name, ScalarType t) {
    return spell(cpp_dialect(), op(name).definition(t), {"a", "b"}).text;
  };
  for (const char* shift : {"<<", ">>"}) {
    CHECK_THAT(text(shift, ScalarType::U8), Catch::Matchers::Contains("b & 7"));
    CHECK_THAT(text(shift, ScalarType::I32), Catch::Matchers::Contains("b & 31"));
  }
  for (const char* divides : {"/", "%"}) {
    CHECK_THAT(text(divides, ScalarType::I32), Catch::Matchers::Contains("b == -1"));
    CHECK_THAT(text(divides, ScalarType::U32), !Catch::Matchers::Contains("-1"));
  }
}

TEST_CASE("a remainder of nothing has the dividend's sign in every domain", "[operators]") {
  for (const Domain* d : {&ieee_domain(), &exact_domain(), &bounded_domain()})
    for (const ScalarType t : {ScalarType::F32, ScalarType::F64})
      for (const double x : {0.0, -0.0, 3.0, -3.0}) {
        const std::vector<Scalar> operands{d->from_ieee(t, x), d->from_ieee(t, 1.5)};
        const double rest = d->to_ieee(scalars::operator_named("%").meaning(*d, t, operands));
        INFO(d->name() << " " << x);
        CHECK(rest == 0);
        if (d != &exact_domain()) CHECK(std::signbit(rest) == std::signbit(x));  // where zeros have no sign
      }
}

}  // namespace scalar_operators_test
