// Inference: what is accepted, what is refused and how it is said, and how sizes are settled.
#include <catch2/catch.hpp>

#include "tests/unit/dpia_program.h"

namespace infer_test {
using namespace lockstep;
using namespace lockstep::test;
using Catch::Matchers::Contains;

namespace {
std::string verdict_of(const std::string& text, const std::string& goal) {
  const auto e = elaborated(text);
  REQUIRE(e.has_value());
  for (const SizeObligation& o : e->obligations)
    if (show(o.goal) == goal) return std::string(show(o.verdict));
  return "no obligation " + goal;
}
}  // namespace

TEST_CASE("the contract's three programs are accepted") {
  CHECK(errors("fun dot [n] (xs : [n]f32) (ys : [n]f32) : f32 =\n  reduce (\\x acc -> x + acc) 0 (map (\\p -> fst p * "
               "snd p) (zip xs ys))\n"
               "fun gemv [m n] (a : [m][n]f32) (x : [n]f32) : [m]f32 = map (\\row -> dot row x) a") == "");
  CHECK(errors("fun dot_gpu [n] (xs : [n]f32) (ys : [n]f32) : f32 where n % 262144 == 0 =\n"
               "  zip xs ys |> split 262144 |> mapWorkgroup (\\zs1 -> zs1 |> split 2048 |> mapLocal (\\zs2 ->\n"
               "    reduceSeq (\\p acc -> fst p * snd p + acc) 0 zs2)) |> join |> reduceSeq (+) 0") == "");
}

TEST_CASE("a size mismatch is an equation with its smallest counterexample") {
  const std::string e = errors("fun f [n m] (xs : [n]f32) (ys : [m]f32) : [n](f32, f32) = zip xs ys");
  CHECK_THAT(e, Contains("m = 1, n = 0: 1 \u2260 0") || Contains("m = 0, n = 1: 0 \u2260 1") ||
                    Contains("m = 1, n = 0: 0 \u2260 1") || Contains("m = 0, n = 1: 1 \u2260 0"));
  CHECK_THAT(errors("fun f [n] (xs : [n]f32) : [n+1]f32 = xs"),
             Contains("n = 0: 1 \u2260 0") || Contains("n = 0: 0 \u2260 1"));
}

TEST_CASE("split without the fact names the fact that would settle it") {
  const std::string e = errors("fun f [n] (xs : [n]f32) : [n/64][64]f32 = split 64 xs");
  CHECK_THAT(e, Contains("where n % 64 == 0"));
  CHECK(errors("fun f [n] (xs : [n]f32) : [n/64][64]f32 where n % 64 == 0 = split 64 xs") == "");
  CHECK(errors("fun f [n] (xs : [n]f32) : [n/64][64]f32 = split 64 (take (n/64*64) xs)") == "");
}

TEST_CASE("sizes that normalisation cannot settle go to Z3") {
  CHECK(verdict_of("fun f [n m] (xs : [n]f32) : [n - m*m]f32 where m < 4, n >= 9 = drop (m*m) xs", "m*m <= n") ==
        "proved by Z3");
  CHECK(verdict_of("fun f [n] (xs : [n]f32) : [n-1]f32 where n > 1 = drop 1 xs", "1 <= n") ==
        "proved by normalisation");
}

TEST_CASE("what can be refuted or not decided is an error") {
  CHECK_THAT(errors("fun f [n] (xs : [n]f32) : [n-1]f32 = drop 1 xs"), Contains("n = 0: 1 > 0"));
}

TEST_CASE("literals take the type of their use, and are judged with the minus in front") {
  CHECK(meaning("fun f (x : u8) : u8 = x + 255", {scalar_value(make_integer(ScalarType::U8, 2))}) == "1");
  CHECK(errors("fun f : i32 = -2147483648") == "");
  CHECK_THAT(errors("fun f : i32 = 2147483648"), Contains("out of the range of i32"));
  CHECK_THAT(errors("fun f : u8 = -1"), Contains("out of the range of u8"));
  CHECK_THAT(errors("fun f : i32 = 1.5"), Contains("an integer"));
  CHECK(meaning("fun f : (i32, f32) = (12, 1.5)") == "(12, 1.5)");
  CHECK(meaning("fun f : i64 = i64 12 + 0xffi64") == "267");
}

TEST_CASE("an index becomes a number under an operator") {
  CHECK(meaning("fun f (n : nat) : [n]i64 = generate n (\\i -> i * 2)", {}, {{"n", 4}}) == "[0, 2, 4, 6]");
  CHECK(meaning("fun f (n : nat) : [n]i64 = map (\\i -> i + n) (generate n (\\i -> i64 i))", {}, {{"n", 3}}) ==
        "[3, 4, 5]");
}

TEST_CASE("a literal index is decided for all sizes where it can be") {
  CHECK_THAT(errors("fun f (xs : [3]f32) : f32 = xs ! 3"), Contains("outside an array of 3 elements"));
  const PhraseProgram inside = entry("fun f [n] (xs : [n+1]f32) : f32 = xs ! 0");
  CHECK(as<PrimPhrase>(*inside.body)->primitive->name == "idx");
  const PhraseProgram checked = entry("fun f [n] (xs : [n]f32) : f32 = xs ! 0");
  CHECK(as<PrimPhrase>(*checked.body)->primitive->name == "!");
}

TEST_CASE("helpers with functions and type variables are expanded, their arguments evaluated once") {
  const std::string twice = "fun twice (f : 'a -> 'a) (x : 'a) : 'a = f (f x)\n";
  CHECK(meaning(twice + "fun g (x : i32) : i32 = twice (\\y -> y * 3) x",
                {scalar_value(make_integer(ScalarType::I32, 5))}) == "45");
  CHECK(meaning(twice + "fun g (xs : [3]i32) : [3]i32 = twice (map (\\y -> y + 1)) xs", {i32s({1, 2, 3})}) ==
        "[3, 4, 5]");
  CHECK_THAT(errors(twice + "fun g (x : i32) : i32 = twice x x"), Contains("function") || Contains("->"));
}

TEST_CASE("partial applications are functions") {
  CHECK(meaning("fun f (xss : [2][3]i32) : [2]i32 = map (reduce (+) 0) xss",
                {array_value({i32s({1, 2, 3}), i32s({4, 5, 6})})}) == "[6, 15]");
  CHECK(meaning("fun f (xs : [3]i32) : [3]i32 = map ((-) 10) xs", {i32s({1, 2, 3})}) == "[9, 8, 7]");
}

TEST_CASE("every kind of type error has a message of its own") {
  CHECK_THAT(errors("fun f (x : f32) : f32 = y"), Contains("unknown name y"));
  CHECK_THAT(errors("fun f (xs : [3]f32) : f32 = recude (+) 0 xs"), Contains("did you mean reduce?"));
  CHECK_THAT(errors("fun f (x : f32) (y : i32) : f32 = x + y"), Contains("i32") && Contains("f32"));
  CHECK_THAT(errors("fun f (x : f32) : f32 = x 1"), Contains("applied"));
  CHECK_THAT(errors("fun f (x : f32) : i32 = x"), Contains("i32"));
  CHECK_THAT(errors("fun f (b : bool) : bool = b + b"), Contains("a number"));
  CHECK_THAT(errors("fun f (x : i32) : i32 = sqrt x"), Contains("a float"));
  CHECK_THAT(errors("fun f (xs : [2]f32) : [2]f32 = map xs"), Contains("map takes 2 arguments"));
  CHECK_THAT(errors("fun f (k : i64) (xs : [4]f32) : f32 = (split k xs) ! 0 ! 0"), Contains("k is a value"));
  CHECK_THAT(errors("fun f (x : [n]f32) : f32 = 0"), Contains("unknown size n"));
  CHECK_THAT(errors("fun f (x : f32) : f32 = x\nfun f (x : f32) : f32 = x"), Contains("defined twice"));
  CHECK_THAT(errors("fun f : f32 = if 1 then 2 else 3"), Contains("bool"));
  CHECK_THAT(errors("fun f (x : f32<5>) : f32 = 0"), Contains("2, 3, 4, 8 or 16"));
  CHECK_THAT(errors("fun f : i64 = length 3"), Contains("unknown name length"));
}

TEST_CASE("several errors are found in one run") {
  const std::string e =
      errors("fun f (x : f32) : f32 = y\nfun g (x : i32) : i32 = sqrt x\nfun h (x : f32) : f32 = f x");
  CHECK_THAT(e, Contains("unknown name y") && Contains("a float"));
}

TEST_CASE("definitions and locals shadow primitives inwards") {
  CHECK(meaning("fun map (x : i32) : i32 = x + 1\nfun f (reduce : i32) : i32 = map reduce",
                {scalar_value(make_integer(ScalarType::I32, 4))}) == "5");
}

TEST_CASE("implicit sizes follow from the arrays given, and facts are checked on them") {
  const PhraseProgram p = entry("fun f [n m] (xs : [2*n]f32) (ys : [5+m]f32) : f32 where m < 3 = xs ! 0");
  const auto ok = solve_sizes(p, {}, {{"xs", {{8}}}, {"ys", {{7}}}});
  REQUIRE(ok.has_value());
  CHECK(ok->values == SizeValues{{"n", 4}, {"m", 2}});
  CHECK_THAT(solve_sizes(p, {}, {{"xs", {{7}}}, {"ys", {{7}}}}).error(), Contains("no size n makes 2*n equal"));
  CHECK_THAT(solve_sizes(p, {}, {{"xs", {{8}}}, {"ys", {{8}}}}).error(), Contains("m < 3"));
  CHECK_THAT(solve_sizes(p, {}, {{"xs", {{8}}}, {"ys", {{4}}}}).error(), Contains("no size m"));
  CHECK_THAT(solve_sizes(p, {}, {{"xs", {{8}}}}).error(), Contains("m=..."));
}

TEST_CASE("a size whose product leaves 64 bits is the user's error") {
  const PhraseProgram p = entry("fun f (k : nat) (x : f32) : [k*k*k]f32 = replicate (k*k*k) x");
  CHECK(solve_sizes(p, {{"k", 1000}}, {{"x", {{}}}}).has_value());
  CHECK_THAT(solve_sizes(p, {{"k", 3'000'000'000}}, {{"x", {{}}}}).error(), Contains("too large with k = 3000000000"));
}

TEST_CASE("levels nest as the machine does") {
  const auto inside = [](const std::string& outer, const std::string& inner) {
    return errors("fun f [n] (xs : [n][n]f32) : [n][n]f32 = " + outer + " (\\r -> mapSeq (\\x -> x + 1) (" + inner +
                  " (\\x -> x + 1) r)) xs");
  };
  for (const auto& [outer, inner] : std::vector<std::pair<std::string, std::string>>{{"mapWorkgroup", "mapLocal"},
                                                                                     {"mapPar", "mapPar"},
                                                                                     {"mapSeq", "mapLocal"},
                                                                                     {"map", "mapGlobal"},
                                                                                     {"mapWorkgroup", "map"},
                                                                                     {"mapWorkgroup", "mapWarp"},
                                                                                     {"mapLocal", "mapSeq"}})
    CHECK(inside(outer, inner) == "");
  for (const auto& [outer, inner] : std::vector<std::pair<std::string, std::string>>{{"mapLocal", "mapWorkgroup"},
                                                                                     {"mapWorkgroup", "mapWorkgroup"},
                                                                                     {"mapGlobal", "mapLocal"},
                                                                                     {"mapLocal", "mapLocal"},
                                                                                     {"mapGlobal", "mapPar"},
                                                                                     {"mapPar", "mapGlobal"},
                                                                                     {"mapWorkgroup", "mapPar"},
                                                                                     {"mapLocal", "mapWarp"},
                                                                                     {"mapGlobal", "mapWarp"}})
    CHECK_THAT(inside(outer, inner), Contains(inner + " runs over") && Contains("stands inside " + outer));
  const auto in_block = [](const std::string& outer, const std::string& inner) {
    return errors("fun f [n] (xs : [n][n][n]f32) : [n][n][n]f32 = mapWorkgroup (\\b -> " + outer + " (\\r -> " + inner +
                  " (\\x -> x + 1) r) b) xs");
  };
  CHECK(in_block("mapWarp", "mapLocal") == "");
  CHECK(in_block("mapSeq", "mapWarp") == "");
  CHECK_THAT(in_block("mapWarp", "mapWarp"), Contains("mapWarp runs over the warps of one block, but it stands inside "
                                                      "mapWarp") &&
                                                 Contains("expected: mapLocal, or a sequential loop"));
  CHECK_THAT(in_block("mapLocal", "mapWarp"), Contains("stands inside mapLocal") && Contains("expected: a sequential"));
  CHECK_THAT(in_block("mapPar", "mapSeq"), Contains("expected: mapWarp, mapLocal, or a sequential loop"));
  // A warp is a block's, which may be around the call.
  const std::string helper = "fun w [n] (xs : [n]f32) : [n]f32 = mapWarp (\\x -> x + 1) xs\n";
  CHECK_THAT(errors(helper), Contains("mapWarp runs over the warps of one block, but it stands in no block") &&
                                 Contains("expected: mapWorkgroup around it"));
  CHECK(errors(helper + "fun f [n] (xs : [n][n]f32) : [n][n]f32 = mapWorkgroup w xs") == "");
  CHECK_THAT(errors(helper + "fun f [n] (xs : [n]f32) : [n]f32 = w (w xs)"), Contains("stands in no block"));
  CHECK_THAT(errors(helper + "fun f [n] (xs : [n][n]f32) : [n][n]f32 = mapWarp (\\r -> mapLocal (\\x -> x) r) xs\n" +
                    "fun g [n] (xs : [n][n]f32) : [n][n]f32 = mapWorkgroup w (f xs)"),
             Contains("stands in no block"));
  // So is what lives in its memory.
  const std::string local = "fun l [n] (xs : [n]f32) : [n]f32 = toLocal (mapSeq (\\x -> x + 1)) xs\n";
  CHECK_THAT(errors(local), Contains("toLocal puts its result into the memory of a block, but it stands in no block") &&
                                Contains("or toGlobal here"));
  CHECK(errors(local + "fun f [n] (xs : [n][n]f32) : [n][n]f32 = mapWorkgroup l xs") == "");
  CHECK_THAT(errors(local + "fun f [n] (xs : [n][n]f32) : [n][n]f32 = mapGlobal l xs"), Contains("stands in no block"));
  CHECK_THAT(
      errors("fun f [n] (xs : [n][n]f32) : [n][n]f32 = mapWorkgroup (\\r -> mapLocal (\\x -> x) (toLocal (mapLocal "
             "(\\x -> x + 1)) r)) (toLocal (mapSeq (mapSeq (\\x -> x))) xs)"),
      Contains("stands in no block"));
  // A function is seen where it is called.
  CHECK_THAT(errors("fun g [n] (xs : [n]f32) : [n]f32 = mapGlobal (\\x -> x + 1) xs\nfun f [n] (xs : [n][n]f32) : "
                    "[n][n]f32 = mapGlobal g xs"),
             Contains("mapGlobal runs over all threads of the GPU, but it stands inside mapGlobal"));
}

TEST_CASE("a function written in two steps takes its arguments at once, and one of too few arguments is a function") {
  const std::vector<Value> seven{scalar_value(make_integer(ScalarType::I32, 7))};
  CHECK(meaning("fun f (y : i32) : i32 = (\\a -> \\b -> a - b) y 2", seven) == "5");
  CHECK(meaning("fun f (y : i32) : i32 = let g = \\a -> \\b -> a - b in g y 2", seven) == "5");
  CHECK(meaning("fun f (y : i32) : i32 = let g = min y in g 2", seven) == "2");
  CHECK(meaning("fun f (y : i32) : i32 = let g = (-) y in g 2", seven) == "5");
  CHECK(meaning("fun f (xs : [3]i32) : i32 = let s = reduce (+) 0 in s xs", {i32s({1, 2, 3})}) == "6");
  CHECK(meaning("fun add (a b : i32) : i32 = a + b\nfun f (y : i32) : i32 = let g = add y in g 2 + g 3", seven) ==
        "19");
  CHECK_THAT(errors("fun f (y : i32) : i32 = (\\a -> a) y 2"), Contains("a function of 1 argument is given 2"));
}

TEST_CASE("facts that contradict each other are refused, and none is offered as a mend") {
  CHECK_THAT(errors("fun f [n] (x : [n]i32) : [n+1]i32 where n + 1 == n = x"),
             Contains("no sizes satisfy the facts of f"));
  CHECK_THAT(errors("fun f [n] (x : [n]i32) : [n]i32 where n < 3, 4 < n = x"),
             Contains("no sizes satisfy the facts of f"));
  CHECK(errors("fun f [n] (x : [n]i32) : [n]i32 where n % 262144 == 0, 1000000 < n = x") == "");
  CHECK_THAT(errors("fun f [n] (x : [n]i32) : [n+1]i32 = x"), !Contains("a fact would settle it"));
  CHECK_THAT(errors("fun f [n] (x : [n]i32) : [n-1]i32 = drop 1 x"), Contains("a fact would settle it"));
}

TEST_CASE("a number in a size or an index is read as everywhere") {
  CHECK(meaning("fun f (xs : [12]i32) : i32 = xs ! 010", {i32s({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})}) == "10");
  CHECK(meaning("fun f : i64 = iota 0xe ! 0xd") == "13");
  CHECK_THAT(errors("fun f (xs : [3]i32) : i32 = xs ! 0xff"), Contains("the index 255 is outside"));
  CHECK_THAT(errors("fun f (xs : [3]i32) : i32 = xs ! (-1)"), Contains("the index -1 is outside"));
  CHECK_THAT(errors("fun f [n] (xs : [n]i32) : i32 = xs ! n"), Contains("the index n is outside"));
  CHECK_THAT(errors("fun f : f32 = 0xfffffffffffffffffff"), Contains("does not fit 64 bits"));
  CHECK_THAT(errors("fun f : i64 = reduce (+) 0 (iota (9000000000000000000 + 9000000000000000000))"),
             Contains("too large to reason about"));
  CHECK_THAT(errors("fun f (xs : [4000000000][4000000000]f32) : f32 = 0"), Contains("more than 2^63 elements"));
}

TEST_CASE("recursion is named, and a name that is near nothing is not guessed") {
  CHECK_THAT(errors("fun f : i32 = f"), Contains("there is no recursion"));
  CHECK_THAT(errors("fun f : i32 = z"), Contains("unknown name z") && !Contains("did you mean"));
  CHECK_THAT(errors("fun f (xs : [2]f32) : f32 = reduec (+) 0 xs"), Contains("did you mean reduce?"));
  CHECK_THAT(errors("fun twice (x : i32) : i32 = 2 * x\nfun f (count : i32) : i32 = twise count"),
             Contains("did you mean twice?"));
  CHECK_THAT(errors("fun f (count : i32) : i32 = coumt"), Contains("did you mean count?"));
}

TEST_CASE("floats and their bits say each other's type, whichever is known, and when") {  // found by the campaign
  const auto type_at = [](const std::string& expression, const std::string& parameter) {
    return errors("fun f [n] (xs : [n]i64) (x : " + parameter + ") : " + parameter + " = " + expression);
  };
  for (const std::string t : {"u32", "u64"}) {
    CHECK(type_at("x * reduceSeq (\\_ y -> toBits (fromBits y)) 0 xs", t) == "");
    CHECK(type_at("reduceSeq (\\_ y -> toBits (fromBits y)) 0 xs * x", t) == "");
    CHECK(type_at("let g = \\y -> toBits (fromBits y) in g x", t) == "");
    CHECK(type_at("reduceSeq (\\_ _ -> toBits 0.0) 0 xs * x", t) == "");  // the result alone says it
  }
  for (const std::string t : {"f32", "f64"}) {
    CHECK(type_at("x + reduceSeq (\\_ y -> fromBits (toBits y)) 0 xs", t) == "");
    CHECK(type_at("let g = \\y -> fromBits (toBits y) in g x", t) == "");
    CHECK(type_at("reduceSeq (\\_ _ -> fromBits 0) 0.0 xs + x", t) == "");
  }
  // Where nothing says it, of 32 bits.
  CHECK(errors("fun f : bool = toBits (fromBits 5) == 5u32") == "");
  CHECK(errors("fun f : bool = isnan (fromBits (toBits 0))") == "");
  CHECK_THAT(errors("fun f (x : u64) : u64 = x + toBits 0.0f32"), Contains("this operand of + has the type u32"));
  CHECK_THAT(errors("fun f (x : i32) : f32 = fromBits x"), Contains("this operand of fromBits has the type i32"));
}

TEST_CASE("a launch is of an entry point, and one that a GPU has") {
  const auto launch_of = [](const std::string& text) {
    const auto got = elaborated(text);
    return got ? show(got->entries.back().launch) : got.error().front().message;
  };
  const std::string head = "fun f [n] (xs : [n]i32) : [n]i32 ";
  CHECK(launch_of(head + "= xs") == "");
  CHECK(launch_of(head + "block 64 = xs") == " block 64 warp 32");
  CHECK(launch_of(head + "warp 64 = xs") == " block 256 warp 64");
  CHECK(launch_of(head + "where n >= 1 block 1024 warp 4 = xs") == " block 1024 warp 4");
  CHECK(launch_of(head + "block 256 warp 32 = xs") == "");
  CHECK(launch_of(head + "grid 65535 = xs") == "");
  CHECK(launch_of(head + "grid 120 = xs") == " grid 120");
  CHECK(launch_of(head + "warp 64 grid 2147483647 = xs") == " block 256 warp 64 grid 2147483647");
  CHECK(launch_of(head + "block 1025 = xs") == "a block has 1 to 1024 threads, not 1025");
  CHECK(launch_of(head + "warp 3 = xs") == "a warp has 1, 2, 4, ... or 64 threads, not 3");
  CHECK(launch_of(head + "grid 0 = xs") == "a grid has 1 to 2147483647 blocks, not 0");
  CHECK(launch_of("fun g (h : i32 -> i32) : i32 block 64 = h 1\nfun f : i32 = g (\\x -> x)") ==
        "g is no entry point, and only these are launched");
  // A function that is called runs in its caller's launch.
  CHECK(launch_of("fun g (x : i32) : i32 block 64 = x\nfun f : i32 = g 1") == "");
}

TEST_CASE("users-dpia A3: a name twice in patterns that are bound together is refused") {
  for (const std::string body :
       {"let (a, a) = p in a", "reduce (\\x x -> x) 0 [fst p]", "(\\(x, (y, x)) -> x) (1, p)", "(\\x (y, x) -> x) 1 p",
        "let f = \\x x -> x in f 1 2", "reduce (let (a, a) = p in (+)) 0 [1]"})
    CHECK_THAT(errors("fun f (p : (i32, i32)) : i32 = " + body), Contains("is bound twice here, first (test.dpia:1:"));
  for (const std::string body :
       {"let (_, _) = p in 1", "let a = fst p in let a = a + 1 in a", "(\\x -> (\\x -> x) x) (snd p)"})
    CHECK(errors("fun f (p : (i32, i32)) : i32 = " + body) == "");
  CHECK_THAT(errors("fun f (p : (i32, i32)) : i32 = let (a, a) = p in b"), !Contains("unknown name"));
}

TEST_CASE("users-dpia F4: a reduction's function with its parameters exchanged is told so, and only then") {
  const std::string head = "fun f [n] (xs : [n]i32) : f64 = ", advice = "the element comes first, then the accumulator";
  CHECK_THAT(errors(head + "reduce (\\acc x -> acc + f64 x) 0.0 xs"), Contains(advice + ": \\x acc -> ..."));
  CHECK_THAT(errors(head + "snd (reduce (\\(s, k) x -> (s + x, k + 1.0)) (0, 0) xs)"), Contains(advice));
  CHECK_THAT(errors(head + "reduce (\\acc x -> acc + y) 0.0 xs"), Contains("unknown name y") && !Contains(advice));
  CHECK_THAT(errors(head + "reduce (\\acc x -> acc && x) 0.0 xs"), !Contains(advice));
  CHECK(errors(head + "reduce (\\x acc -> acc + f64 x) 0.0 xs") == "");
}

TEST_CASE("users-dpia F10, F16: one mistake is one error") {
  const auto count = [](const std::string& text) {
    const auto e = elaborated(text);
    return e ? std::size_t{0} : e.error().size();
  };
  CHECK(count("fun f [n m] (a : [n][m]f32) : [n][m]f32 = transpose a") == 1);
  CHECK(count("fun f (xs : [4]f32) : [4][1]f32 = slide 1 0 xs") == 1);
  CHECK(count("fun f [n] (xs : [n]f32) : [n]f32 = xs + 1") == 1);
  CHECK(count("fun f [n] (xs : [n]f32) : [n]f32 = let h = \\a -> map (\\p -> p ! 0) (split 2 a) in xs") == 1);
  CHECK(
      count("fun dot [n] (xs : [n]f32) (ys : [n]f32) : f32 = reduce (+) 0 (map (\\(x, y) -> x * y) (zip xs ys))\n"
            "fun matmul [m k n] (a : [m][k]f32) (b : [k][n]f32) : [m][n]f32 = map (\\r -> map (\\c -> dot r c) b) a") ==
      1);
  CHECK(count("fun f [n m] (a : [n]f32) (b : [m]f32) : ([m]f32, [n+1]f32) = (a, b)") == 2);
}

TEST_CASE("users-dpia F13: an index becomes a number where one is wanted: arguments, branches, elements") {
  const std::string at = "fun at [n] (xs : [n]i32) (i : i64) : i32 = xs ! ((i + n) % n)\n";
  const std::vector<Value> three{i32s({5, 6, 7})};
  CHECK(meaning(at + "fun f [n] (xs : [n]i32) : [n]i32 = generate n (\\i -> at xs i * 10 + at xs (i - 1))", three,
                {{"n", 3}}) == "[57, 65, 76]");
  CHECK(
      meaning("fun f [n] (xs : [n]i32) : [n]i32 = let at = \\i -> xs ! ((i + n) % n) in generate n (\\i -> at i * 10 + "
              "at (i - 1))",
              three, {{"n", 3}}) == "[57, 65, 76]");
  CHECK(
      meaning(
          "fun f [n] (xs : [n]i32) : [n]i32 = let at = \\i j -> xs ! i * 10 + xs ! j in generate n (\\i -> at i (if i "
          "== 0 then i else i - 1) - at 0 i)",
          three, {{"n", 3}}) == "[0, 9, 19]");
  const std::string both = "fun f (n : nat) : [n]i64 = generate n (\\i -> ";
  CHECK(meaning(both + "if i == 0 then i else i - 1)", {}, {{"n", 3}}) == "[0, 0, 1]");
  CHECK(meaning(both + "if i > 0 then i - 1 else i)", {}, {{"n", 3}}) == "[0, 0, 1]");
  CHECK(meaning(both + "if i == 0 then i else if i == 1 then 7 else i)", {}, {{"n", 3}}) == "[0, 7, 2]");
  CHECK(meaning(both + "[i, i + 1] ! 1)", {}, {{"n", 2}}) == "[1, 2]");
  CHECK(meaning(both + "[i, 5, i] ! i)", {}, {{"n", 3}}) == "[0, 5, 2]");
  CHECK(meaning("fun f [n] (xs : [n]i32) : [n]i32 = gather (generate n (\\i -> i)) xs", three, {{"n", 3}}) ==
        "[5, 6, 7]");
  CHECK(meaning("fun f (n : nat) : [n]i64 = iota n |> map (\\i -> i)", {}, {{"n", 2}}) == "[0, 1]");
}

TEST_CASE("users-dpia F13: whichever comes first, the index or the number") {
  const std::string numbers = "fun f (n : nat) : [n]i64 = generate n (\\i -> ";
  CHECK(meaning(numbers + "let p = if i == 0 then 4 else i in p)", {}, {{"n", 3}}) == "[4, 1, 2]");
  CHECK(meaning(numbers + "let p = [1, i] in p ! 1)", {}, {{"n", 3}}) == "[0, 1, 2]");
  const std::string head = "fun f (n : nat) (xs : [n]i32) : ";
  const std::vector<Value> three{i32s({5, 6, 7})};
  CHECK(meaning(head + "[n]i32 = generate n (\\i -> xs ! (if i == 0 then 2 else i))", three, {{"n", 3}}) ==
        "[7, 6, 7]");
  CHECK(meaning(head + "[n]i32 = generate n (\\i -> xs ! (if i == 0 then i else 2))", three, {{"n", 3}}) ==
        "[5, 7, 7]");
  const std::string rows = "fun f (n : nat) : [n][2]i64 = ";
  CHECK(meaning(rows + "generate n (\\i -> [1, i])", {}, {{"n", 2}}) == "[[1, 0], [1, 1]]");
  CHECK(meaning(rows + "generate n (\\i -> [i, i])", {}, {{"n", 2}}) == "[[0, 0], [1, 1]]");
  CHECK(meaning(rows + "let is = generate n (\\i -> i) in map (\\i -> [i, i]) is", {}, {{"n", 2}}) ==
        "[[0, 0], [1, 1]]");
  CHECK(meaning(rows + "generate n (\\i -> let a = if i == 0 then [7, 8] else [i, i] in a)", {}, {{"n", 2}}) ==
        "[[7, 8], [1, 1]]");
  const std::string pairs = "fun f (n : nat) : [n](i64, i64) = generate n (\\i -> ";
  CHECK(meaning(pairs + "if i == 0 then (i, i) else (i - 1, i))", {}, {{"n", 2}}) == "[(0, 0), (0, 1)]");
  CHECK(meaning(pairs + "if i == 0 then (0, i) else (i, 0))", {}, {{"n", 2}}) == "[(0, 0), (1, 0)]");
  CHECK(meaning(pairs + "let p = if i == 0 then (i, 5) else (i - 1, i) in p)", {}, {{"n", 2}}) == "[(0, 5), (0, 1)]");
  CHECK(meaning(pairs + "let p = (i, i) in p)", {}, {{"n", 2}}) == "[(0, 0), (1, 1)]");
  CHECK(meaning("fun next (i : i64) : i64 = i + 1\nfun f (n : nat) : [n]i64 = generate n next", {}, {{"n", 2}}) ==
        "[1, 2]");
  CHECK(meaning("fun f (n : nat) (xs : [n]i64) : [2*n]i64 = concat xs (generate n (\\i -> i))", {i64s({4, 5})},
                {{"n", 2}}) == "[4, 5, 0, 1]");
}

TEST_CASE("users-dpia F13: an index that is used as one alone has no check, through a local function too") {
  const auto checked = [](const std::string& text) {
    std::size_t checks = 0;
    const std::function<void(const Phrase&)> look = [&](const Phrase& p) {
      const auto* x = as<PrimPhrase>(p);
      checks += x && x->primitive->name == "!";
      for_each_child(p, [&](const PhraseRef& c) { look(*c); });
    };
    look(*entry(text).body);
    return checks;
  };
  const std::string head = "fun f [n] (xs : [n]i32) : [n]i32 = ";
  CHECK(checked(head + "let at = \\i -> xs ! i in generate n (\\i -> at i)") == 0);
  CHECK(checked(head + "let at = \\i -> xs ! i in generate n (\\i -> at i + at i)") == 0);
  CHECK(checked(head + "generate n (\\i -> if xs ! i > 0 then xs ! i else 0)") == 0);
  CHECK(checked(head + "generate n (\\i -> [xs ! i, 1] ! 0)") == 0);
  CHECK(checked(head + "let at = \\i -> xs ! i in generate n (\\i -> at i + at 0)") == 2);
}

TEST_CASE("users-dpia F17: a literal directly under a conversion is what is written") {
  CHECK(meaning("fun f : i64 = i64 3000000000") == "3000000000");
  CHECK(meaning("fun f : i64 = i64 (-3000000000)") == "-3000000000");
  CHECK(meaning("fun f : u64 = u64 18446744073709551615") == "18446744073709551615");
  CHECK(meaning("fun f : f64 = f64 0.1") == "0.1");
  CHECK(meaning("fun f : f64 = f64 (-0.1)") == "-0.1");
  CHECK(meaning("fun f : f64 = f64 3000000001") == "3000000001.0");
  CHECK(meaning("fun f : u8 = u8 300") == "44");
  CHECK(meaning("fun f : u8 = u8 (-1)") == "255");
  CHECK(meaning("fun f : i32 = i32 2.5") == "2");
  CHECK_THAT(errors("fun f : i64 = let x = 3000000000 in i64 x"), Contains("write 3000000000i64"));
  CHECK_THAT(errors("fun f : i64 = i64 18446744073709551616"), Contains("no integer type holds it"));
}

TEST_CASE("users-dpia F8: what a message says to write instead is accepted") {
  const std::string head = "fun f [n] (xs : [n]f32) (ys : [n]f32) (n_ : nat) : ";
  for (const std::string rest :
       {"f32 = reduce (+) 0 xs", "f32 = reduce (*) 1 xs", "bool = reduce (||) false (map (\\x -> x > 0) xs)",
        "bool = reduce (&&) true (map (\\x -> x > 0) xs)", "[n]f32 = map (\\(x, y) -> x + y) (zip xs ys)",
        "[n]f32 = map (\\(x, y, z) -> x + y + z) (zip xs (zip ys ys))",
        "[n]f32 = map (\\(i, x) -> f32 i * x) (zip (iota n) xs)", "[n]f32 = scan (+) 0 xs",
        "[n]f32 = scanExclusive (+) 0 xs", "[n_]f32 = replicate n_ 0", "[n+n]f32 = concat xs ys",
        "f32 = iterate 3 (\\x -> x * 2) 1", "f32 = while (\\x -> x < 3) (\\x -> x * 2) 1"})
    CHECK(errors(head + rest) == "");
}

TEST_CASE("a function of two arguments where one tuple comes is told to take it apart") {
  CHECK_THAT(errors("fun f [n] (xs : [n]f32) (ys : [n]f32) : [n]f32 = map (\\x y -> x + y) (zip xs ys)"),
             Contains("a tuple, which a pattern takes apart: \\(x, y) -> ..."));
}

TEST_CASE("a function after a let has the let's names") {
  CHECK(errors("fun f (xs : [3]i32) : [3]i32 = map (let y = 2 in (\\x -> x + y)) xs") == "");
}

TEST_CASE("what is wanted of a pair is wanted of both of its parts") {
  CHECK(errors("fun f [n] (is : [n]idx(n)) : ([n]i64, [n]i64) = unzip (map (\\i -> (i, i)) is)") == "");
}

TEST_CASE("a fact that given sizes break is said with all of them") {
  const PhraseProgram p = entry("fun f [n m] (xs : [n]f32) (ys : [m]f32) : f32 where n < m = reduce (+) 0 xs");
  CHECK_THAT(solve_sizes(p, {}, {{"xs", {{5}}}, {"ys", {{3}}}}).error(), Contains("m = 3, n = 5"));
}

}  // namespace infer_test
