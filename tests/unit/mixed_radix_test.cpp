// Indices that are sums of strides times digits: told apart by their digits, with gaps between the strides or none, by
// normal forms alone; and not where a stride is too small or the digits may be equal.
#include <catch2/catch.hpp>

#include "proofs/kernel/parts.h"
#include "tests/unit/kernel_program.h"

namespace mixed_radix_test {
using namespace lockstep;
using namespace lockstep::proofs::kernels;

namespace {

// The obligation of a kind, the first that is not proved where there is one.
ProgramObligation first_of(ObligationKind kind, const std::string& text) {
  Prover prover(500);
  std::optional<ProgramObligation> found;
  for (const ProgramObligation& o : kernel_obligations(kernel::program_from(text), prover))
    if (o.kind == kind && (!found || o.standing < found->standing)) found = o;
  REQUIRE(found);
  return *found;
}
void by_normal_forms(ObligationKind kind, const std::string& text) {
  const ProgramObligation o = first_of(kind, text);
  INFO(text << "\n" << o.detail);
  CHECK(o.standing == Standing::Proved);
  CHECK(o.method.way == Method::Normalisation);
}
void refuted(ObligationKind kind, const std::string& text) {
  INFO(text);
  CHECK(first_of(kind, text).standing == Standing::Refuted);
}

// Iterations i < n that write, with loops j < m and k < 4 inside.
std::string in_scratch(const std::string& index) {
  return "kernel p(n, m) output i64 r; { alloc i64 t[n * m * 1000 + 1000] @global; parallel par (i < n) for (j < m) "
         "for (k < 4) "
         "store t[" +
         index + "] = 1; store r[0] = 1; }";
}

}  // namespace

TEST_CASE("iterations whose places differ in a digit do not meet, in whatever order the digits stand", "[proofs]") {
  for (const std::string index : {"i * m * 4 + j * 4 + k", "j * n * 4 + i * 4 + k", "k * n * m + j * n + i",
                                  "j * n * 4 + k * n + i", "(j * n + (n - 1 - i)) * 4 + k"})
    by_normal_forms(ObligationKind::Races, in_scratch(index));
}

TEST_CASE("gaps between the strides keep iterations apart, strides that are too small do not", "[proofs]") {
  by_normal_forms(ObligationKind::Races, in_scratch("j * n * 33 + i * 33 + k"));
  by_normal_forms(ObligationKind::Races, in_scratch("j * n * 4 + j * 7 + i * 4 + k"));
  refuted(ObligationKind::Races, in_scratch("j * n * 4 + i * 3 + k"));
  refuted(ObligationKind::Races, in_scratch("j * n * 3 + i * 4 + k"));
}

TEST_CASE("iterations that differ in no digit of the place meet", "[proofs]") {
  refuted(ObligationKind::Races, in_scratch("j * 4 + k"));
  refuted(ObligationKind::Races, in_scratch("j * n * 4 + i * 4 - i * 4 + k"));
}

TEST_CASE("a stride that is narrower than what is stored does not keep iterations apart", "[proofs]") {
  const auto vectors = [](const std::string& stride) {
    return "kernel p(n, m) output i64 r; { alloc i64 t[n * m * 1000 + 1000] @global; parallel par (i < n) for (j < m) "
           "store t[j * "
           "n * " +
           stride + " + i * " + stride + "] = splat<4>(1); store r[0] = 1; }";
  };
  by_normal_forms(ObligationKind::Races, vectors("4"));
  by_normal_forms(ObligationKind::Races, vectors("5"));
  refuted(ObligationKind::Races, vectors("3"));
}

TEST_CASE("two accesses in loops of one extent each are told apart by the digit that differs", "[proofs]") {
  const auto two = [](const std::string& first, const std::string& second) {
    return "kernel p(n, m) output i64 r; { alloc i64 t[n * m * 8 + 8] @global; parallel par (i < n) { for (j < m) "
           "store t[" +
           first + "] = 1; for (q < m) store t[" + second + "] = 2; } store r[0] = 1; }";
  };
  by_normal_forms(ObligationKind::Races, two("j * n + i", "q * n + i"));
  refuted(ObligationKind::Races, two("j * n + i", "q * n + i + 1"));
}

TEST_CASE("a tile that is written digit by digit is written", "[proofs]") {
  const auto tile = [](const std::string& index) {
    return "kernel p(n, m) output i64 r[n * m * 128]; parallel par (i < n) for (j < m) for (k < 32) for (l < 4) store "
           "r[" +
           index + "] = 1;";
  };
  by_normal_forms(ObligationKind::Initialisation, tile("j * n * 128 + k * n * 4 + i * 4 + l"));
  by_normal_forms(ObligationKind::Initialisation, tile("i * m * 128 + j * 128 + l * 32 + k"));
  CHECK(first_of(ObligationKind::Initialisation, tile("j * n * 128 + k * n * 4 + i * 3 + l")).standing !=
        Standing::Proved);
}

TEST_CASE("a variable below a product that is divided by a factor has digits, and that factor's alone", "[proofs]") {
  const auto grid = [](const std::string& index, const std::string& elements = "4 * m * n") {
    return "kernel p(m, n) output i64 r[" + elements + "]; parallel par (i < m * n) for (j < 2) for (k < 2) store r[" +
           index + "] = 1;";
  };
  for (const std::string index : {"n * (i / n) * 2 + i * 2 + j * n * 2 + k", "(i / n) * n * 4 + i % n * 4 + j * 2 + k",
                                  "i % n * m * 4 + i / n * 4 + j * 2 + k"}) {
    by_normal_forms(ObligationKind::Bounds, grid(index));
    by_normal_forms(ObligationKind::Races, grid(index));
    by_normal_forms(ObligationKind::Initialisation, grid(index));
  }
  const std::string wide = "8 * m * n * n + 8 * m * m * n";
  refuted(ObligationKind::Races, grid("m * (i / m) * 2 + i * 2 + j * n * 2 + k", wide));
  refuted(ObligationKind::Races, grid("n * (i / n) + i * 2 + j * n * 2 + k", wide));
  refuted(ObligationKind::Races, grid("i / n * 4 + j * 2 + k", wide));
  CHECK(first_of(ObligationKind::Initialisation, grid("n * (i / n) * 2 + i * 2 + j * n * 2 + k", "4 * m * n + 1"))
            .standing != Standing::Proved);
  // Digits of digits.
  const auto box = [](const std::string& index) {
    return "kernel p(m, n, k) output i64 r[k * m * n]; parallel par (i < k * m * n) store r[" + index + "] = 1;";
  };
  const std::string turned = "i / (m * n) + i / n % m * k + i % n * k * m";
  by_normal_forms(ObligationKind::Races, box(turned));
  by_normal_forms(ObligationKind::Initialisation, box(turned));
}

TEST_CASE("a variable whose extent is no multiple has no digits", "[proofs]") {
  const auto quotients = [](const std::string& more) {
    return "kernel p(m, n, k) where 1 <= n output i64 r; { alloc i64 t[m + k / n" + more +
           "] @global; parallel par (i < m * n + k) store t[i / n] = 1; store r[0] = 1; }";
  };
  refuted(ObligationKind::Bounds, quotients(""));
  CHECK(first_of(ObligationKind::Bounds, quotients(" + 1")).standing == Standing::Proved);
}

TEST_CASE("what only some of its digits write is not written", "[proofs]") {
  const auto some = [](const std::string& condition) {
    return "kernel p(m, n) output i64 r[m * n]; parallel par (i < m * n) if (" + condition +
           ") store r[i % n * m + i / n] = 1;";
  };
  by_normal_forms(ObligationKind::Initialisation,
                  "kernel p(m, n) output i64 r[m * n]; parallel par (i < m * n) store r[i % n * m + i / n] = 1;");
  CHECK(first_of(ObligationKind::Initialisation, some("i < 1")).standing != Standing::Proved);
}

}  // namespace mixed_radix_test
