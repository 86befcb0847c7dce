// Loops that fill large arrays in parts, and store these past the caches: which loops do, and that they compute what
// the interpreter does, at sizes of no part, one, and several.
#include <catch2/catch.hpp>

#include "tests/unit/openmp_runs.h"

namespace codegen_streamed_test {
using namespace lockstep;
using namespace lockstep::kernel;

namespace {

std::string text_of(const std::string& body) {
  return openmp_source(program_from("kernel p(n) input f32 xs[n]; output f32 r[n]; " + body));
}
bool streams(const std::string& body) { return text_of(body).find("stream_all(&") != std::string::npos; }
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct Program {
  const char* what;
  std::string text;
};
const std::vector<Program>& programs() {
  static const std::vector<Program> all{
      {"elements by threads",
       "kernel p(n) input f32 xs[n]; output f32 r[n]; parallel par (i < n) store r[i] = xs[i] +.f32 1f32;"},
      {"bytes", "kernel p(n) input u8 xs[n]; output u8 r[n]; parallel par (i < n) store r[i] = xs[i];"},
      {"two arrays of two types, one of them from further on",
       "kernel p(n) input f64 xs[n]; output f64 r[n]; output i32 s[n + 3]; { "
       "for (i < 3) store s[i] = 7i32; parallel par (i < n) { store r[i] = xs[i]; store s[i + 3] = 5i32; } }"},
      {"rows",
       "kernel p(n) input i64 xs[n]; output i64 r[n * n]; parallel par (i < n) for (j < n) "
       "store r[i * n + j] = xs[j] + i;"},
      {"rows by lanes",
       "kernel p(n) input i64 xs[n]; output i64 r[n * n]; parallel workgroup (i < n) "
       "parallel local (j < n) store r[i * n + j] = xs[j] + i;"},
      {"sums so far",
       "kernel p(n) input i32 xs[n]; output i32 r[n]; { var i32 acc = 0i32; for (i < n) { "
       "store r[i] = acc; acc = acc +.i32 xs[i]; } }"},
      {"an array of its own, read from the end by other threads",
       "kernel p(n) input f32 xs[n]; output f32 r[n]; { alloc f32 t[n] @global; "
       "parallel par (i < n) store t[i] = xs[i] *.f32 3f32; parallel par (i < n) store r[i] = t[n - 1 - i]; }"},
      {"arrays of each iteration's own",
       "kernel p(n) input f32 xs[n]; output f32 r[n]; parallel par (i < n) with (f32 t[n] @global) { "
       "alloc f32 u[n] @private; for (j < n) store t[j] = xs[j]; for (j < n) store u[j] = t[n - 1 - j]; "
       "store r[i] = u[i]; }"},
      {"beside stores of other places, and under a choice",
       "kernel p(n) input i64 xs[n]; output i64 r[n]; output i64 s[2 * n]; output i64 t[n]; "
       "parallel par (i < n) { store r[i] = xs[i]; store s[2 * i] = 1; store s[2 * i + 1] = 2; "
       "if (xs[i] < 50) store t[i] = 0; else store t[i] = xs[i]; }"},
  };
  return all;
}

}  // namespace

TEST_CASE("loops in parts compute what the interpreter does", "[codegen]") {
  for (const auto& [what, text] : programs())
    for (const std::int64_t n : {0, 1, 15, 16, 17, 64, 101}) {
      INFO(what << ", n = " << n);
      agree(text, n, all_in_parts);
    }
}

TEST_CASE("what is stored one place after another, of an array that the loop does nothing else with, is streamed",
          "[codegen]") {
  CHECK(streams("parallel par (i < n) store r[i] = xs[i];"));
  CHECK(streams("for (i < n) store r[i] = xs[i];"));
  CHECK(streams("for (i < n) store r[i] = xs[0] +.f32 xs[n - 1];"));
  CHECK(streams("for (i < n) store r[i] = xs[n - 1 - i];"));
  CHECK(streams("parallel par (i < n / 4) for (j < 4) store r[i * 4 + j] = xs[i];"));
  CHECK(streams("for (k < 9) for (j < n / 9) store r[n / 9 * k + j] = xs[j];"));
  CHECK(streams("parallel par (k < 9) { var i64 from = n / 9 * k; for (j < n / 9) store r[from + j] = xs[j]; }"));
  for (const char* body : {
           "parallel par (i < n / 3) for (j < 3) store r[i * 3 + j] = xs[i];",
           "parallel par (i < n / 2) store r[i * 2] = xs[i];",
           "parallel par (i < n) store r[n - 1 - i] = xs[i];",
           "parallel par (i < n / 4) for (j < 4) store r[i * 4 + j] = xs[j * (n / 4) + i];",
           "parallel par (i < n) store r[0] = xs[i];",
           "for (i < n) { var i64 k = i; store r[i + k] = xs[i]; }",
           "{ var i64 k = 0; for (i < n) { store r[i + k] = xs[i]; k = k + 1; } }",
           "for (i < n) { var i64 i = 5; store r[i] = xs[i]; }",
           "parallel par (i < n) store r[i] = r[i] +.f32 xs[i];",
           "parallel par (i < n) if (i < 3) store r[i] = xs[i];",
           "for (i < n) { store r[i] = xs[i]; store r[i] = 0f32; }",
           "for (i < n - 3) store r[i] = xs[i : 4];",
           "for (i < n) { check (i < 9) \"!\" \"\" (); store r[i] = xs[i]; }",
           "for (i < n) { store r[i] = xs[i]; while (xs[i] <.f32 0f32) store r[0] = 0f32; }",
           "for (k < 9) parallel par (i < n) store r[i] = xs[i];",  // which each round fills again
           "for (k < 9) for (i < n) store r[i] = xs[i];",
           "{ var i64 k = 0; while (k < 3) { for (i < n) store r[i] = xs[i]; k = k + 1; } }",
           "{ alloc f32 t[64] @private; for (i < 64) store t[i] = xs[i]; store r[0] = t[5]; }",
           "{ alloc f32 t[16385] @global; for (i < 16385) store t[i] = xs[i]; store r[0] = t[5]; }",
       }) {
    INFO(body);
    CHECK_FALSE(streams(body));
  }
  std::string sum = "xs[i]";
  for (int k = 0; k < 50; ++k) sum += " +.f32 xs[i]";
  CHECK_FALSE(streams("parallel par (i < n) store r[i] = " + sum + ";"));
  // what is large enough whatever the sizes are
  CHECK(streams("{ alloc f32 t[8388608] @global; for (i < 8388608) store t[i] = xs[i]; store r[0] = t[5]; }"));
}

TEST_CASE("the loop as it stands runs where an array is small, or is filled by a few at a time", "[codegen]") {
  const std::string text = text_of("parallel par (i < n / 4) for (j < 4) store r[i * 4 + j] = xs[i];");
  CHECK(has(text,
            "if (double(n_) * sizeof *r_ >= LOCKSTEP_LEAST_STREAMED && double(4) * sizeof *r_ >= "
            "LOCKSTEP_LEAST_STREAMED / 32768) {"));
  CHECK(has(text, "} else {\n        for (int64_t j_ = 0; j_ < 4; ++j_) {\n          r_[i_ * 4 + j_] = xs_[i_];"));
  CHECK(has(text, "#define LOCKSTEP_LEAST_STREAMED 33554432\n"));
  CHECK_FALSE(has(text_of("parallel par (i < n) store r[0] = xs[i];"), "STREAMED"));
}

TEST_CASE("each thread fences what it streamed into arrays of others", "[codegen]") {
  CHECK(has(text_of("parallel par (i < n) store r[i] = xs[i];"), "      stream_fence();\n    }\n  } else {"));
  CHECK(has(text_of("for (i < n) store r[i] = xs[i];"), "    }\n    stream_fence();\n  } else {"));
  const std::string rows = text_of("parallel par (i < n / 4) for (j < 4) store r[i * 4 + j] = xs[i];");
  CHECK(has(rows, "#pragma omp for schedule(static) nowait"));
  CHECK(has(rows, "      }\n    }\n    stream_fence();\n  }\n  return 0;"));
  const std::string own =
      text_of("parallel par (i < n) with (f32 t[n] @global) { for (j < n) store t[j] = xs[j]; store r[i] = t[5]; }");
  CHECK(has(own, "stream_all(&t_[from_]"));
  CHECK_FALSE(has(own, "nowait"));
}

}  // namespace codegen_streamed_test
