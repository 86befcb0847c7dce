// Makers, print and parse of the kernel language.
#include <catch2/catch.hpp>

#include <array>
#include <random>

#include "semantics/kernel/check.h"
#include "semantics/kernel/parse.h"
#include "semantics/kernel/print.h"
#include "semantics/primitives/operators.h"
#include "tests/unit/kernel_program.h"

namespace kernel_syntax_test {
using namespace lockstep;
using namespace lockstep::kernel;
using kernel::Store;

namespace {

Size n() { return Size::name("n"); }
Expr i() { return variable("i"); }

// Random well-typed programs over fixed names: what print and parse must take through.
class Random {
 public:
  explicit Random(unsigned seed) : random_(seed) {}

  Program program() {
    Buffer xs{"xs", {ScalarType::F32, 1}, {n()}, n()}, out{"for", {ScalarType::F32, 4}, {n(), Size(2)}, n() * 8};
    Buffer odd{"o'dd", {ScalarType::I32, 1}, {n()}, n() + 1};
    Buffer at{"at", {ScalarType::I64, 1}, {n()}, n(), floor_div(n(), 2) + 1};
    return {"p x",
            {"n", "i"},
            {xs, odd, at},
            {out},
            {{modulo(n(), 64), SizeRelation::Equal, 0}},
            statement(3),
            pick(2) ? Launch{} : Launch{1 + pick(1024), 1 << pick(7)}};
  }

 private:
  int pick(int k) { return static_cast<int>(random_() % static_cast<unsigned>(k)); }

  Expr index(int d) {
    if (d == 0) return pick(2) ? constant(pick(9) - 4) : i();
    if (pick(6) == 0) return {{}, Choose{ExprRef(condition(d - 1)), ExprRef(index(d - 1)), ExprRef(index(d - 1))}};
    return {{}, Arith{static_cast<ArithOp>(pick(5)), ExprRef(index(d - 1)), ExprRef(index(d - 1))}};
  }
  Expr condition(int d) {
    ArithOp op = d > 0 && pick(3) == 0 ? ArithOp::And : static_cast<ArithOp>(5 + pick(3));
    if (op == ArithOp::And)
      return {{ScalarType::Bool, 1}, Arith{op, ExprRef(condition(d - 1)), ExprRef(condition(d - 1))}};
    return {{ScalarType::Bool, 1}, Arith{op, ExprRef(index(d / 2)), ExprRef(index(d / 2))}};
  }
  Expr literal() {
    switch (pick(4)) {
      case 0:
        return constant(ieee_domain().literal(ScalarType::F32, "1.5e-3"), "1.5e-3");
      case 1:
        return constant(make_ieee(ScalarType::F32, -0.1));
      case 2:
        return constant(make_ieee(ScalarType::F32, -INFINITY));
      default:
        return constant(ieee_domain().literal(ScalarType::F32, "inf"), "inf");
    }
  }
  Expr number(int d) {
    KType f{ScalarType::F32, 1};
    switch (d == 0 ? pick(2) : pick(6)) {
      case 0:
        return literal();
      case 1:
        return load("xs", ScalarType::F32, index(1));
      case 2:
        return {f, Lane{ExprRef(vector(d - 1)), ExprRef(index(0))}};
      case 3:
        return {f, Apply{scalar_operator("neg"), f, {ExprRef(number(d - 1))}}};
      case 4:
        return {
            f, Apply{scalar_operator("f32"), {ScalarType::I32, 1}, {ExprRef(load("o'dd", ScalarType::I32, index(1)))}}};
      default:
        return {f, Apply{scalar_operator(pick(2) ? "+" : "min"), f, {ExprRef(number(d - 1)), ExprRef(number(d - 1))}}};
    }
  }
  Expr vector(int d) {
    KType v{ScalarType::F32, 4};
    switch (d == 0 ? 0 : pick(4)) {
      case 0:
        return {v, VectorLoad{"for", 4, ExprRef(index(1))}};
      case 1:
        return {v, Splat{4, ExprRef(number(d - 1))}};
      case 2: {
        ExprRef x = number(d - 1);
        return {v, Build{{x, x, ExprRef(number(0)), x}}};
      }
      default:
        return {v, Apply{scalar_operator("*"), v, {ExprRef(vector(d - 1)), ExprRef(vector(d - 1))}}};
    }
  }
  Stmt block(int d) {
    Block b;
    b.statements.push_back({Declare{"acc", {ScalarType::F32, 1}, pick(2) ? std::optional(number(2)) : std::nullopt}});
    b.statements.push_back({Allocate{"tmp", {ScalarType::F32, 1}, index(1), static_cast<Space>(pick(5))}});
    b.statements.push_back({Assign{"acc", number(2)}});
    for (int k = pick(3); k > 0; --k) b.statements.push_back(statement(d - 1));
    b.statements.push_back({Store{"tmp", index(1), number(1), pick(2) == 0}});
    b.statements.push_back({Atomic{"tmp", index(1), scalar_operator(pick(2) ? "+" : "min"), number(1)}});
    return {std::move(b)};
  }
  Stmt statement(int d) {
    switch (d == 0 ? pick(5) : pick(10)) {
      case 0:
        return {Store{"for", index(2), vector(2), pick(2) == 0}};
      case 1:
        return {Barrier{pick(2) ? Level::Warp : Level::Workgroup}};
      case 2:
        return {Comment{pick(2) ? "a remark" : "two\nlines \\ \""}};
      case 3:
        return {Check{condition(1), "!", "index {0} is \"outside\"", {index(1)}, {}}};
      case 4:
        return {Shuffle{"acc", {ScalarType::F32, 1}, number(1), index(1), 1 << pick(7)}};
      case 5:
        return {For{"j", index(1), StmtRef(statement(d - 1)), pick(2) == 0}};
      case 6: {
        std::vector<Allocate> scratch(static_cast<std::size_t>(pick(3)),
                                      Allocate{"s", {ScalarType::F32, 4}, index(1), Space::Local});
        std::optional<Expr> units;
        if (pick(2) == 0) units = index(1);
        return {ParallelFor{static_cast<Level>(pick(8)), "j", index(1), scratch, StmtRef(statement(d - 1)), units}};
      }
      case 7:
        return {If{condition(2), StmtRef(statement(d - 1)), StmtRef(statement(d - 1))}};
      case 8:
        return {While{condition(2), StmtRef(statement(d - 1))}};
      default:
        return block(d);
    }
  }
  std::mt19937 random_;
};

}  // namespace

TEST_CASE("the kernel's arithmetic maker folds constants, units and zeros", "[kernel]") {
  CHECK(arith(ArithOp::Add, i(), constant(0)) == i());
  CHECK(arith(ArithOp::Multiply, constant(1), i()) == i());
  CHECK(arith(ArithOp::Multiply, i(), constant(0)) == constant(0));
  CHECK(arith(ArithOp::Divide, constant(7), constant(2)) == constant(3));
  CHECK(arith(ArithOp::Less, constant(1), constant(2)) == constant(make_bool(true)));
  CHECK(print(arith(ArithOp::Add, i(), constant(-2))) == "i - 2");
}

TEST_CASE("the kernel's arithmetic maker leaves overflow and division by zero to the run", "[kernel]") {
  CHECK(print(arith(ArithOp::Divide, constant(7), constant(0))) == "7 / 0");
  CHECK(print(arith(ArithOp::Modulo, constant(-7), constant(2))) == "-7 % 2");
  CHECK(std::holds_alternative<Arith>(arith(ArithOp::Add, constant(INT64_MAX), constant(1)).node));
}

TEST_CASE("a size becomes an expression with % and comes back as the same size", "[kernel]") {
  CHECK(print(size_expr(modulo(n(), 64))) == "n % 64");
  CHECK(print(size_expr(modulo(Size::name("i") * 4 + 1, Size::name("m")))).find('%') != std::string::npos);
  Size m = Size::name("m"), k = Size::name("k");
  for (const Size& s : {n(), n() - 1, floor_div(n(), 64) * 64 + modulo(n(), m), n() * m - k * 3 + 2, Size(0), Size(-5),
                        modulo(n() * 2 + k, m) * 7 - n(), m * modulo(n(), k)}) {
    INFO(show(s));
    CHECK(as_size(size_expr(s)) == s);
  }
}

TEST_CASE("data is no size", "[kernel]") {
  CHECK_FALSE(as_size(load("xs", ScalarType::I64, i())));
  CHECK_FALSE(as_size(arith(ArithOp::Divide, i(), constant(0))));
}

TEST_CASE("kernel programs differ when one leaf does", "[kernel]") {
  Program a = program_from("kernel p(n) output i64 r[n]; for (i < n) store r[i] = i + 1;");
  CHECK(a == program_from(print(a)));
  CHECK_FALSE(a == program_from("kernel p(n) output i64 r[n]; for (i < n) store r[i] = i + 2;"));
  CHECK_FALSE(a == program_from("kernel p(n) output i64 r[n]; for (i < n) stream r[i] = i + 1;"));
  CHECK_FALSE(a == program_from("kernel p(n) output i64 r[n] of n + 1; for (i < n) store r[i] = i + 1;"));
}

TEST_CASE("a kernel program's text parses back to an equal program", "[kernel]") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Program p = random.program();
    p.body = Stmt{Block{{Stmt{Declare{"acc", {ScalarType::F32, 1}, {}}}, p.body}}};
    std::string text = print(p);
    INFO(text);
    CHECK(program_from(text) == p);
  }
}

TEST_CASE("what the elements of an input are below is part of its text", "[kernel]") {
  const auto with = [](const std::string& count, const std::string& below) {
    return "kernel p(n, m) input i64 at[n][2]" + count + below +
           "; output i64 r[n]; for (i < n) store r[i] = at[i * 2];";
  };
  const Size n = Size::name("n"), m = Size::name("m");
  const Program plain = program_from(with("", ""));
  CHECK_FALSE(plain.inputs[0].below);
  for (const auto& [text, below] : {std::pair<std::string, Size>{" < n", n},
                                    {" < m", m},
                                    {" < 3", 3},
                                    {" < n + 1", n + 1},
                                    {" < n / 2", floor_div(n, 2)},
                                    {" < n % m", modulo(n, m)},
                                    {" < (n + m) * 2 - 1", (n + m) * 2 - 1},
                                    {" < 0", 0}})
    for (const std::string count : {"", " of n * 4 + m"}) {
      const Program p = program_from(with(count, text));
      INFO(print(p));
      CHECK(p.inputs[0].below == below);
      CHECK(p.inputs[0].count == (count.empty() ? n * 2 : n * 4 + m));
      CHECK(program_from(print(p)) == p);
      CHECK_FALSE(p == plain);
      CHECK_FALSE(p == program_from(with(count, text + " + 1")));
    }
}

TEST_CASE("kernel text that is wrong is refused with a position", "[kernel]") {
  CHECK_THROWS_WITH(program_from("kernel p(n) store r[0] = 1;"), Catch::Contains("'r' is not declared"));
  CHECK_THROWS_WITH(program_from("kernel p(n) output i64 r[n]; store r[0] = 1"), Catch::Contains("1:44"));
  CHECK_THROWS_WITH(program_from("kernel p(n) output i64 r[n]; store r[0] = nothing.i64(1);"),
                    Catch::Contains("no scalar operator 'nothing'"));
  CHECK_THROWS_WITH(program_from("kernel p() " + std::string(2000, '{')), Catch::Contains("nested too deeply"));
}

TEST_CASE("lanes and threads of a kernel's text are numbers below 10,000", "[kernel]") {
  const auto lanes = [](const std::string& n) { return program_from("kernel p() output f32<" + n + "> r[1]; {}"); };
  CHECK_NOTHROW(lanes("4"));
  for (const std::string n : {"10000", "99999999999", "n"})
    CHECK_THROWS_WITH(lanes(n), Catch::Contains("expected: a number of lanes"));
}

TEST_CASE("a number of a kernel's text is one of its type", "[kernel]") {
  const auto stored = [](const std::string& type, const std::string& number) {
    return program_from("kernel p() output " + type + " r[1]; store r[0] = " + number + ";");
  };
  for (const auto& [type, least, greatest, below, above] : std::vector<std::array<std::string, 5>>{
           {"i8", "-128i8", "127i8", "-129i8", "128i8"},
           {"u8", "0u8", "255u8", "-1u8", "256u8"},
           {"i64", "-9223372036854775808", "9223372036854775807", "-9223372036854775809", "9223372036854775808"},
           {"u64", "0u64", "18446744073709551615u64", "-1u64", "18446744073709551616u64"}}) {
    for (const std::string& number : {least, greatest}) CHECK_NOTHROW(stored(type, number));
    for (const std::string& number : {below, above})
      CHECK_THROWS_WITH(stored(type, number), Catch::Contains("this number is out of the range of " + type));
  }
}

TEST_CASE("the type that is noted at an expression is its type, or the check says so", "[kernel]") {
  const auto stored = [](Expr value) {
    Program p = program_from("kernel p(n) input i64 xs[4]; output i64 r[4]; {}");
    p.body = {Store{"r", constant(0), std::move(value)}};
    const std::vector<std::string> found = check(p);
    return found.empty() ? std::string() : found.front();
  };
  const ExprRef one = constant(1), four(Expr{{ScalarType::I64, 4}, Splat{4, one}});
  for (const auto& node : std::vector<decltype(Expr::node)>{Const{make_integer(ScalarType::I64, 1), ""}, Var{"n"},
                                                            Load{"xs", constant(0)}, Lane{four, constant(1)}}) {
    CHECK(stored({{ScalarType::I64, 1}, node}) == "");
    CHECK_THAT(stored({{ScalarType::I32, 1}, node}), Catch::Contains("the type noted is i32, but it is i64"));
  }
  for (const auto& node : std::vector<decltype(Expr::node)>{Splat{4, one}, Build{{one, one, one, one}},
                                                            VectorLoad{"xs", 4, constant(0)}}) {
    CHECK(stored({{ScalarType::I64, 4}, node}) == "");
    CHECK_THAT(stored({{ScalarType::I64, 2}, node}), Catch::Contains("the type noted is i64<2>, but it is i64<4>"));
  }
}

}  // namespace kernel_syntax_test
