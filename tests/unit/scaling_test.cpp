// What programs cost the tool: twice the program takes at most three times as long, and what is exponential to write
// out is not written out before it is needed. Times are of the thread, the least of several, and only compared.
#include <ctime>

#include <catch2/catch.hpp>

#include "props/dpia/verify.h"
#include "semantics/core/closure.h"
#include "semantics/snesl/elaborate.h"
#include "semantics/snesl/parse.h"
#include "tests/unit/dpia_program.h"
#include "tests/unit/l0_program.h"
#include "translate/l0/pipeline.h"

namespace scaling_test {
using namespace lockstep;

namespace {

double thread_seconds(const std::function<void()>& f) {
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
  };
  const double start = now();
  f();
  return now() - start;
}

// Of work(2n) over work(n); the least that was seen of each, until it is good or fifteen times have passed.
double growth(std::size_t n, const std::function<void(std::size_t)>& work) {
  double once = HUGE_VAL, twice = HUGE_VAL;
  for (int round = 0; round < 15 && !(round > 1 && twice < 3 * once); ++round) {
    once = std::min(once, thread_seconds([&] { work(n); }));
    twice = std::min(twice, thread_seconds([&] { work(2 * n); }));
  }
  return twice / once;
}

std::string joined(std::size_t n, const std::string& between, const std::function<std::string(std::size_t)>& part) {
  std::string out;
  for (std::size_t k = 0; k < n; ++k) out += (k ? between : "") + part(k);
  return out;
}
std::string number(std::size_t k) { return std::to_string(k); }

Checked<Elaboration> checked(const std::string& text) {
  const auto program = parse_program(std::make_shared<const Source>(Source{"test.dpia", text}));
  if (!program) return tl::unexpected(program.error());
  return infer(*program, test::calculus(), proofs::z3_size_solver(), Calls::Left);
}
void accepted(const std::string& text) {
  const auto e = checked(text);
  if (!e) FAIL(render(e.error().front()));
}
void refused(const std::string& text, std::size_t errors) {
  const auto e = checked(text);
  if (e || e.error().size() != errors) FAIL("another number of errors");
  std::string all;
  for (const Diagnostic& d : e.error()) all += render(d);
}

// f_k calls f_(k-1) twice: 2^n calls.
std::string doubling(std::size_t levels) {
  std::string out = "fun f0 (x : i32) : i32 = x * x\n";
  for (std::size_t k = 1; k <= levels; ++k)
    out += "fun f" + number(k) + " (x : i32) : i32 = f" + number(k - 1) + " (x + 1) + f" + number(k - 1) + " (x * 3)\n";
  return out;
}

snesl::TypedProgram snesl_program(const std::string& text) {
  const auto program = snesl::parse_program(std::make_shared<const Source>(Source{"test.snesl", text}));
  REQUIRE(program);
  auto typed = snesl::TypedProgram::of(*program);
  REQUIRE(typed);
  return std::move(*typed);
}

std::string error_of(const Checked<PhraseProgram>& p) { return p ? "" : render(p.error().front()); }

// The last entry point of what follows so much else that its calls are left, and of the same alone.
Checked<PhraseProgram> after_much(const std::string& text) {
  const auto e = checked(doubling(16) + text);
  if (!e) return tl::unexpected(e.error());
  return expanded(*e, e->entries.size() - 1, test::calculus());
}

}  // namespace

TEST_CASE("users-dpia D: check of a literal array is linear") {
  CHECK(growth(4000, [](std::size_t n) { accepted("fun f (k : i64) : i32 = [" + joined(n, ", ", number) + "] ! k"); }) <
        3);
  CHECK(growth(4000, [](std::size_t n) {
          accepted("fun f [n] (xs : [n]f32) : [n]f32 = map (\\x -> reduce (+) x [" +
                   joined(n, ", ", [](std::size_t k) { return number(k) + ".5"; }) + "]) xs");
        }) < 3);
}

TEST_CASE("users-dpia D: check of operators in a row is linear, whatever is known of their types") {
  CHECK(growth(500, [](std::size_t n) {
          accepted("fun f (x : i32) : i32 = x" + joined(n, "", [](auto k) { return " + x * " + number(k); }));
        }) < 3);
  CHECK(growth(500, [](std::size_t n) { accepted("fun f (x : i32) : bool = 1 == " + joined(n, " + ", number)); }) < 3);
  CHECK(growth(500, [](std::size_t n) {
          accepted("fun f [n] (xs : [n]i32) : [n]i32 = let g = \\x -> " +
                   joined(n, " + ", [](auto) { return std::string("x"); }) + " in map g xs");
        }) < 3);
}

TEST_CASE("users-dpia D: check of many functions is linear, of those that call the one before too") {
  const auto alone = [](std::size_t k) { return "fun f" + number(k) + " (x : i32) : i32 = x * " + number(k); };
  const auto chained = [](std::size_t k) {
    return "fun f" + number(k) + " (x : i32) : i32 = " + (k ? "f" + number(k - 1) + " (x + 1)" : "x");
  };
  CHECK(growth(1000, [&](std::size_t n) { accepted(joined(n, "\n", alone)); }) < 3);
  CHECK(growth(1000, [&](std::size_t n) { accepted(joined(n, "\n", chained)); }) < 3);
}

TEST_CASE("fusion of L0 is linear in statements, whether they become one kernel or stay") {
  const auto fuses = [](const std::string& type, std::size_t n, const auto& statement, const std::string& result) {
    const std::string text =
        "fun " + type + " main([int] a) = let s0 = 0 in " + joined(n, " ", statement) + " " + result;
    return l0::fusions_of({test::l0_program(text), "main"}, l0::FusionMode::Full).size();
  };
  const auto map = [](std::size_t k, const std::string& from) {
    return "let x" + number(k + 1) + " = map(op + (" + number(k) + "), " + from + ") in";
  };
  CHECK(growth(500, [&](std::size_t n) {
          const auto one = [&](std::size_t k) { return map(k, k ? "x" + number(k) : "a"); };
          REQUIRE(fuses("[int]", n, one, "x" + number(n)) == n - 1);
        }) < 3);
  CHECK(growth(300, [&](std::size_t n) {
          const auto pair = [&](std::size_t k) {
            return map(k, "a") + " let s" + number(k + 1) + " = reduce(op +, s" + number(k) + ", x" + number(k + 1) +
                   ") in";
          };
          REQUIRE(fuses("int", n, pair, "s" + number(n)) == n);
        }) < 3);
  CHECK(growth(300, [&](std::size_t n) {
          const auto pair = [&](std::size_t k) {
            return map(k, k ? "p" + number(k) : "a") + " let p" + number(k + 1) + " = scan(op +, 0, x" + number(k + 1) +
                   ") in";
          };
          REQUIRE(fuses("[int]", n, pair, "p" + number(n)) == 2 * n - 1);
        }) < 3);
}

TEST_CASE("users-dpia D: thousands of errors are found and shown in linear time") {
  CHECK(growth(1500, [](std::size_t n) {
          refused(joined(n, "\n", [](std::size_t k) { return "fun f" + number(k) + " (x : i32) : i32 = x * y"; }), n);
        }) < 3);
  CHECK(growth(1500, [](std::size_t n) {
          refused(joined(n, "\n", [](std::size_t k) { return "fun f" + number(k) + " (x : i32) : f32 = x * 2"; }), n);
        }) < 3);
}

TEST_CASE("users-dpia D: calls that double are checked without being written out, and refused where they are used") {
  for (const std::size_t levels : {20, 200}) {
    const auto e = checked(doubling(levels));
    REQUIRE(e);
    REQUIRE(e->entries.size() == levels + 1);
    CHECK(node_count(*e->entries.back().body) < 20);
    const auto last = expanded(*e, levels, test::calculus());
    REQUIRE_FALSE(last);
    CHECK_THAT(error_of(last), Catch::Contains("nodes, its calls expanded"));
    CHECK_THAT(error_of(last), Catch::Contains("at most 2000000"));
  }
  const auto e = checked(doubling(14));
  REQUIRE(e);
  const auto last = expanded(*e, 14, test::calculus());
  REQUIRE(last);
  CHECK(node_count(*last->body) > std::size_t{1} << 14);
}

TEST_CASE("users-snesl C5: types of functions that call the one before are found in linear time") {
  const auto chained = [](std::size_t k) {
    return "fun f" + number(k) + "(x) = " + (k ? "f" + number(k - 1) + "(x) + " + number(k) : "x");
  };
  CHECK(growth(1000,
               [&](std::size_t n) { CHECK(snesl_program(joined(n, "\n", chained)).entry_points().size() == n); }) < 3);
}

TEST_CASE("users-snesl C5: what calls expand to is known without expanding them") {
  std::string text = "fun f0(x) = x * x\n";
  for (std::size_t k = 1; k <= 400; ++k)
    text += "fun f" + number(k) + "(x) = f" + number(k - 1) + "(x + 1) + f" + number(k - 1) + "(x * 3)\n";
  const auto program = snesl_program(text);
  const auto entries = program.entry_points();
  std::int64_t expanded = 1;
  for (std::size_t k = 1; k <= 10; ++k) {
    expanded = 2 * expanded + 5;  // three operators and two numbers
    CHECK(entries[k].written == 5);
    CHECK(entries[k].expanded == expanded);
  }
  CHECK(entries[400].expanded == 1'000'000'000);
  const std::map<std::string, snesl::Type> one_int{{"x", snesl::prim(snesl::Prim::Int)}};
  CHECK(program.fits("f400", one_int));
  CHECK_FALSE(program.fits("f400", {{"x", snesl::sequence_of(snesl::prim(snesl::Prim::Int))}}));
}

TEST_CASE("users-dpia D: what is expanded later is what is expanded at once") {
  const std::string text =
      "fun at [n] (xs : [n]f32) (i : i64) : f32 where n >= 1 = (xs ! 0) + (xs ! i)\n"
      "fun twice (f : f32 -> f32) (x : f32) : f32 = f (f x)\n"
      "fun both [n] (k : nat) (xs : [n]'a) : ([n]'a, [n+k]i64) = let ys = xs in (ys, iota (n + k))\n"
      "fun last [n] (xs : [n]f32) (i : i64) : ([n]f32, [n+2]i64) where n >= 3 =\n"
      "  let t = at xs i in both 2 (map (\\x -> twice (\\y -> let t = y * x in t + at xs i) (x + t)) xs)";
  const auto alone = test::elaborated(text);
  REQUIRE(alone);
  const auto late = after_much(text);
  REQUIRE(late);
  CHECK(alpha_equal(*alone->entries.back().body, *late->body));
  const props::VerifyReport report = props::verify(*late, test::calculus(), {.targets = {}});
  CHECK(report.agrees());
}

TEST_CASE("users-dpia D: what only the place of a call shows is an error when it is expanded") {
  CHECK_THAT(error_of(after_much("fun fifth [n] (xs : [n]i32) : i32 = xs ! 5\n"
                                 "fun last (xs : [3]i32) : i32 = fifth xs")),
             Catch::Contains("the index 5 is outside an array of 3 elements"));
  CHECK_THAT(error_of(after_much("fun inner [n] (xs : [n]i32) : [n]i32 = mapGlobal (\\x -> x + 1) xs\n"
                                 "fun last [m n] (xs : [m][n]i32) : [m][n]i32 = mapGlobal inner xs")),
             Catch::Contains("it stands inside"));
}

TEST_CASE("users-dpia B6: verify is linear in an expression") {
  CHECK(growth(100, [](std::size_t n) {
          const auto e = test::elaborated("fun f (x : i32) : i32 = " +
                                          joined(n, " + ", [](std::size_t k) { return "x * " + number(k); }));
          REQUIRE(e);
          REQUIRE(props::verify(e->entries.back(), test::calculus(), {.inputs = 3, .targets = {}}).agrees());
        }) < 3);
}

TEST_CASE("users-dpia B6: copies of a closure share what it holds") {
  struct Counted {
    int* copies;
    explicit Counted(int* c) : copies(c) {}
    Counted(const Counted& other) : copies(other.copies) { ++*copies; }
    Counted(Counted&& other) noexcept : copies(other.copies) {}
  };
  int copies = 0;
  Closure<int(int)> f = [c = Counted(&copies)](int x) { return x + *c.copies; };
  for (int level = 0; level < 20; ++level) {
    const std::vector<Closure<int(int)>> parts{f, f};
    f = [parts](int x) { return parts[0](x); };
  }
  CHECK(copies == 0);
  CHECK(f(7) == 7);
  CHECK_FALSE(Closure<void()>());
}

}  // namespace scaling_test
