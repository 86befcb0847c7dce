// Parallel loops that differ in their arrays alone as one function: which do, and that they compute what the
// interpreter does.
#include <catch2/catch.hpp>

#include "tests/unit/openmp_runs.h"

namespace codegen_twins_test {
using namespace lockstep;
using namespace lockstep::kernel;

namespace {

const std::string head = "kernel p(n, m) input f32 xs[n]; input f32 c; output f32 r[n]; ";
std::string program(const std::string& rounds, const std::string& before = "") {
  return head + "{ alloc f32 t[n] @global; " + before +
         "parallel par (k < n) { store r[k] = xs[k]; store t[k] = 0f32; } " + rounds + " }";
}
std::string in_rounds(const std::string& body) { return program("for (round < m) { " + body + " }"); }

// Every element of an array becomes a sum of its neighbours in another, and more.
std::string sweep(const std::string& to, const std::string& from, const std::string& i,
                  const std::string& more = "0.5f32") {
  const auto at = [&](const std::string& index) { return from + "[" + index + "]"; };
  return "parallel par (" + i + " < n) { var f32 s; s = " + more + "; for (j" + i +
         " < n) { s = s *.f32 0.25f32 +.f32 " + at("j" + i) + "; } store " + to + "[" + i + "] = ((1 <= " + i + " ? " +
         at(i + " - 1") + " : 1f32) +.f32 (" + i + " + 1 < n ? " + at(i + " + 1") +
         " : 2f32)) *.f32 0.5f32 +.f32 (s -.f32 " + at(i) + ") *.f32 0.125f32; } ";
}
// "1 of 2": functions of loops in the text, and its calls of them.
std::string functions(const std::string& text) {
  const Program p = program_from(text);
  CHECK(check(p) == std::vector<std::string>{});
  const std::string source = openmp_source(p);
  return std::to_string(count_of(std::regex("void loop[0-9]+\\("), source)) + " of " +
         std::to_string(count_of(std::regex("\n +loop[0-9]+\\("), source));
}

void runs(const std::string& text) {
  INFO(text);
  const Program p = program_from(text);
  const auto library = compile_cached({openmp_source(p), openmp_flags(), entry_name(p), false});
  REQUIRE(library);
  for (const std::int64_t n : {0, 1, 2, 9})
    for (const std::int64_t m : {0, 1, 2, 3}) {
      Buffers in{{"xs", {}}, {"c", {make_ieee(ScalarType::F32, 3)}}};
      for (std::int64_t k = 0; k < n; ++k) in["xs"].push_back(make_ieee(ScalarType::F32, 0.25 * double(k * 7 % 5)));
      const auto expected = kernel::run(p, {{"n", n}, {"m", m}}, in, ieee_domain());
      REQUIRE(expected);
      using Entry = std::int32_t (*)(const std::int64_t*, const void* const*, void* const*, EntryTrap*);
      const auto entry = reinterpret_cast<Entry>(library->symbol(loader_name(p).c_str()));
      const auto xs = packed(in["xs"], ScalarType::F32), c = packed(in["c"], ScalarType::F32);
      std::vector<std::byte> out(static_cast<std::size_t>(n) * 4 + 1);
      const std::int64_t sizes[] = {n, m};
      const void* const from[] = {xs.data(), c.data()};
      void* const to[] = {out.data()};
      EntryTrap trap;
      REQUIRE(entry(sizes, from, to, &trap) == entry_done);
      CHECK(out == packed(expected->at("r"), ScalarType::F32));
    }
}

}  // namespace

TEST_CASE("loops that differ in their arrays alone are one function", "[codegen]") {
  const std::string swap = in_rounds(sweep("t", "r", "a") + sweep("r", "t", "b"));
  CHECK(functions(swap) == "1 of 2");
  runs(swap);
  const std::string two = in_rounds(sweep("t", "r", "a") + sweep("r", "t", "b", "1.5f32") +
                                    sweep("t", "r", "e", "1.5f32") + sweep("r", "t", "f") + sweep("t", "xs", "g"));
  CHECK(functions(two) == "2 of 5");
  runs(two);
  const std::string apart =
      program("for (round < m) { " + sweep("t", "r", "a") + " } for (last < m % 2) { " + sweep("r", "t", "b") + " }");
  CHECK(functions(apart) == "1 of 2");
  runs(apart);
  const std::string branches =
      in_rounds("if (round < 1) { " + sweep("t", "r", "a") + " } else { " + sweep("r", "t", "b") + " } ");
  CHECK(functions(branches) == "1 of 2");
  runs(branches);
  const std::string between =
      in_rounds(sweep("t", "r", "a") + "if (1 <= n) { store t[0] = 0.5f32; } else { } " + sweep("r", "t", "b"));
  CHECK(functions(between) == "1 of 2");
  CHECK(count_of(std::regex("#pragma omp parallel[^\n]*\n +loop0\\("), openmp_source(program_from(between))) == 2);
  runs(between);
}

TEST_CASE("loops that differ in more stay as they are", "[codegen]") {
  const auto stay = [](const std::string& text) {
    CHECK(functions(text) == "0 of 0");
    runs(text);
  };
  stay(in_rounds(sweep("t", "r", "a") + sweep("r", "t", "b", "1.5f32")));
  stay(in_rounds(sweep("t", "r", "a")));
  stay(program(sweep("t", "r", "a") + sweep("r", "t", "b")));  // in no round: arrays may go past the caches
  const std::string of_round = "(round < 1 ? 1f32 : 2f32)";
  stay(in_rounds(sweep("t", "r", "a", of_round) + sweep("r", "t", "b", of_round)));
  stay(in_rounds(sweep("t", "r", "a", "c[0]") + sweep("r", "t", "b", "c[0]")));
  stay(in_rounds("var f32 v; v = (1 <= n ? r[0] : 0f32); " + sweep("t", "r", "a", "v") + sweep("r", "t", "b", "v")));
  stay(in_rounds("parallel par (a < n) store t[a] = r[a]; parallel par (b < n) store r[b] = t[b];"));
  stay(in_rounds(sweep("t", "r", "a") + sweep("r", "xs", "b", "1.5f32")));
}

TEST_CASE("loops that trap or need memory stay as they are", "[codegen]") {
  const auto with = [](const std::string& first, const std::string& second) {
    std::string a = sweep("t", "r", "a"), b = sweep("r", "t", "b");
    a.insert(a.find('{') + 1, first), b.insert(b.find('{') + 1, second);
    return in_rounds(a + b);
  };
  CHECK(functions(with("", "")) == "1 of 2");
  CHECK(functions(with("check (a < n) \"x\" \"{0}\" (a); ", "check (b < n) \"x\" \"{0}\" (b); ")) == "0 of 0");
  CHECK(functions(with("alloc f32 w[n] @global; ", "alloc f32 w[n] @global; ")) == "0 of 0");
}

}  // namespace codegen_twins_test
