// Products in tiles: which are, that none of their sums has other bits, at every size around a tile's, and that what is
// compiled agrees.
#include <catch2/catch.hpp>

#include "codegen/runtime/compile.h"
#include "tests/unit/dpia_program.h"
#include "translate/dpia/stage.h"
#include "translate/dpia/tiles.h"
#include "translate/rewriting/derivation.h"
#include "translate/rewriting/rules.h"
#include "translate/rewriting/terms.h"

namespace tiles_test {
using namespace lockstep;
using namespace lockstep::test;

namespace {

std::size_t loops(const Phrase& p, const std::string& name) {
  std::size_t found = rewriting::as_call(p, name) != nullptr;
  for_each_child(p, [&](const PhraseRef& c) { found += loops(*c, name); });
  return found;
}
PhraseProgram tiled(const PhraseProgram& p) { return in_tiles(fused(p, calculus()), calculus()); }
// Of the four parts of a product the tile alone has its rows written out.
std::size_t tiles_in(const std::string& text) {
  const DpiaTrace t = dpia_trace(entry(text), calculus(), Machine::Cpu);
  const AnyProgram& p = *t.after("tiles");
  CHECK(p.language().check(p, implied_by(proofs::z3_size_solver())) == std::vector<std::string>{});
  return loops(*p.as<PhraseProgram>().body, "mapUnroll");
}

std::string product(const std::string& sum, const std::string& type = "f32", const std::string& where = "") {
  return "fun f [m k n] (a : [m][k]" + type + ") (b : [k][n]" + type + ") : [m][n]" + type + where +
         " =\n  map (\\row -> map (\\column -> " + sum + ") (transpose b)) a";
}
const std::string dot = "reduce (+) 0 (map (\\(x, y) -> x * y) (zip row column))";

// [rows][columns], numbers whose sums hang on their order.
Value matrix(std::int64_t rows, std::int64_t columns, std::uint32_t seed) {
  std::vector<Value> out;
  for (std::int64_t i = 0; i < rows; ++i) {
    std::vector<double> row;
    for (std::int64_t j = 0; j < columns; ++j) {
      seed = seed * 1664525 + 1013904223;
      row.push_back(static_cast<double>(static_cast<std::int32_t>(seed)) / (seed % 7 == 0 ? 3e9 : 5e4));
    }
    out.push_back(f32s(row));
  }
  return array_value(std::move(out));
}
std::string result(const PhraseProgram& p, const SizeValues& sizes, const std::vector<Value>& arguments) {
  const auto v = denote(p, sizes, arguments, ieee_domain());
  return v ? show(*v, ieee_domain()) : "trap: " + v.error().message;
}

}  // namespace

TEST_CASE("sums of columns are in tiles, by every operator that lanes have") {
  CHECK(tiles_in(product(dot)) == 1);
  CHECK(tiles_in(product("reduce (\\(x, y) acc -> fma x y acc) 0 (zip row column)")) == 1);
  for (const char* const type : {"f64", "i8", "u16", "i32", "i64", "u32", "u64"})
    CHECK(tiles_in(product(dot, type)) == 1);
  CHECK(tiles_in(product("reduce (\\(x, y) acc -> min (x + y) acc) 3 (zip row column)")) == 1);
  CHECK(tiles_in(product("reduceSeq (\\(x, y) acc -> x * y + acc) 0 (zip row column)")) == 0);
  // of the transpose, of one matrix after another, and beside other things of the program
  CHECK(tiles_in("fun f [m k n] (a : [k][m]f32) (b : [k][n]f32) : [m][n]f32 =\n"
                 "  map (\\row -> map (\\column -> " +
                 dot + ") (transpose b)) (transpose a)") == 1);
  CHECK(tiles_in("fun f [z m k n] (as : [z][m][k]f32) (bs : [z][k][n]f32) : [z][m][n]f32 =\n"
                 "  map (\\(a, b) -> map (\\row -> map (\\column -> " +
                 dot + ") (transpose b)) a) (zip as bs)") == 1);
  CHECK(tiles_in("fun f [n] (a : [n][n]f32) : [n][n]f32 =\n"
                 "  let b = map (map (\\x -> x + 1)) a in let c = map (\\row -> map (\\column -> " +
                 dot + ") (transpose b)) b in\n  map (\\row -> map (\\column -> " + dot + ") (transpose c)) b") == 2);
}

TEST_CASE("what has no rows or columns for a tile, or no lanes, stays") {
  CHECK(tiles_in(product(dot, "f32", " where m <= 5")) == 0);
  CHECK(tiles_in(product(dot, "f32", " where n <= 15")) == 0);
  CHECK(tiles_in(product(dot, "f64", " where n <= 8")) == 1);
  CHECK(tiles_in(product(dot, "f64", " where n <= 7")) == 0);
  CHECK(tiles_in(product("reduce (\\(x, y) acc -> if x > y then acc + x else acc) 0 (zip row column)")) == 0);
  CHECK(tiles_in(product("reduce (\\(x, y) acc -> acc + x * row ! 0 + y) 0 (zip row column)")) == 0);
  // rows of both, which lie in the order of the sum
  CHECK(tiles_in("fun f [m k n] (a : [m][k]f32) (b : [n][k]f32) : [m][n]f32 =\n"
                 "  map (\\row -> map (\\column -> " +
                 dot + ") b) a") == 0);
}

TEST_CASE("a sum has the bits of the order that is written, at every size around a tile's") {
  const PhraseProgram written = entry(product("reduce (\\(x, y) acc -> x * y + acc) 0 (zip row column)"));
  const PhraseProgram made = tiled(written);
  REQUIRE(loops(*made.body, "mapUnroll") == 1);
  const PhraseProgram turned = entry(product("reduce (\\(x, y) acc -> x * y + acc) 0 (reverse (zip row column))"));
  std::size_t others = 0;
  for (const std::int64_t m : {0, 1, 5, 6, 7, 12, 13})
    for (const std::int64_t n : {0, 1, 15, 16, 17, 32, 33})
      for (const std::int64_t k : {0, 1, 2, 9}) {
        CAPTURE(m, n, k);
        const Value a = matrix(m, k, 1), b = matrix(k, n, 2);
        const SizeValues sizes{{"m", m}, {"k", k}, {"n", n}};
        const std::string wanted = result(written, sizes, {a, b});
        CHECK(result(made, sizes, {a, b}) == wanted);
        others += wanted != result(turned, sizes, {a, b});
      }
  CHECK(others > 20);  // another order has other bits: the numbers tell
}

TEST_CASE("what a search makes of a product has the bits of the order that is written") {
  const PhraseProgram written = entry(product("reduce (\\(x, y) acc -> x * y + acc) 0 (zip row column)"));
  const rewriting::RuleList rules = rewriting::all_rules();
  for (const char* const name : {"product", "packed"})
    for (const std::int64_t vectors : {1, 2}) {
      const auto source =
          std::make_shared<const Source>(Source{"search", tile_definitions({2, 2, 1}, vectors, 5) + name});
      const auto steps =
          rewriting::derive(written, *rewriting::parse_strategy(source, rules).value(), {calculus(), rules, {}, {}});
      REQUIRE(steps);
      const PhraseProgram made = steps->back().program;
      for (const std::int64_t m : {0, 1, 4, 5, 13})
        for (const std::int64_t n : {0, 1, 3, 4, 9}) {
          CAPTURE(name, vectors, m, n);
          const std::vector<Value> arguments{matrix(m, 3, 1), matrix(3, n, 2)};
          const SizeValues sizes{{"m", m}, {"k", 3}, {"n", n}};
          CHECK(result(made, sizes, arguments) == result(written, sizes, arguments));
        }
    }
}

TEST_CASE("sums of columns go row by row, each in the order that is written") {
  const bool by_rows = GENERATE(false, true);  // as it is written
  const auto text = [&](const std::string& where) {
    return "fun f [m n] (a : [m][n]f32) (x : [m]f32) : [n]f32" + where +
           (by_rows ? " =\n  reduce (\\(row, p) sums -> map (\\(q, acc) -> p * q + acc) (zip row sums)) (replicate n "
                      "0) (zip a x)"
                    : " =\n  map (\\c -> reduce (\\(p, q) acc -> p * q + acc) 0 (zip x c)) (transpose a)");
  };
  PhraseProgram written = entry(text(""));
  written.tiles.columns = 3;
  const PhraseProgram made = tiled(written);
  CHECK(loops(*made.body, "reduceSeq") == 2);
  CHECK(loops(*made.body, "reduce") == 0);
  CHECK(loops(*tiled(entry(text(" where n <= 15"))).body, "reduce") == 1);
  for (const std::int64_t m : {0, 1, 4})
    for (const std::int64_t n : {0, 1, 3, 5, 7}) {
      CAPTURE(m, n);
      std::vector<double> xs;
      for (std::int64_t i = 0; i < m; ++i) xs.push_back(1.1 * static_cast<double>(i) - 0.7);
      const std::vector<Value> arguments{matrix(m, n, 5), f32s(xs)};
      const SizeValues sizes{{"m", m}, {"n", n}};
      CHECK(result(made, sizes, arguments) == result(written, sizes, arguments));
    }
}

TEST_CASE("sums of rows stay that start from several numbers, are short or not added by elements") {
  const auto stays = [](const std::string& text) {
    const PhraseProgram p = fused(entry(text), calculus());
    return alpha_equal(*in_tiles(p, calculus()).body, *p.body);
  };
  const auto sum = [](const std::string& step, const std::string& start, const std::string& type) {
    return "fun f [m n] (a : [m][n]" + type + ") (ys : [n]" + type + ") : [n]" + type + " =\n  reduce (\\row sums -> " +
           step + ") (" + start + ") a";
  };
  const std::string added = "map (\\(x, s) -> x + s) (zip row sums)";
  CHECK_FALSE(stays(sum(added, "replicate n 1", "f32")));
  CHECK(stays(sum(added, "ys", "f32")));
  CHECK_FALSE(stays(sum(added, "replicate n 1", "i16")));
  CHECK(stays(sum("map (\\(x, s) -> x + s) (zip (reverse row) sums)", "replicate n 1", "f32")));
  CHECK(stays("fun f [m] (a : [m][15]f32) : [15]f32 =\n  reduce (\\row sums -> " + added + ") (replicate 15 0) a"));
}

TEST_CASE("rows that something makes are made once") {
  const std::string text =
      "fun f [n] (a : [n][n]f32) : [n][n]f32 =\n"
      "  map (\\row -> map (\\column -> " +
      dot + ") (transpose a)) (iterate 2 (\\s -> map (map (\\x -> x + 1)) s) a)";
  CHECK(tiles_in(text) == 1);
  CHECK(loops(*tiled(entry(text)).body, "iterate") == 1);
}

TEST_CASE("names around a product are not taken by a tile's") {
  const std::string text =
      "fun f [n] (a : [n][n]f32) (x : f32) : [n][n]f32 =\n"
      "  let block = x + 1 in let acc = x + 2 in let accs = x + 3 in let p = x + 4 in let column_1 = x + 5 in\n"
      "  map (\\row -> map (\\column -> reduce (\\(x, y) s -> x * y * block + (acc * accs + p * column_1) + s) 0 "
      "(zip row column)) (transpose a)) a";
  const PhraseProgram written = entry(text), made = tiled(written);
  REQUIRE(loops(*made.body, "mapUnroll") == 1);
  const Value a = matrix(19, 19, 3), x = scalar_value(make_ieee(ScalarType::F32, 0.7));
  CHECK(result(made, {{"n", 19}}, {a, x}) == result(written, {{"n", 19}}, {a, x}));
}

}  // namespace tiles_test
