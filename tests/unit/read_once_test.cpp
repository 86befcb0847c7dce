// Words of inputs that are read once: which, which must not be, and that a kernel does as before.
#include <catch2/catch.hpp>

#include "semantics/kernel/check.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/words_moved.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace read_once_test {
using namespace lockstep;
using Catch::Matchers::Contains;

namespace {

// "2n, then n": what a body moves before and after.
std::string moves(const std::string& body) {
  const kernel::Program p = kernel::program_from(
      "kernel p(n, m) input i64 x[n]; input i64 d[n]; input f32 v[4 * n]; output i64 r[n]; output f32 s[4 * n]; { " +
      body + " }");
  INFO(print(p));
  CHECK(check(p).empty());
  const kernel::Program after = with_words_read_once(p);
  INFO(print(after));
  CHECK(check(after).empty());
  const auto shown = [](const kernel::Program& k) {
    const auto w = kernel::words_moved(k);
    return w ? show(*w) : "data decides";
  };
  return shown(p) + ", then " + (after == p ? "as before" : shown(after));
}

}  // namespace

TEST_CASE("a word that a block always reads, and reads again, is read once") {
  CHECK(moves("for (i < n) { store r[i] = x[i] +.i64 x[i]; }") == "3*n, then 2*n");
  CHECK(moves("for (i < n) { store r[i] = (x[i] <.i64 0 ? 0 : x[i]); }") == "data decides, then 2*n");
  CHECK(moves("for (i < n) { store r[i] = x[i]; store r[i] = x[i] +.i64 1; }") == "4*n, then 3*n");
  CHECK(moves("for (i < n) { store r[i] = x[i]; if (x[i] <.i64 3) { store r[0] = x[i]; } else { store r[0] = 1; } }") ==
        "data decides, then 3*n");
  CHECK(moves("var i64 t = x[0]; for (i < n) { store r[i] = x[0]; }") == "2*n + 1, then n + 1");
  CHECK(moves("for (i < n) { store r[i] = x[d[i]] +.i64 x[d[i]]; }") == "5*n, then 3*n");  // the inner one first
  CHECK(moves("for (i < n) { store s[i] = v[i : 4] +.f32<4> v[i : 4]; }") == "12*n, then 8*n");
  CHECK(moves("for (i < n) store r[i] = x[i] +.i64 x[i];") == "3*n, then 2*n");  // a body that is no block
}

TEST_CASE("what one way alone reads, and what may be another word, stays") {
  CHECK(moves("for (i < n) { store r[i] = (d[i] <.i64 0 ? x[i] +.i64 x[i] : 0); }") == "data decides, then as before");
  CHECK(moves("for (i < n) { if (0 < i) { store r[i] = x[i]; } else { store r[i] = x[i]; } }") ==
        "2*n, then as before");
  CHECK(moves("var i64 t = 0; store r[0] = x[t]; t = 1; store r[1] = x[t];") == "4, then as before");
  CHECK(moves("var i64 t = 0; store r[0] = x[t]; { var i64 t = 1; store r[1] = x[t]; }") == "4, then as before");
  CHECK(moves("for (i < n) { store r[i] = x[i]; } for (i < n) { store r[i] = x[i]; }") == "4*n, then as before");
  CHECK(moves("for (i < n) { store r[i] = r[i] +.i64 r[i]; }") == "3*n, then as before");  // it is written
  CHECK(moves("check (0 < m) \"p\" \"{0}\" (x[0]); for (i < n) { store r[i] = x[0]; }") == "2*n, then as before");
  CHECK(moves("var i64 t = 0; while (x[t] <.i64 9) { t = t +.i64 1; store r[0] = x[t]; }") ==
        "data decides, then as before");
}

}  // namespace read_once_test
