// Values: delays are forced when they are read and not before, and printing is the literal of the command line.
#include <catch2/catch.hpp>

#include "semantics/core/diagnostic.h"
#include "semantics/core/value.h"

namespace value_test {
using namespace lockstep;

namespace {

Value number(std::int64_t n) { return scalar_value(make_integer(ScalarType::I32, static_cast<std::uint64_t>(n))); }
std::string text(const Value& v) { return show(v, ieee_domain()); }

}  // namespace

TEST_CASE("a delayed array computes an element only when it is read", "[value]") {
  int read = 0;
  const Value squares = delayed_array(5, [&](std::int64_t i) { return ++read, number(i * i); });
  CHECK(length_of(squares) == 5);
  CHECK(read == 0);
  CHECK(as_scalar(element_of(squares, 3)).integer() == 9);
  CHECK(read == 1);
  CHECK(text(squares) == "[0, 1, 4, 9, 16]");
}

TEST_CASE("stored forces every delay once and for all", "[value]") {
  int forced = 0;
  const Value lazy = delayed_value(
      [&] { return ++forced, pair_value(number(1), delayed_value([&] { return ++forced, number(2); })); });
  const Value kept = stored(array_value({lazy, lazy}));
  CHECK(forced == 4);
  CHECK(text(kept) == "[(1, 2), (1, 2)]");
  CHECK(forced == 4);
  CHECK(as_scalar(second_of(lazy).node.index() == 0 ? second_of(lazy) : force(second_of(lazy))).integer() == 2);
}

TEST_CASE("a long chain of delays is forced without deep recursion", "[value]") {
  Value chain = number(7);
  for (int i = 0; i < 10000; ++i) chain = delayed_value([inner = chain] { return inner; });
  CHECK(as_scalar(force(chain)).integer() == 7);
}

TEST_CASE("values print as literals, pairs flattened to the right only", "[value]") {
  CHECK(text(pair_value(number(1), pair_value(number(2), number(3)))) == "(1, 2, 3)");
  CHECK(text(pair_value(pair_value(number(1), number(2)), number(3))) == "((1, 2), 3)");
  CHECK(text(array_value({})) == "[]");
  CHECK(text(array_value({array_value({number(1)}), array_value({number(-2)})})) == "[[1], [-2]]");
  CHECK(text(lanes_value({make_ieee(ScalarType::F32, 1), make_ieee(ScalarType::F32, 2.5)})) == "<1.0, 2.5>");
}

TEST_CASE("a value of the wrong shape is a bug and not a wrong answer", "[value]") {
  CHECK_THROWS_AS(as_scalar(array_value({})), Bug);
  CHECK_THROWS_AS(first_of(number(1)), Bug);
  CHECK_THROWS_AS(element_of(array_value({number(1)}), 1), Bug);
  CHECK_THROWS_AS(text(function_value([](std::span<const Value>) { return number(1); })), Bug);
}

TEST_CASE("a function value is called with its arguments", "[value]") {
  const Value second = function_value([](std::span<const Value> x) { return x[1]; });
  const std::vector<Value> arguments = {number(1), number(2)};
  CHECK(as_scalar(call(delayed_value([&] { return second; }), arguments)).integer() == 2);
}

}  // namespace value_test
