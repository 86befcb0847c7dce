// Runs of commands: results, interference, reads of what was not written, traps.
#include <catch2/catch.hpp>

#include "semantics/imperative/location.h"
#include "semantics/imperative/parse.h"
#include "semantics/imperative/run.h"
#include "semantics/primitives/build.h"
#include "tests/unit/dpia_program.h"
#include "translate/dpia/stage.h"

namespace imperative_run_test {
using namespace lockstep;

namespace {

const Calculus& calculus() {
  static const Calculus c = standard_calculus();
  return c;
}

PhraseProgram parsed(const std::string& text) {
  auto p = parse_phrase_program(text, calculus());
  if (!p) FAIL(render(p.error().front()));
  return *p;
}

Value floats(std::initializer_list<double> xs) {
  std::vector<Value> out;
  for (const double x : xs) out.push_back(scalar_value(make_ieee(ScalarType::F32, x)));
  return array_value(std::move(out));
}
Value numbers(std::initializer_list<std::int64_t> xs) {
  std::vector<Value> out;
  for (const std::int64_t x : xs)
    out.push_back(scalar_value(make_integer(ScalarType::I64, static_cast<std::uint64_t>(x))));
  return array_value(std::move(out));
}

// The result as text, or what stopped the run.
std::string result(const std::string& text, const SizeValues& sizes, const std::vector<Value>& arguments,
                   const RunOptions& options = {}) {
  const auto r = run(parsed(text), sizes, arguments, ieee_domain(), options);
  return r ? show(*r, ieee_domain()) : render(r.error());
}

constexpr Order orders[] = {Order::Forward, Order::Reverse, Order::Random};
constexpr Order all_orders[] = {Order::Forward, Order::Reverse, Order::Random, Order::Turns, Order::RandomTurns};

}  // namespace

TEST_CASE("a loop over a variable adds an array up") {
  CHECK(result(R"(program sum [n] (xs : [n]f32) : f32 -> output =
    new{}{f32}(\acc. acc.1 := 0f32; for{n}{}(\i. acc.1 := idx{n}{f32}(xs, i) + acc.2); output := acc.2))",
               {{"n", 3}}, {floats({1, 2, 4})}) == "7.0");
}

TEST_CASE("two iterations that write one place interfere, in every order") {
  const std::string racy = R"(program racy [n] (xs : [n]f32) : f32 -> b =
    new{}{[n]f32}(\a. parforPar{n}{f32}(a.1, \i o. b := idx{n}{f32}(xs, i))))";
  CHECK(result(racy, {{"n", 2}}, {floats({1, 2})}) ==
        "interference: iterations 0 and 1 of one parallel loop both write `b` (cell 0)");
  CHECK(result(racy, {{"n", 2}}, {floats({1, 2})}, {.order = Order::Reverse}) ==
        "interference: iterations 1 and 0 of one parallel loop both write `b` (cell 0)");
  CHECK(result(racy, {{"n", 1}}, {floats({1})}) == "1.0");
}

namespace {
// parfor n A (\i o. a1 := e1; a2 := e2) becomes parfor n A (\i o. a1 := e1; a1 of A's first element := e2).
PhraseRef second_into_the_first_element(const PhraseRef& p) {
  const auto* x = use_of<imp::ParFor>(*p);
  if (!x) return map_children(p, second_into_the_first_element);
  const PhraseRef& a = x->arguments[0];
  const auto* i = as<LambdaPhrase>(*x->arguments[1]);
  const auto* o = as<LambdaPhrase>(*i->body);
  const auto* both = use_of<imp::Seq>(*o->body);
  REQUIRE(both);
  const PhraseRef &one = both->arguments[0], &other = both->arguments[1];
  const PhraseRef first = idx_acc(a, index_at(Size(0), x->sizes[0]));
  const PhraseRef there = substitute(as<ImpPhrase>(*one)->arguments[0], {{o->name, first}});
  const PhraseRef moved = assign(there, as<ImpPhrase>(*other)->arguments[1], other->region);
  return par_for(as<imp::ParFor>(*x)->level, a, i->name, o->name,
                 [&](const PhraseRef&, const PhraseRef&) { return seq(one, moved); });
}
}  // namespace

TEST_CASE("interference names both accesses by their positions in the .dpia text") {
  const std::string text = "fun main [n] (xs : [n]i32) : [n](i32, i32) = mapPar (\\x -> (x + 1, x * 2)) xs";
  PhraseProgram p = dpia_trace(test::entry(text), calculus(), Machine::Cpu).after("hoist")->as<PhraseProgram>();
  const std::vector<Value> xs = {test::i32s({3, 4})};
  REQUIRE(run(p, {{"n", 2}}, xs, ieee_domain()));
  p.body = second_into_the_first_element(p.body);
  const auto position = [&](const char* what) { return "test.dpia:1:" + std::to_string(text.find(what) + 1); };
  const auto r = run(p, {{"n", 2}}, xs, ieee_domain(), {.order = Order::Reverse});
  REQUIRE_FALSE(r);
  CHECK(render(r.error()) == position("x + 1") +
                                 ": interference: iterations 1 and 0 of one parallel loop both write `output` "
                                 "(cell 0); iteration 1 at " +
                                 position("x * 2"));
}

TEST_CASE("an iteration that reads what another writes interferes, whichever comes first") {
  const std::string neighbour = R"(program neighbour [n] : [n]f32 -> output =
    new{}{[n]f32}(\tmp.
      parforPar{n}{f32}(tmp.1, \i o. o := 1f32);
      parforPar{n}{f32}(tmp.1, \i o. o := idx{n}{f32}(reverse{n}{f32}(tmp.2), i));
      parforPar{n}{f32}(output, \i o. o := idx{n}{f32}(tmp.2, i))))";
  for (const Order order : orders)
    CHECK(result(neighbour, {{"n", 2}}, {}, {.order = order}).find("touch `tmp`") != std::string::npos);
  CHECK(result(neighbour, {{"n", 1}}, {}) == "[1.0]");
}

TEST_CASE("what an iteration allocates is its own, and a loop inside is seen by the loop outside") {
  CHECK(result(R"(program own [n] : [n]f32 -> output =
    parforPar{n}{f32}(output, \i o. new{}{f32}(\t. t.1 := 2f32; o := t.2)))",
               {{"n", 3}}, {}) == "[2.0, 2.0, 2.0]");
  CHECK(result(R"(program nested [n] : [n]f32 -> output =
    new{}{[1]f32}(\t.
      parforPar{n}{f32}(output, \i o. parforPar{1}{f32}(t.1, \j p. p := 2f32); o := 1f32)))",
               {{"n", 2}}, {})
            .find("both write `t`") != std::string::npos);
}

TEST_CASE("a sequential level does not interfere with itself") {
  const std::string local = R"(program last [n] (xs : [n]f32) : f32 -> b =
    new{}{[n]f32}(\a. parforLocal{n}{f32}(a.1, \i o. b := idx{n}{f32}(xs, i))))";
  CHECK(result(local, {{"n", 2}}, {floats({1, 2})}).find("both write") != std::string::npos);
  CHECK(result(local, {{"n", 2}}, {floats({1, 2})}, {.sequential = {Level::Local}}) == "2.0");
}

TEST_CASE("reading what was not written is an error, or zero where that is asked for") {
  const std::string early = R"(program early : f32 -> output = new{}{f32}(\t. output := t.2))";
  CHECK(result(early, {}, {}) == "`t` (cell 0) is read before it is written");
  CHECK(result(early, {}, {}, {.poison = false}) == "0.0");
  CHECK(result("program none [n] : [n]f32 -> output = skip{}{}()", {{"n", 2}}, {}) ==
        "`output` (cell 0) is read before it is written");
}

TEST_CASE("an expression that is bound is read when it is used") {
  CHECK(result(R"(program late : f32 -> output =
    new{}{f32}(\t. t.1 := 1f32;
      (\(x : exp[f32]). t.1 := 5f32; output := x) (t.2 + 1f32)))",
               {}, {}) == "6.0");
}

namespace {
// v := (b, a + b) ten times, the first component before the second is read
const std::string fibonacci_in_place = R"(program fib : (i32, i32) -> out =
  new{}{(i32, i32)}(\v.
    pairAcc1{}{i32, i32}(v.1) := 0i32;
    pairAcc2{}{i32, i32}(v.1) := 1i32;
    for{10}{}(\i.
      pairAcc1{}{i32, i32}(v.1) := snd{}{i32, i32}(v.2);
      pairAcc2{}{i32, i32}(v.1) := fst{}{i32, i32}(v.2) + snd{}{i32, i32}(v.2));
    pairAcc1{}{i32, i32}(out) := fst{}{i32, i32}(v.2);
    pairAcc2{}{i32, i32}(out) := snd{}{i32, i32}(v.2)))";
const std::string fibonacci = R"(program fib : (i32, i32) -> out =
  iterateI{10}{(i32, i32)}(
    \x o.
      pairAcc1{}{i32, i32}(o) := snd{}{i32, i32}(x);
      pairAcc2{}{i32, i32}(o) := fst{}{i32, i32}(x) + snd{}{i32, i32}(x),
    pair{}{i32, i32}(0i32, 1i32),
    \r. pairAcc1{}{i32, i32}(out) := fst{}{i32, i32}(r); pairAcc2{}{i32, i32}(out) := snd{}{i32, i32}(r)))";
}  // namespace

TEST_CASE("a step on one variable as source and target is wrong for compound state, through a temporary it is right") {
  CHECK(result(fibonacci_in_place, {}, {}) == "(512, 1024)");
  CHECK(result(fibonacci, {}, {}) == "(55, 89)");
}

TEST_CASE("a well-typed command gives one result in every order") {
  const std::string text = R"(program two [n] (xs : [n]f32) : [n]f32 -> output =
    new{}{[n]f32}(\tmp.
      mapIPar{n}{f32, f32}(\x o. o := x * x, xs, tmp.1);
      mapI{n}{f32, f32}(\x o. new{}{f32}(\t. t.1 := x + 1f32; o := t.2), reverse{n}{f32}(tmp.2), output)))";
  for (const Order order : all_orders)
    CHECK(result(text, {{"n", 3}}, {floats({1, 2, 3})}, {.order = order, .seed = 3}) == "[10.0, 5.0, 2.0]");
}

TEST_CASE("iterations that take turns lose an update that one after the other would make") {
  const std::string counts = R"(program counts [n] : f32 -> b =
    new{}{f32}(\acc. acc.1 := 0f32;
      new{}{[n]f32}(\a. parforPar{n}{f32}(a.1, \i o. acc.1 := acc.2 + 1f32));
      b := acc.2))";
  CHECK(result(counts, {{"n", 5}}, {}).find("interference") == 0);
  CHECK(result(counts, {{"n", 5}}, {}, {.order = Order::Turns}) == "1.0");
  CHECK(result(counts, {{"n", 1}}, {}, {.order = Order::Turns}) == "1.0");
  CHECK(result(counts, {{"n", 200}}, {}, {.order = Order::RandomTurns, .seed = 1}) != "200.0");
}

TEST_CASE("iterations that take turns keep what they allocate, in loops inside loops and beyond 64") {
  const std::string nested = R"(program nested [n m] : [n][m]f32 -> output =
    parforPar{n}{[m]f32}(output, \i row. new{}{f32}(\s. s.1 := 0f32;
      for{m}{}(\k. new{}{f32}(\t. t.1 := s.2 + 1f32; s.1 := t.2));
      parforPar{m}{f32}(row, \j o. new{}{f32}(\t. t.1 := s.2; o := t.2 + 1f32)))))";
  for (const auto& [n, m] : {std::pair{1, 1}, std::pair{3, 2}, std::pair{70, 3}, std::pair{3, 70}, std::pair{0, 4}}) {
    const SizeValues sizes{{"n", n}, {"m", m}};
    const std::string expected = result(nested, sizes, {});
    CHECK(expected.find("[") == 0);
    for (const Order order : all_orders) CHECK(result(nested, sizes, {}, {.order = order, .seed = 7}) == expected);
  }
}

TEST_CASE("iterations that take turns are stopped by what stops one of them, the others run to their end") {
  const std::string unwritten = R"(program u [n] : [n]f32 -> output =
    parforPar{n}{f32}(output, \i o. new{}{f32}(\t. o := t.2)))";
  for (const Order order : all_orders)
    CHECK(result(unwritten, {{"n", 3}}, {}, {.order = order}).find("is read before it is written") !=
          std::string::npos);
}

TEST_CASE("reduceI, scanI and whileI act as their definitions") {
  CHECK(result(R"(program r [n] (xs : [n]f32) : f32 -> output =
    reduceI{n}{f32, f32}(\x y o. o := x - y, 0f32, xs, \r. output := r))",
               {{"n", 3}}, {floats({1, 2, 4})}) == "3.0");
  const auto scan = [](const std::string& name) {
    return "program s [n] (xs : [n]f32) : [n]f32 -> output = " + name +
           "{n}{f32, f32}(\\x y o. o := x + y, 10f32, xs, output)";
  };
  CHECK(result(scan("scanI"), {{"n", 3}}, {floats({1, 2, 4})}) == "[11.0, 13.0, 17.0]");
  CHECK(result(scan("scanExclusiveI"), {{"n", 3}}, {floats({1, 2, 4})}) == "[10.0, 11.0, 13.0]");
  CHECK(result(R"(program w : i32 -> output =
    whileI{}{i32}(\x o. o := x < 100i32, \x o. o := x * 2i32, 3i32, \r. output := r))",
               {}, {}) == "192");
}

TEST_CASE("while stops at the iteration limit") {
  const std::string text = "program w : i32 -> output = output := 1i32; whileDo{}{}(true, output := 2i32)";
  CHECK(result(text, {}, {}, {.iteration_limit = 10}).find("iteration limit") != std::string::npos);
}

TEST_CASE("scatterI traps on a duplicate and outside, and ignores negative indices") {
  const std::string text = R"(program s [n] (is : [n]i64) (xs : [n]f32) : [3]f32 -> output =
    for{3}{}(\i. idxAcc{3}{f32}(output, i) := 0f32);
    scatterI{3, n}{f32}(is, xs, output))";
  const Value xs = floats({1, 2});
  CHECK(result(text, {{"n", 2}}, {numbers({2, -1}), xs}) == "[0.0, 0.0, 1.0]");
  CHECK(result(text, {{"n", 2}}, {numbers({2, 2}), xs}).find("index 2 occurs twice") != std::string::npos);
  CHECK(result(text, {{"n", 2}}, {numbers({0, 3}), xs}).find("index 3 is outside [0, 3)") != std::string::npos);
}

TEST_CASE("permuteI combines what falls on one place") {
  const std::string text = R"(program p [n] (is : [n]i64) (xs : [n]f32) : [2]f32 -> output =
    new{}{[2]f32}(\v.
      for{2}{}(\i. idxAcc{2}{f32}(v.1, i) := 10f32);
      permuteI{2, n}{f32}(\x y o. o := x + y, is, xs, v);
      for{2}{}(\i. idxAcc{2}{f32}(output, i) := idx{2}{f32}(v.2, i))))";
  CHECK(result(text, {{"n", 3}}, {numbers({1, 1, -4}), floats({1, 2, 3})}) == "[10.0, 13.0]");
  CHECK(result(text, {{"n", 1}}, {numbers({2}), floats({1})}).find("index 2 is outside [0, 2)") != std::string::npos);
}

TEST_CASE("a check that fails traps with its values in the message") {
  const std::string text = R"(program c (x : i64) : i64 -> output =
    check["/", "{0} is not {1}"](x != 0i64, x, 7i64); output := x)";
  const auto trapped = run(parsed(text), {}, {scalar_value(make_integer(ScalarType::I64, 0))}, ieee_domain());
  REQUIRE(!trapped);
  REQUIRE(std::holds_alternative<Trap>(trapped.error()));
  CHECK(std::get<Trap>(trapped.error()).primitive == "/");
  CHECK(std::get<Trap>(trapped.error()).message == "0 is not 7");
  CHECK(result(text, {}, {scalar_value(make_integer(ScalarType::I64, 4))}) == "4");
}

TEST_CASE("an index outside that no check stopped leaves the machine stuck") {
  const std::string text = R"(program g [n] (xs : [n]f32) (i : i64) : f32 -> output = output := (!){n}{f32}(xs, i))";
  const Value i = scalar_value(make_integer(ScalarType::I64, 5));
  CHECK(result(text, {{"n", 2}}, {floats({1, 2}), i}).starts_with("stuck: "));
  CHECK(result(text, {{"n", 2}}, {floats({1, 2}), i}, {.check_views = true}).find("index 5 is outside [0, 2)") !=
        std::string::npos);
}

// ---------------------------------------------------------------------------------------------- acceptors
namespace {

struct AcceptorCase {
  std::string name;
  std::string text;  // writes all of output, of `length` scalars xs
  std::string expected;
};
const std::vector<AcceptorCase> acceptor_cases = {
    {"split", R"(program p (xs : [6]f32) : [3][2]f32 -> output =
       for{6}{}(\i. idxAcc{6}{f32}(splitAcc{2, 3}{f32}(output), i) := idx{6}{f32}(xs, i)))",
     "[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]"},
    {"join", R"(program p (xs : [6]f32) : [6]f32 -> output =
       for{3}{}(\i. for{2}{}(\j. idxAcc{2}{f32}(idxAcc{3}{[2]f32}(joinAcc{3, 2}{f32}(output), i), j) :=
         idx{2}{f32}(idx{3}{[2]f32}(split{2, 3}{f32}(xs), i), j))))",
     "[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]"},
    {"transpose", R"(program p (xs : [6]f32) : [2][3]f32 -> output =
       for{3}{}(\i. for{2}{}(\j. idxAcc{2}{f32}(idxAcc{3}{[2]f32}(transposeAcc{3, 2}{f32}(output), i), j) :=
         idx{2}{f32}(idx{3}{[2]f32}(split{2, 3}{f32}(xs), i), j))))",
     "[[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]"},
    {"reverse", R"(program p (xs : [6]f32) : [6]f32 -> output =
       for{6}{}(\i. idxAcc{6}{f32}(reverseAcc{6}{f32}(output), i) := idx{6}{f32}(xs, i)))",
     "[6.0, 5.0, 4.0, 3.0, 2.0, 1.0]"},
    {"zip", R"(program p (xs : [6]f32) : [6](f32, f32) -> output =
       for{6}{}(\i. idxAcc{6}{f32}(zipAcc1{6}{f32, f32}(output), i) := idx{6}{f32}(xs, i));
       for{6}{}(\i. idxAcc{6}{f32}(zipAcc2{6}{f32, f32}(output), i) := idx{6}{f32}(reverse{6}{f32}(xs), i)))",
     "[(1.0, 6.0), (2.0, 5.0), (3.0, 4.0), (4.0, 3.0), (5.0, 2.0), (6.0, 1.0)]"},
    {"unzip", R"(program p (xs : [6]f32) : ([6]f32, [6]f32) -> output =
       for{6}{}(\i. pairAcc1{}{f32, f32}(idxAcc{6}{(f32, f32)}(unzipAcc{6}{f32, f32}(output), i)) := idx{6}{f32}(xs, i));
       for{6}{}(\i. pairAcc2{}{f32, f32}(idxAcc{6}{(f32, f32)}(unzipAcc{6}{f32, f32}(output), i)) := 0f32))",
     "([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0])"},
    {"concat", R"(program p (xs : [6]f32) : [7]f32 -> output =
       for{6}{}(\i. idxAcc{6}{f32}(concatAcc2{1, 6}{f32}(output), i) := idx{6}{f32}(xs, i));
       for{1}{}(\i. idxAcc{1}{f32}(concatAcc1{1, 6}{f32}(output), i) := 9f32))",
     "[9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]"},
    {"asScalar", R"(program p (xs : [6]f32) : [6]f32 -> output =
       for{3}{}(\i. idxAcc{3}{f32<2>}(asScalarAcc{3, 2}{f32}(output), i) :=
         idx{3}{f32<2>}(asVector{2, 3}{f32}(xs), i)))",
     "[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]"},
    {"asVector", R"(program p (xs : [6]f32) : [6]f32 -> output =
       new{}{[3]f32<2>}(\v.
         for{6}{}(\i. idxAcc{6}{f32}(asVectorAcc{2, 3}{f32}(v.1), i) := idx{6}{f32}(xs, i));
         for{6}{}(\i. idxAcc{6}{f32}(output, i) := idx{6}{f32}(asScalar{3, 2}{f32}(v.2), i))))",
     "[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]"},
};

}  // namespace

TEST_CASE("an acceptor of a view made from its meaning agrees with the one written down") {
  for (const AcceptorCase& c : acceptor_cases) {
    INFO(c.name);
    const Value xs = floats({1, 2, 3, 4, 5, 6});
    CHECK(result(c.text, {}, {xs}) == c.expected);
    CHECK(result(c.text, {}, {xs}, {.invert_acceptors = true}) == c.expected);
  }
}

TEST_CASE("a view that shows an element twice, or not at all, has no acceptor") {
  const Layout one{.kind = Layout::Kind::Scalar, .scalar = ScalarType::F32};
  const Layout two{.kind = Layout::Kind::Array, .length = 2, .first = &one, .cells = 2};
  const auto invert = [&](const std::function<std::int64_t(std::int64_t)>& from) {
    View v = std::get<View>(calculus().primitive("reverse")->kind);
    v.meaning = [from](const std::vector<std::int64_t>&, std::span<const Value> args) {
      return delayed_array(2, [xs = args[0], from](std::int64_t i) { return element_of(xs, from(i)); });
    };
    return inverted_acceptor(v, {2}, 0, {&two}, two);
  };
  CHECK_NOTHROW(invert([](std::int64_t i) { return 1 - i; }));
  CHECK_THROWS_AS(invert([](std::int64_t) { return 0; }), Bug);
}

}  // namespace imperative_run_test
