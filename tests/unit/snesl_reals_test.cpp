// What .snesl gives against the same on the reals.
#include <catch2/catch.hpp>

#include "props/snesl/reals.h"
#include "tests/unit/snesl_streams.h"

namespace snesl_reals_test {
using namespace lockstep;
namespace stream = props::stream;

namespace {

snesl::core::Program core_of(const std::string& text, const std::vector<std::string>& arguments) {
  return streaming::test::prepare({text, arguments}).core;
}

stream::OnReals on_reals(const std::string& text, const std::vector<std::string>& arguments,
                         const snesl::Values& values, const std::function<void(snesl::Value&)>& wrong = {}) {
  const stream::Toolchain tools = stream::Toolchain::standard();
  const snesl::core::Program core = core_of(text, arguments);
  stream::KeptFiles files({});
  stream::StreamingResult found = stream::evaluated(tools, core, values, files);
  if (wrong) wrong(*found.value);
  return stream::on_reals(tools, core, values, stream::KeptFiles({}), found);
}

snesl::Value real(double x) { return snesl::atom_value(snesl::real_atom(x)); }

}  // namespace

TEST_CASE("a Real is within the bound of what it is on the reals, and one that is not is found", "[snesl][reals]") {
  const std::string text = "fun f(x) = {(exp(y) + sin(y) * 0.1, 7) : y in {x, x + 1.0}}";
  const stream::OnReals right = on_reals(text, {"1.7"}, {real(1.7)});
  CHECK(right.comparison.agrees);
  CHECK_FALSE(right.undecided);
  CHECK(right.comparison.floats == 2);
  CHECK(right.comparison.wide == 0);
  CHECK(right.comparison.rounding.bound > 0);
  CHECK(right.comparison.rounding.bound < 1e-13);
  const stream::OnReals wrong = on_reals(text, {"1.7"}, {real(1.7)}, [](snesl::Value& v) {
    snesl::Values items(v.items->begin(), v.items->end());
    items[1] = snesl::tuple_value({real(items[1][0].atom.ieee() + 1e-12), items[1][1]});
    v = snesl::sequence_value(std::move(items));
  });
  CHECK_FALSE(wrong.comparison.agrees);
  CHECK(wrong.comparison.expected.starts_with("result[1].1 = 14.92"));
  const stream::OnReals whole = on_reals(text, {"1.7"}, {real(1.7)}, [](snesl::Value& v) {
    v = snesl::sequence_value({v[0], snesl::tuple_value({v[1][0], snesl::atom_value(snesl::int_atom(8))})});
  });
  const stream::OnReals shorter =
      on_reals(text, {"1.7"}, {real(1.7)}, [](snesl::Value& v) { v = snesl::sequence_value({v[0]}); });
  CHECK_FALSE(shorter.comparison.agrees);
  CHECK(shorter.comparison.expected == "result of length 2");
  CHECK(shorter.comparison.found == "length 1");
  CHECK(whole.comparison.expected == "result[1].2 = 7");
  CHECK(whole.comparison.found == "8");
}

TEST_CASE("sums, scans and the reductions of .snesl are those of the reals", "[snesl][reals]") {
  for (const std::string body :
       {"sum(s)", "product(s)", "maximum(s)", "sum(scan-plus(s))", "the({x : x in s | x == 0.3})", "minimum(s)"}) {
    const stream::OnReals r = on_reals("fun f(v) = let s = seq(v) in " + body, {"[0.1, 0.2, 0.3]"},
                                       {snesl::vector_value({real(0.1), real(0.2), real(0.3)})});
    INFO(body << ": " << r.comparison.expected << ", " << r.comparison.found);
    CHECK(r.comparison.agrees);
    CHECK(r.comparison.floats == (r.undecided ? 0 : 1));
  }
}

TEST_CASE("a trap is one on the reals, and what rounding decides is said", "[snesl][reals]") {
  CHECK(on_reals("fun f(x) = int(x)", {"1.5"}, {real(1e300)}).comparison.agrees);
  const stream::OnReals floor = on_reals("fun f(x) = floor((x + 0.2) - 0.3)", {"0.1"}, {real(0.1)});
  CHECK(floor.undecided);
  // On the reals 1 / 0 is infinite too, and no trap.
  const auto wrong = on_reals("fun f(x) = int(x)", {"1.5"}, {real(2.5)},
                              [](snesl::Value& v) { v = snesl::atom_value(snesl::int_atom(3)); });
  CHECK_FALSE(wrong.comparison.agrees);
}

}  // namespace snesl_reals_test
