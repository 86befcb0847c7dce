// The examples for GPUs that are derived from a plain program by a strategy (examples/derive): what the derivation ends
// in is the example, every step being checked.
#include <catch2/catch.hpp>

#include <fstream>

#include "semantics/functional/source.h"
#include "semantics/functional/syntax/print.h"
#include "tests/unit/derivation.h"

namespace derivations_test {
using namespace lockstep;
using namespace lockstep::test;

namespace {

struct Kept {
  const char *plain, *entry, *strategy, *example;
  SizeSubstitution at{};  // the derivation's sizes, which facts restrict, as the example has them
};
const Size k = Size::name("k"), m = Size::name("m"), n = Size::name("n");
const std::vector<Kept> derivations = {
    {"scal", "scal", "scal_gpu", "scal_gpu"},
    {"asum", "asum", "asum_gpu", "asum_gpu"},
    {"dot", "dot", "dot_gpu", "dot_gpu"},
    {"dot", "dot", "dot_vectors_gpu", "dot_vectors_gpu"},
    {"gemv", "gemv", "gemv_gpu", "gemv_gpu"},
    {"reverse", "reverse_of", "reverse_gpu", "reverse_gpu"},
    {"transpose", "transpose_of", "transpose_gpu", "transpose_gpu", {{"m", 32 * m}, {"n", 32 * n}}},
    {"transpose", "transpose_of", "transpose_padded", "transpose_padded", {{"m", 32 * m}, {"n", 32 * n}}},
    {"reduction", "reduction", "reduction_gpu", "reduction_gpu"},
    {"jacobi", "jacobi", "jacobi_gpu", "jacobi_gpu", {{"h", 8 * m}, {"w", 32 * n}}},
    {"matmul", "matmul_fma", "matmul_gpu", "matmul_gpu", {{"m", 16 * m}, {"k", 16 * k}, {"n", 32 * n}}},
};

std::string text_of(const std::string& file) {
  std::ifstream in(LOCKSTEP_SOURCE_DIR "/examples/" + file);
  return std::string{std::istreambuf_iterator<char>(in), {}};
}

PhraseProgram entry_named(const std::string& file, const std::string& name) {
  const auto all = elaborated(text_of(file));
  if (!all) throw std::runtime_error(errors(text_of(file)));
  for (const PhraseProgram& p : all->entries)
    if (p.name == name) return p;
  throw Bug(file + " has no entry point " + name);
}

std::vector<rewriting::Derived> steps_of(const Kept& d, const std::string& by) {
  static const SizeSolver sizes = proofs::z3_size_solver();
  static const rewriting::LawOracle laws = proofs::law_oracle();
  const rewriting::RuleList rules = rewriting::all_rules();
  auto steps = rewriting::derive(entry_named(std::string(d.plain) + ".dpia", d.entry), *strategy(by, rules),
                                 {calculus(), rules, sizes, laws});
  if (!steps) throw std::runtime_error(show(steps.error()));
  return std::move(*steps);
}

// As inference reads the text of the last step, at the example's sizes.
bool ends_in(const Kept& d, const std::vector<rewriting::Derived>& steps, const PhraseProgram& example) {
  const auto last = props::read_back(steps.back().program, calculus(), proofs::z3_size_solver());
  REQUIRE(last.has_value());
  CAPTURE(last->text);
  return alpha_equal(*substitute_sizes(last->program.body, d.at), *example.body) &&
         last->program.launch == example.launch;
}

}  // namespace

TEST_CASE("each example that is kept as a derivation is what its strategy makes of the plain program") {
  for (const Kept& d : derivations) {
    CAPTURE(d.strategy);
    const auto steps = steps_of(d, text_of("derive/" + std::string(d.strategy) + ".strat"));
    const PhraseProgram example = entry_named(std::string(d.example) + ".dpia", d.example);
    const auto last = props::read_back(steps.back().program, calculus(), proofs::z3_size_solver());
    REQUIRE(last.has_value());
    CAPTURE(last->text, print(source_of(example, calculus(), Suffixes::Always)));
    CHECK(ends_in(d, steps, example));
    const auto report = props::check_derivation(entry_named(std::string(d.plain) + ".dpia", d.entry), steps, calculus(),
                                                proofs::z3_size_solver(), {1, 3, 2000, {}});
    CHECK(report.agrees());
  }
}

TEST_CASE("the matrix product's derivation reorders nothing: each of its steps keeps the bits") {
  for (const rewriting::Derived& s : steps_of(derivations.back(), text_of("derive/matmul_gpu.strat")))
    CHECK(!s.rounding);
}

TEST_CASE("a derivation with another tile, or another block, does not end in the example") {
  const auto altered = [](const Kept& d, const std::string& what, const std::string& by) {
    std::string text = text_of("derive/" + std::string(d.strategy) + ".strat");
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return ends_in(d, steps_of(d, text.replace(at, what.size(), by)),
                   entry_named(std::string(d.example) + ".dpia", d.example));
  };
  const Kept& product = derivations.back();
  CHECK(altered(product, "blockOf 128", "blockOf 128"));
  CHECK_FALSE(altered(product, "blockOf 128", "blockOf 64"));
  CHECK_FALSE(altered(product, "splitJoin 4 ;", "splitJoin 8 ;"));
}

}  // namespace derivations_test
