// Array words that kernels move: what is said for all sizes is what the interpreter counts.
#include <catch2/catch.hpp>

#include "proofs/sizes/solver.h"
#include "props/dpia/comparison.h"
#include "props/l0/compiled.h"
#include "props/l0/generate.h"
#include "semantics/kernel/language.h"
#include "semantics/kernel/run.h"
#include "semantics/kernel/words_moved.h"
#include "tests/unit/kernel_program.h"
#include "tests/unit/l0_program.h"
#include "translate/dpia/stage.h"
#include "translate/l0/lower/lower.h"
#include "translate/l0/pipeline.h"

namespace words_moved_test {
using namespace lockstep;

namespace {

std::string said(const std::string& body) {
  const auto w = kernel::words_moved(kernel::program_from(
      "kernel p(n, m) input f32 x[n]; input i64 d[n]; output f32 r[n]; output f32 s[n * m]; { " + body + " }"));
  return w ? show(*w) : "data decides";
}

}  // namespace

TEST_CASE("words are summed over loops, also where a loop is as long as another's variable says") {
  CHECK(said("for (i < n) { store r[i] = x[i]; }") == "2*n");
  CHECK(said("for (i < n) { for (j < m) { store s[i * m + j] = x[i] +.f32 x[i]; } }") == "3*m*n");
  CHECK(said("for (i < n) { for (j < i) { store r[j] = 0f32; } }") == "(n*n + n)/2 - n");
  CHECK(said("for (i < n) { for (j < i) { for (k < j) { store r[k] = 0f32; } } }") == "(n*n*n + 3*n*n + 2*n)/6 - n*n");
  CHECK(said("var i64 t = n -.i64 1; if (0 < n) { for (i < n) { store r[i] = 0f32; } } else { }") == "n");
  CHECK(said("if (0 < n) { store r[0] = 0f32; } else { store r[0] = 1f32; }") == "1");
}

TEST_CASE("what data decides is said to be so") {
  CHECK(said("for (i < d[0]) { store r[i] = 0f32; }") == "data decides");
  CHECK(said("if (d[0] <.i64 2) { store r[0] = 0f32; } else { }") == "data decides");
  CHECK(said("store r[0] = (d[0] <.i64 2 ? x[0] : 0f32);") == "data decides");
  CHECK(said("for (i < n - 1) { store r[i] = 0f32; }") == "data decides");  // n may be 0
}

TEST_CASE("the words of the programs of L0 are those that the kernel's interpreter counts, exactly") {
  for (const char* name : {"matmult", "lu", "tridag", "shortest_paths", "maximum_segment_sum"}) {
    INFO(name);
    const l0::Program p = test::l0_program(test::l0_example(name));
    const l0::Function& f = p.functions.back();
    const l0::Entry last = l0::trace_of({p, f.name}).last().as<l0::Entry>();
    const auto made = l0::in_calculus(last, standard_calculus(), proofs::z3_size_solver());
    REQUIRE(made);
    const kernel::Program k = dpia_trace(made->program, standard_calculus(), Machine::Cpu).kernel();
    const auto words = kernel::words_moved(k);
    REQUIRE(words);
    INFO(show(*words));
    std::size_t ran = 0;
    for (std::uint64_t seed = 0; seed < 400 && ran < 8; ++seed) {
      const auto arguments = props::l0::arguments_in_calculus(*made, props::l0::random_arguments(f, seed));
      if (!arguments) continue;
      Counted counted{};
      kernel::RunOptions how;
      how.counted = &counted;
      const auto buffers = kernel::buffers_of(k, {arguments->sizes, {}, [&] { return props::scalars_of(*arguments); }});
      const auto got = kernel::run(k, arguments->sizes, buffers, ieee_domain(), how);
      if (!got) continue;  // it traps
      ++ran;
      INFO(show(arguments->sizes));
      CHECK(evaluate(*words, arguments->sizes) == counted.words);
    }
    CHECK(ran == 8);
  }
}

}  // namespace words_moved_test
