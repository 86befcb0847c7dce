// Text of FCL (fcl.md §1): every listing of the paper is read, what is printed is read back, and what is wrong is told.
#include <catch2/catch.hpp>

#include "tests/unit/fcl_program.h"

namespace fcl_text_test {
using namespace lockstep;
using test::fcl_errors;

namespace {

// As it is printed, which reads back to the same.
std::string printed(const std::string& expression) {
  const auto p = fcl::parse_program(test::fcl_source("fun f = " + expression));
  if (!p) return p.error().front().message;
  const std::string text = fcl::print(*p);
  const auto again = fcl::parse_program(test::fcl_source(text));
  if (!again) return text + " is not read: " + again.error().front().message;
  if (!(*again == *p)) return text + " is read as " + fcl::print(*again);
  return text.substr(8, text.size() - 9);
}

}  // namespace

TEST_CASE("the paper's programs are read and read back") {
  for (const char* name : {"reverse", "transpose", "reduction"}) {
    const auto p = fcl::parse_program(test::fcl_source(test::fcl_example(name)));
    REQUIRE(p);
    const auto again = fcl::parse_program(test::fcl_source(fcl::print(*p)));
    REQUIRE(again);
    CHECK(*again == *p);
  }
}

TEST_CASE("application binds tighter than composition, prefix, operators and pipes") {
  CHECK(printed("xs |> map (f 1 . g <block>) |> h") == "xs |> map (f 1 . g <block>) |> h");
  CHECK(printed("(a . b) . c") == "(a . b) . c");
  CHECK(printed("a . (b . c)") == "a . b . c");
  CHECK(printed("-f x + !(g y)") == "-f x + !g y");
  CHECK(printed("- (-5)") == "-(-5)");
  CHECK(printed("a - -5 * b") == "a - -5 * b");
  CHECK(printed("n div 2 mod 3") == "n / 2 % 3");
  CHECK(printed("(+) 1 ((-) 2)") == "(+) 1 ((-) 2)");
  CHECK(printed("(fn x y => x) 1") == "(fn x y => x) 1");
  CHECK(printed("xs |> fn ys => ys |> g") == "xs |> (fn ys => ys |> g)");
  CHECK(printed("if a < b then 1 else if c then 2.5 else 1e-7") == "if a < b then 1 else if c then 2.5 else 1e-07");
  CHECK(printed("[[1, 2], []]") == "[[1, 2], []]");
  CHECK(printed("((1, 2), #WarpSize)") == "((1, 2), #WarpSize)");
}

TEST_CASE("an angle after an operand is a level where a level and an angle follow") {
  CHECK(printed("f <1+lvl> x") == "f <1 + lvl> x");
  CHECK(printed("f <1 + (1)") == "f < 1 + 1");
  CHECK(printed("a < b") == "a < b");
  CHECK(printed("f <Z>") == "f <thread>");
  CHECK(printed("fn <l> x => push <l>x") == "fn <l> x => push <l> x");
  CHECK(printed("f <grid>|> g") == "f <grid> |> g");
}

TEST_CASE("a name before `=` begins the next definition of a let") {
  CHECK(printed("let i = n div r  j = n mod r in index a (j * c + i)") ==
        "  let i = n / r\n      j = n % r\n  in index a (j * c + i)");
  CHECK(printed("let a = 1 in let b = a in b") == printed("let a = 1  b = a in b"));
}

TEST_CASE("what is wrong with a text is told, with a mend") {
  CHECK(fcl_errors("fun f = fn x -> x").find("`->` stands in types only") != std::string::npos);
  CHECK(fcl_errors("fun f = let g x = x in g").find("let f = fn x => … in …") != std::string::npos);
  CHECK(fcl_errors("fun f = map fn x => x").find("it is parenthesised") != std::string::npos);
  CHECK(fcl_errors("fun f = (1, 2, 3)").find("there are pairs only: `(a, (b, c))`") != std::string::npos);
  CHECK(fcl_errors("fun f = 1 < 2 < 3").find("comparisons do not chain") != std::string::npos);
  CHECK(fcl_errors("sig g : int\nfun f = 1").find("this is the definition of `f`, and the `sig` before it is of `g`") !=
        std::string::npos);
  CHECK(fcl_errors("sig g : int").find("a `sig` stands directly before the definition") != std::string::npos);
  CHECK(fcl_errors("fun f = 3000000000").find("this number is too large for an int") != std::string::npos);
  CHECK(fcl_errors("fun f = -2147483648").empty());
  CHECK(fcl_errors("fun f = push <1 + grid> [1]").find("this level is above grid") != std::string::npos);
  CHECK(fcl_errors("fun f = 1 config #BlockSize = 2000").find("a block has 1 to 1024 threads") != std::string::npos);
  CHECK(fcl_errors("fun f = 1\nfun f = 2").find("there are two definitions of `f`") != std::string::npos);
  // several in one run, after each at the next definition
  const std::string two = fcl_errors("fun f = )\nsig g : \nfun g = 1\nfun h = ]");
  CHECK(std::count(two.begin(), two.end(), '\n') == 3);
}

TEST_CASE("nesting and chains have limits") {
  const auto times = [](int n, const std::string& s) {
    std::string out;
    for (int k = 0; k < n; ++k) out += s;
    return out;
  };
  CHECK(fcl_errors("fun f = " + times(999, "(") + "1" + times(999, ")")).empty());
  CHECK(fcl_errors("fun f = " + times(1001, "(") + "1" + times(1001, ")")).find("nested too deeply") !=
        std::string::npos);
  CHECK(fcl_errors("fun f = 1" + times(5000, " + 1")).empty());
  CHECK(
      fcl_errors("sig f : " + times(1001, "[") + "int" + times(1001, "]") + "\nfun f = 1").find("nested too deeply") !=
      std::string::npos);
}

}  // namespace fcl_text_test
