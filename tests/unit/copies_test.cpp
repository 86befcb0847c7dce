// What a step of a loop copies at its end: which stores put every element of one array into its place in another.
#include "translate/dpia/copies.h"

#include <catch2/catch.hpp>

#include "tests/unit/kernel_program.h"

namespace copies_test {
using namespace lockstep;

namespace {

// "r = x of n": what the body of a kernel copies.
std::string copied(const std::string& body) {
  const kernel::Program p = kernel::program_from(
      "kernel p(n, m) input i64 x[n * m]; input f32 v[4 * n]; output i64 r[n * m]; output f32 s[4 * n]; { " + body +
      " }");
  const auto copy = copy_of(p.body);
  return copy ? copy->state + " = " + copy->next + " of " + show(copy->covered) : "nothing";
}

}  // namespace

TEST_CASE("loops that store each element in its own place copy so many") {
  CHECK(copied("for (i < n) { store r[i] = x[i]; }") == "r = x of n");
  CHECK(copied("for (i < n) { for (j < m) { store r[m * i + j] = x[m * i + j]; } }") == "r = x of m*n");
  CHECK(copied("for (i < n) { store s[i] = v[i : 4]; }") == "s = v of 4*n");
}

TEST_CASE("what stores an element often, or elsewhere, or something else, copies nothing") {
  CHECK(copied("for (i < n) { store r[0] = x[0]; }") == "nothing");
  CHECK(copied("for (i < n) { for (j < m) { store r[j] = x[j]; } }") == "nothing");
  CHECK(copied("for (i < n) { store r[i] = x[0]; }") == "nothing");
  CHECK(copied("for (i < n) { store r[i] = r[i]; }") == "nothing");
  CHECK(copied("for (i < n) { store r[i] = x[i] +.i64 1; }") == "nothing");
  CHECK(copied("store r[0] = x[0];") == "nothing");
}

}  // namespace copies_test
