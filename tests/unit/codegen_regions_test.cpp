// Consecutive parallel loops, and rounds of nothing else, as one region: which are, that threads wait behind each loop,
// and that they compute what the interpreter does.
#include <catch2/catch.hpp>

#include "tests/unit/openmp_runs.h"

namespace codegen_regions_test {
using namespace lockstep;
using namespace lockstep::kernel;

namespace {

const std::string head = "kernel p(n) input f32 xs[n]; input i64 is[n]; output f32 r[n]; output f32 q[n]; ";
std::string program(const std::string& body) { return head + "{ alloc f32 t[n] @global; " + body + " }"; }
std::string fill(const std::string& to, const std::string& i, const std::string& value) {
  return "parallel par (" + i + " < n) { store " + to + "[" + i + "] = " + value + "; } ";
}
// From what all of another array's elements are: wrong where these are not all there.
std::string turned(const std::string& to, const std::string& from, const std::string& i) {
  return fill(to, i, from + "[n - 1 - " + i + "] +.f32 1f32");
}

// "1 2 0": regions of several loops; loops in them, for all threads; loops with a region of their own.
std::string regions(const std::string& text) {
  const Program p = program_from(text);
  CHECK(check(p) == std::vector<std::string>{});
  const std::string source = openmp_source(p);
  const std::size_t own = count_of(std::regex("omp parallel for"), source);
  return std::to_string(count_of(std::regex("omp parallel"), source) - own) + " " +
         std::to_string(count_of(std::regex("omp for"), source)) + " " + std::to_string(own);
}
void runs(const std::string& text) {
  INFO(text);
  for (const std::int64_t n : {1, 2, 7, 1000}) agree(text, n, {"-DLOCKSTEP_LEAST_WORK=0"});
  agree(text, 1000, {"-DLOCKSTEP_LEAST_WORK=0", "-DLOCKSTEP_LEAST_STREAMED=0", "-DLOCKSTEP_STREAMED_PART=16"});
}
void are(const std::string& text, const std::string& expected) {
  INFO(text);
  CHECK(regions(text) == expected);
  runs(text);
}

}  // namespace

TEST_CASE("consecutive loops are one region, behind each of which threads wait", "[codegen]") {
  const std::string rest = turned("r", "t", "b") + turned("q", "r", "c");
  are(program("parallel par (a < n) { var f32 s; s = xs[a]; for (k < 3) { s = s +.f32 s; } store t[a] = s; } for (k < "
              "1) { " +
              rest + " } "),
      "1 3 0");
  const std::string text = openmp_source(program_from(program("for (k < 1) { " + rest + turned("t", "q", "d") + " }")));
  CHECK(text.find("nowait") == std::string::npos);
}

TEST_CASE("rounds of parallel loops are one region", "[codegen]") {
  const std::string start = "for (z < 1) { " + fill("r", "a", "xs[a]") + " } ";
  const std::string rounds = "for (k < n) { " + turned("t", "r", "b") + turned("r", "t", "c") + " } ";
  are(program(start + rounds + "for (l < 1) { " + fill("q", "d", "r[d]") + " } "), "1 4 0");
  are(program(start + "for (k < n) { if (k < 3) { " + turned("t", "r", "b") + " } else { " + turned("t", "xs", "e") +
              " } " + turned("r", "t", "c") + " } for (l < 1) { " + fill("q", "d", "r[d]") + " } "),
      "1 5 0");
}

TEST_CASE("what goes past the caches is there before the next loop begins", "[codegen]") {
  const std::string rows =
      "kernel p(n) input f32 xs[n][n]; output f32 r[n][n]; output f32 q[n][n]; { "
      "parallel par (a < n) { for (b < n) { store r[a * n + b] = xs[a * n + b]; } } "
      "parallel par (c < n) { for (d < n) { store q[c * n + d] = r[d * n + c]; } } }";
  INFO(rows);
  const std::string text = openmp_source(program_from(rows));
  CHECK(count_of(std::regex("nowait"), text) ==
        count_of(std::regex("stream_fence\\(\\);\\n +#pragma omp barrier"), text));
  CHECK(count_of(std::regex("nowait"), text) > 0);
  CHECK(regions(rows) == "1 2 0");
  for (const std::int64_t n : {1, 5, 70}) {
    agree(rows, n, {"-DLOCKSTEP_LEAST_WORK=0"});
    agree(rows, n, {"-DLOCKSTEP_LEAST_WORK=0", "-DLOCKSTEP_LEAST_STREAMED=0", "-DLOCKSTEP_STREAMED_PART=16"});
  }
}

TEST_CASE("what threads could not go through by themselves is between regions", "[codegen]") {
  const auto in_round = [](const std::string& body) { return "for (z < 1) { " + body + " } "; };
  const std::string first = turned("t", "xs", "a"), last = turned("r", "t", "b");
  const std::string other = in_round(fill("q", "e", "t[e]"));
  // a scalar that is assigned; what is stored by one thread; a check; a number of rounds from memory
  are(program("var f32 s; s = 0f32; " + in_round(first) + "s = t[0]; " + in_round(fill("r", "b", "s")) + other),
      "2 3 0");
  are(program(in_round(first) + "store t[0] = 5f32; " + in_round(last) + other), "2 3 0");
  are(program(in_round(first) + "for (k < n) { store t[k] = xs[k]; } " + in_round(last) + other), "2 3 0");
  are(program(in_round(first) + "parallel par (b < n) { check (b < n) \"x\" \"{0}\" (b); store r[b] = t[b]; } " +
              other),
      "2 2 1");
  are(program(in_round(first) + "for (k < is[0] + 1) { " + last + " } " + other), "2 2 1");
  // few elements, which no thread is woken for
  are("kernel p(n) input f32 xs[n]; output f32 r[n]; output f32 q[4]; { for (z < 1) { " + fill("r", "a", "xs[a]") +
          " } parallel par (b < 4) { store q[b] = r[0]; } for (y < 1) { " + turned("r", "xs", "c") + " } }",
      "2 2 0");
}

}  // namespace codegen_regions_test
