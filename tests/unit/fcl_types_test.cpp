// Types, kinds and levels of FCL (Dybdal et al., §5.1): rules (1) to (30) as fcl.md mends them; each of its errata that
// is of types, by its smallest counterexample.
#include <catch2/catch.hpp>

#include "tests/unit/fcl_program.h"

namespace fcl_types_test {
using namespace lockstep;
using test::fcl_errors;
using test::fcl_type;

namespace {

std::string type_of(const std::string& expression) { return fcl_type("fun f = " + expression); }
bool refused(const std::string& text, const std::string& why) {
  const std::string wrong = fcl_errors(text);
  INFO(text << "\n" << wrong);
  CHECK(wrong.find(why) != std::string::npos);
  return wrong.find(why) != std::string::npos;
}

}  // namespace

TEST_CASE("built-ins have the types of Fig. 3, and what they leave open has kinds") {
  CHECK(type_of("generate") == "int -> (int -> a) -> [a] where a : GT");
  CHECK(type_of("index") == "[a] -> int -> a where a : GT");
  CHECK(type_of("push") == "<l> -> [a] -> [a]<l> where a : BT");
  CHECK(type_of("mapPush") == "(a -> b) -> [a]<l> -> [b]<l> where a : BT, b : BT");
  CHECK(type_of("interleave") == "int -> ((int, int) -> int) -> [[a]<l>] -> [a]<1 + l> where a : BT");
  CHECK(type_of("while") == "([a] -> bool) -> ([a] -> [a]<l>) -> [a]<l> -> [a] where a : BT");
  CHECK(type_of("fst") == "(a, b) -> a");
  CHECK(type_of("concat") == "int -> [[a]<l>] -> [a]<1 + l> where a : BT");
}

TEST_CASE("the paper's definitions have its types") {
  CHECK(fcl_type(test::fcl_example("reverse")) == "int -> [a] -> [a]<grid> where a : BT");
  CHECK(fcl_type(test::fcl_example("transpose")) == "int -> int -> int -> [a] -> [a]<grid> where a : BT");
  CHECK(fcl_type(test::fcl_example("reduction")) == "[int] -> [int]<grid>");
}

TEST_CASE("levels unify structurally") {
  CHECK(type_of("fn xs => concat 2 (map (push <warp>) xs)") == "[[a]] -> [a]<block> where a : BT");
  CHECK(type_of("fn xs => concat 2 (concat 2 xs |> fn ys => [ys])") == "[[a]<l>] -> [a]<1 + 1 + l> where a : BT");
  CHECK(type_of("fn <l> xs => concat 1 [push <l> xs]") == "<l> -> [a] -> [a]<1 + l> where a : BT");
  CHECK(refused("fun f xs = concat 2 [push <grid> xs]", "a level above grid"));
  CHECK(refused("fun f xs ys = [push <block> xs, push <warp> ys]", "the level warp is not block"));
  CHECK(refused("fun f xs = push <lvl> xs", "there is no level `lvl` here"));
}

TEST_CASE("a signature is rigid, and binds its levels by name") {
  CHECK(fcl_type("sig f : <lvl> -> [a] -> [a]<lvl>\nfun f xs = push <lvl> xs") ==
        "<lvl> -> [a] -> [a]<lvl> where a : BT");
  CHECK(fcl_type("sig f : <lvl> -> [a] -> [a]<lvl>\nfun f <m> xs = push <m> xs") ==
        "<lvl> -> [a] -> [a]<lvl> where a : BT");
  CHECK(fcl_type("sig f : [a]<l> -> [a]\nfun f xs = force xs") == "[a]<l> -> [a] where a : BT");
  CHECK(fcl_type("sig f : int -> int\nfun f x = x") == "int -> int");  // less general than it could be
  CHECK(refused("sig f : a -> b\nfun f x = x", "this is `a`; `b`, as the `sig` of `f` says"));
  CHECK(refused("sig f : a -> int\nfun f x = x + 1", "`a` stands for every type"));
  CHECK(refused("sig f : [a]<l> -> [a]<m>\nfun f xs = xs", "the level l is not m"));
  CHECK(refused("sig f : [int -> int] -> int\nfun f x = 1", "is no data"));
  CHECK(refused("sig f : int\nfun f x = 1", "its `sig` says `int` there"));
}

TEST_CASE("a function may take one that takes a level, where a signature says so") {
  const std::string twice =
      "sig twice : (<l> -> [int] -> [int]<l>) -> [int] -> [int]<block>\n"
      "fun twice f xs = f <block> (force (f <block> xs))\n";
  CHECK(fcl_type(twice + "fun main xs = twice push xs") == "[int] -> [int]<block>");
  CHECK(fcl_type(twice + "fun main xs = twice (fn <k> ys => push <k> (reverse ys)) xs") == "[int] -> [int]<block>");
  CHECK(refused("fun f g xs = g <block> xs", "of which nothing says that it takes one"));
  CHECK(refused("fun f xs = map <block> xs", "takes none"));
  CHECK(refused("fun f xs = push xs", "`push` takes a level first"));
}

TEST_CASE("operators are of ints and doubles, and of ints where nothing says which") {
  CHECK(type_of("fn x y => x + y") == "int -> int -> int");
  CHECK(type_of("fn x => x * 2.0") == "double -> double");
  CHECK(type_of("fn x y => x == y") == "int -> int -> bool");
  CHECK(type_of("fn x => x & true") == "bool -> bool");
  CHECK(type_of("fn x => x << 2") == "int -> int");
  CHECK(type_of("fn x => !(x < 1.0)") == "double -> bool");
  CHECK(type_of("fn x => !x") == "bool -> bool");
  CHECK(type_of("max") == "int -> int -> int");
  CHECK(type_of("fn x => double x / 2.0") == "int -> double");
  CHECK(type_of("fn x => -x") == "int -> int");
  CHECK(refused("fun f = 1 + 2.0", "a double is written with a point: 1.0"));
  CHECK(refused("fun f = 2.0 + 1", "a double is written with a point: 1.0"));
  CHECK(refused("fun f x = [1] + x", "`int or double`, as the left operand of `+`"));
  CHECK(refused("fun f x = 1.5 << x", "`int`, as the left operand of `<<`"));
}

TEST_CASE("`length` and `map` are of whichever array there is, and of pull arrays where nothing says") {
  CHECK(type_of("fn xs => length (push <block> xs)") == "[a] -> int where a : BT");
  CHECK(type_of("fn xs => length xs") == "[a] -> int where a : GT");
  CHECK(type_of("fn f xs => force (map f xs)") == "(a -> b) -> [a]<l> -> [b] where a : BT, b : BT");
  CHECK(type_of("fn xs => xs |> map (fn x => x + 1) |> push <grid>") == "[int] -> [int]<grid>");
  CHECK(type_of("let m = map in fn xs => m (fn x => x + 1) (push <warp> xs)") == "[int] -> [int]<warp>");
}

TEST_CASE("a let is for many types, and shares what stands outside (errata 10, 11)") {
  CHECK(type_of("let g = fn x => x in (g 1, g true)") == "(int, bool)");
  CHECK(type_of("let g = fn a => force (push <grid> a) in fn xs ys => (g xs, index (g ys) 0 + 1)") ==
        "[a] -> [int] -> ([a], int) where a : BT");
  // (25) generalises what Γ has
  CHECK(refused("fun f = fn x => let y = x in (y + 1, !y)", "is not bool"));
}

TEST_CASE("only data stands in arrays, and scalars in push arrays (errata 10)") {
  CHECK(refused("fun f = push <thread> (generate 1 (fn i => fn x => x))", "is no"));
  CHECK(refused("fun f = mapPush (fn x => [x]) (push <thread> [1])", "is no scalar or pair of scalars"));
  CHECK(refused("fun f = [fn x => x]", "is no data"));
  CHECK(refused("fun f xs = force (push <block> [push <thread> xs])", "is no scalar or pair of scalars"));
  CHECK(type_of("[(1, [true]), (2, [])]") == "[(int, [bool])]");
}

TEST_CASE("what does not fit is told with what was expected, and a mend") {
  CHECK(refused("fun f xs = force [1, 2]", "`push <block> (…)`"));
  CHECK(refused("fun f xs = index (push <block> xs) 0", "`force (…)` writes it to memory"));
  CHECK(refused("fun f xs = index xs 0 1", "`int -> a` is no data"));
  CHECK(refused("fun f = (fn x => 1) 2 3", "one argument too many"));
  CHECK(refused("fun f x = if x then 1 else true", "what the other branch gives"));
  CHECK(refused("fun f x = x x", "a type would hold itself"));
  CHECK(refused("fun revBlock xs = xs\nfun f xs = reverseBlock xs", "did you mean"));  // erratum 13
  CHECK(refused("fun f xs = block", "a level stands in angles: `<block>`"));
  // a definition does not see itself, nor those after it; a name is the earlier one (the prelude's)
  CHECK(refused("fun f x = f x", "there is no `f` here"));
  CHECK(refused("fun f = g\nfun g = 1", "there is no `g` here"));
  CHECK(fcl_type("fun reverse xs = push <grid> (reverse xs)") == "[a] -> [a]<grid> where a : BT");
}

TEST_CASE("one error a definition, and none of those that use one with an error") {
  const std::string wrong = fcl_errors("fun f = 1 + true\nfun g = f + 1\nfun h = 2.0 + 1");
  CHECK(std::count(wrong.begin(), wrong.end(), '\n') == 2);
}

}  // namespace fcl_types_test
