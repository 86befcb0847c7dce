// Uniqueness of L0 (§2.2): what l0.md lists as legal runs, with what is consumed overwritten too; what it lists as
// illegal is refused where it is used.
#include <catch2/catch.hpp>

#include "tests/unit/l0_program.h"

namespace l0_uniqueness_test {
using namespace lockstep;
using test::l0_errors;
using test::l0_run;

namespace {

std::string run_twice(const std::string& text) {
  const std::string usual = l0_run(text), poisoned = l0_run(text, {.poisons = true});
  return usual == poisoned ? usual : "poison: " + poisoned;
}

constexpr const char* lu = R"(
fun (*[[real]], *[[real]]) lu_inplace(*[[real]] a) =
  let n = size(a) in
  loop ((a,l,u) = (a, replicate(n,replicate(n,0.0)), replicate(n,replicate(n,0.0)))) = for k < n do
    let u[k,k] = a[k,k] in
    loop ((l,u)) = for i < n-k do
      let l[i+k,k] = a[i+k,k]/u[k,k] in
      let u[k,i+k] = a[k,i+k] in
      (l,u) in
    loop (a) = for i < n-k do
      loop (a) = for j < n-k do
        let a[i+k,j+k] = a[i+k,j+k] - l[i+k,k] * u[k,j+k] in
        a in
      a in
    (a,l,u) in
  (l,u)
fun ([[real]], [[real]]) main() = lu_inplace({{4.0, 3.0}, {6.0, 3.0}}))";

}  // namespace

TEST_CASE("what may be consumed is, and what was taken of it before stays") {
  const std::string set = "fun *[int] set(*[int] a, int i, int x) = let a[i] = x in a\n";
  CHECK(run_twice(set + "fun [int] main() = set(set(iota(4), 0, 1), 1, 2)") == "[1, 2, 2, 3] [4]");
  CHECK(run_twice("fun int main() = let a = iota(3) in let c = a[0] in let a[0] = 1 in a[0] + c") == "1");
  CHECK(run_twice(set + "fun [int] h(bool c) = let a = iota(3) in if c then set(a, 0, 7) else set(a, 1, 8)\n"
                        "fun ([int], [int]) main() = (h(true), h(false))") == "([7, 1, 2], [0, 8, 2]) [3] [3]");
  CHECK(run_twice("fun ([int], [int]) main() = let (a, b) = (replicate(2, 0), replicate(2, 0)) in let a[0] = 1 in "
                  "let b[0] = 2 in (a, b)") == "([1, 0], [2, 0]) [2] [2]");
  CHECK(run_twice("fun [int] main() = let b = iota(3) in let a = replicate(3, 0) in loop (a) = for i < 3 do "
                  "let a[i] = b[i] in a in a") == "[0, 1, 2] [3]");
  CHECK(run_twice("fun [[real]] main() = let m = replicate(2, replicate(2, 5.0)) in "
                  "map(fn *[real] (*[real] r) => let r[0] = 1.0 in r, m)") == "[[1.0, 5.0], [1.0, 5.0]] [2][2]");
  CHECK(run_twice("fun [int] main() = let a = iota(3) in let b = if true then (let a[0] = 1 in a) else a in "
                  "let b[1] = 9 in b") == "[1, 9, 2] [3]");
  CHECK(run_twice("fun int f(*[int] a) = let a[0] = 1 in a[0]\n"
                  "fun int main() = let a = iota(3) in let c = a[2] in f(a) + c") == "3");
}

TEST_CASE("values of a loop may change places where a round consumes one of them") {
  CHECK(run_twice("fun ([int], [int]) main() = let a = iota(2) in let b = iota(2) in loop ((a, b)) = for i < 3 do "
                  "let b[0] = b[0] + 5 in (b, a) in (a, b)") == "([10, 1], [5, 1]) [2] [2]");
}

TEST_CASE("what comes to the place of a consumed value is consumed, too") {
  CHECK(l0_errors(
            "fun int f([int] x, *[int] y) = loop ((a, b) = (x, y)) = for i < 3 do let b[0] = 1 in (b, a) in a[0]") ==
        "1:47 `b` may share data with `x`, which is a parameter without `*`: who calls may use it again\n");
}

TEST_CASE("the program of §2.2 factorises a matrix") {
  CHECK(run_twice(lu) == "([[1.0, 0.0], [1.5, 1.0]], [[4.0, 3.0], [0.0, -1.5]]) [2][2] [2][2]");
}

TEST_CASE("what a function's result was declared with does not matter to who makes it: it is fresh") {
  CHECK(run_twice("fun [int] mk(int n) = iota(n)\nfun [int] main() = let a = mk(3) in let a[0] = 1 in a") ==
        "[1, 1, 2] [3]");
}

TEST_CASE("a use after a consumption is told with both places, and by which name") {
  CHECK(l0_errors("fun int main() = let a = iota(3) in let b = a in let a[0] = 1 in b[0]") ==
        "1:66 `b` is used here, and `a`, with which it may share data, is consumed at p.l0:1:54\n");
  CHECK(l0_errors("fun [int] f([int] v) = let m = {v, v} in let r = m[0] in let m[1] = v in r") ==
        "1:74 `r` is used here, and `m`, with which it may share data, is consumed at p.l0:1:62\n");
  CHECK(l0_errors("fun int f(bool t) = let a = iota(3) in let c = if t then iota(3) else a in let c[0] = 4 in a[0]") ==
        "1:92 `a` is used here, and `c`, with which it may share data, is consumed at p.l0:1:80\n");
  CHECK(l0_errors("fun [int] id([int] r) = r\n"
                  "fun [[int]] f(*[[int]] m, [int] v) = let x = map(id, m) in let m[0] = v in x") ==
        "2:76 `x` is used here, and `m`, with which it may share data, is consumed at p.l0:2:64\n");
  CHECK(l0_errors("fun int f() = let a = iota(3) in loop (x = a) = for i < 3 do let x[i] = a[i] in x in x[0]") ==
        "1:73 `a` is used here, and `x`, with which it may share data, is consumed at p.l0:1:66\n");
}

TEST_CASE("a call's result may share data with what was given for it") {
  CHECK(l0_errors("fun [int] same([int] a) = a\nfun int f(*[int] a) = let b = same(a) in let a[0] = 1 in b[0]") ==
        "2:58 `b` is used here, and `a`, with which it may share data, is consumed at p.l0:2:46\n");
  CHECK(l0_errors("fun *[int] own([int] a) = copy(a)\nfun int f(*[int] a) = let b = own(a) in let a[0] = 1 in b[0]")
            .empty());
}

TEST_CASE("beside what consumes an array it is not used, on either side") {
  const std::string f = "fun int f(*[int] a) = let a[0] = 1 in a[0]\n";
  CHECK(l0_errors(f + "fun int g() = let a = iota(3) in f(a) + a[0]") ==
        "2:41 `a` is used here, and it is consumed at p.l0:2:36\n");
  CHECK(l0_errors(f + "fun int g() = let a = iota(3) in a[0] + f(a)") ==
        "2:34 `a` is used here, and it is consumed at p.l0:2:43\n");
  CHECK(
      l0_errors("fun [int] g(*[int] a, [int] b) = let a[0] = b[1] in a\nfun [int] h() = let a = iota(3) in g(a, a)") ==
      "2:41 `a` is used here, and it is consumed at p.l0:2:38\n");
  CHECK(l0_errors("fun [int] k(*[[int]] m) = let m[0] = m[1] in m[0]") ==
        "1:38 the new value may share data with `m`, which it is put into\n");
}

TEST_CASE("what others may see is not consumed") {
  CHECK(l0_errors("fun *[int] s([int] a) = let a[0] = 1 in a") ==
        "1:29 `a` is a parameter without `*`: who calls may use it again\n");
  CHECK(l0_errors("fun int f(*[int] a, *[int] b) = loop (a) = for i < 3 do let b[i] = 0 in a in a[0]") ==
        "1:61 `b` is defined outside the loop, which may come to it again\n");
  CHECK(l0_errors("fun int f(*[int] a, *[int] b) = loop (a) = for i < 3 do let a[i] = 0 in b in a[0]") ==
        "1:57 the loop consumes what comes to share data with `b`, which is defined outside it\n");
  CHECK(l0_errors("fun [int] f(*[int] a) = map(fn int (int x) => let a[x] = 4 in a[x], iota(3))") ==
        "1:51 `a` is defined outside the function, which may come to it again\n");
  CHECK(l0_errors("fun *[int] set(*[int] a, int x) = let a[0] = x in a\n"
                  "fun [[int]] f(*[int] a) = map(set(a), iota(2))") ==
        "2:31 `set` consumes its parameter `a`, which is given here once for all calls\n");
  CHECK(l0_errors(
            "fun [int] f([int] a, [[int]] m) = reduce(fn [int] (*[int] x, [int] y) => let x[0] = y[0] in x, a, m)") ==
        "1:42 the function of `reduce` consumes a parameter\n");
}

TEST_CASE("a result with a star shares nothing with parameters without one, nor with another part") {
  CHECK(l0_errors("fun (*[int], *[int]) f(int n) = let a = iota(n) in (a, a)") ==
        "1:33 part 1 of what `f` gives is declared unique, `*[int]`, and may share data with another\n");
  CHECK(l0_errors("fun *[int] p([int] a) = a") ==
        "1:25 what `p` gives is declared unique, `*[int]`, and may share data with `a`\n");
  CHECK(l0_errors("fun *[int] q(*[int] a) = a").empty());
  CHECK(l0_errors("fun *[int] p([int] a) = copy(a)").empty());
}

TEST_CASE("a map that consumes one of its arrays goes over no other that shares data with it") {
  const std::string f = "fn *[int] (*[int] r, [int] s) => let r[0] = s[1] in r";
  CHECK(l0_errors("fun [[int]] g(*[[int]] m) = map(" + f + ", zip(m, m))") ==
        "1:88 what `map` consumes may share data with another array that it goes over\n");
  CHECK(l0_errors("fun [[int]] g(*[[int]] m, [[int]] n) = map(" + f + ", zip(m, n))").empty());
}

TEST_CASE("the function of a map that consumes an array does not use that array") {
  CHECK(l0_errors("fun [[int]] g(*[[int]] m) = map(fn *[int] (*[int] r) => let r[0] = m[1, 0] in r, m)") ==
        "1:68 `m` is used here, and it is consumed at p.l0:1:82\n");
  CHECK(l0_errors("fun [[int]] g(*[[int]] m) = let k = m[1, 0] in map(fn *[int] (*[int] r) => let r[0] = k in r, m)")
            .empty());
}

TEST_CASE("values of a loop of which a round consumes one do not come to be one array") {
  CHECK(l0_errors("fun ([int], [int]) f() = loop ((a, b) = (iota(2), iota(2))) = for i < 3 do let a[0] = b[1] + 1 in "
                  "(a, a) in (a, b)") == "1:76 what the loop consumes may share data with another of its values\n");
  CHECK(l0_errors("fun ([int], [int]) f() = loop ((a, b) = (iota(2), iota(2))) = for i < 3 do let a[0] = b[1] + 1 in "
                  "(a, copy(a)) in (a, b)")
            .empty());
}

}  // namespace l0_uniqueness_test
