// Code made of the programs of examples/l0 against C++ loops of the same algorithm, fused by hand, on one thread: both
// on the same arrays, taking turns in one run, the medians of each.
#include <omp.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

#include "proofs/sizes/solver.h"
#include "props/l0/compiled.h"
#include "semantics/l0/parse.h"
#include "semantics/l0/uniqueness.h"
#include "tests/bench/bench.h"
#include "tests/bench/executable.h"
#include "tests/bench/l0_loops.h"
#include "translate/l0/pipeline.h"

namespace lockstep::bench {
namespace {

using Values = lockstep::l0::Values;

lockstep::l0::Value array(std::vector<std::int64_t> lengths, const std::function<std::uint64_t()>& bits,
                          ScalarType type) {
  lockstep::l0::Array a = lockstep::l0::array_of_scalars(type, lockstep::l0::Shape(std::move(lengths)));
  for (std::uint64_t& x : a.data->bits) x = bits();
  return {std::move(a)};
}
template <class T>
const T* data_of(const lockstep::l0::Value& v) {
  return reinterpret_cast<const T*>(lockstep::l0::as_array(v).data->bits.data());
}

// A program of examples/l0 on arguments.
OnCpu compiled(const std::string& name, const Values& arguments,
               lockstep::l0::FusionMode mode = lockstep::l0::FusionMode::Full) {
  const std::string path = std::string(LOCKSTEP_SOURCE_DIR) + "/examples/l0/" + name + ".l0";
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const auto program = lockstep::l0::checked(
      lockstep::l0::parse_program(std::make_shared<const Source>(Source{path, text.str()})).value());
  const lockstep::l0::Entry entry{program.value(), program->functions.back().name};
  const auto last = lockstep::l0::trace_of(entry, mode).last().as<lockstep::l0::Entry>();
  const Calculus calculus = standard_calculus();
  const auto made = lockstep::l0::in_calculus(last, calculus, proofs::z3_size_solver());
  if (!made) throw std::runtime_error(name + ": " + made.error().why);
  return {made->program, calculus, props::l0::arguments_in_calculus(*made, arguments).value()};
}

void same_bytes(const char* what, const void* a, const void* b, std::size_t scalars) {
  if (std::memcmp(a, b, scalars * 8) != 0) throw std::runtime_error(std::string(what) + ": results differ");
}
void against(const std::string& what, const std::function<void()>& loop, const OnCpu& ours, double bar) {
  const Pair t = side_by_side(loop, ours);
  std::printf("  %-58s C++ %8.3f ms   lockstep %8.3f ms\n", what.c_str(), t.first * 1e3, t.second * 1e3);
  row(what + ", over the loop's time", t.second / t.first, "", bar);
}

// Maps, reductions and scans, of which two in three fuse, through all of full fusion.
void fusion_of_a_thousand() {
  const auto seconds = [](int statements) {
    std::string text = "fun int main([int] a) = let s0 = 0 in let p0 = a in ";
    for (int k = 0; k < statements / 4; ++k) {
      const std::string now = std::to_string(k), next = std::to_string(k + 1);
      text += "let x" + now + " = map(op + (" + now + "), p" + now + ") in let y" + now + " = map(op * (3), x" + now +
              ") in let s" + next + " = reduce(op +, s" + now + ", y" + now + ") in let p" + next + " = scan(max, " +
              now + ", p" + now + ") in ";
    }
    const auto parsed = lockstep::l0::parse_program(
        std::make_shared<const Source>(Source{"fusion", text + "s" + std::to_string(statements / 4)}));
    const auto program = lockstep::l0::checked(parsed.value());
    if (!program) throw std::runtime_error("the program of fusion is none");
    return median_of([&] { (void)lockstep::l0::fusions_of({*program, "main"}, lockstep::l0::FusionMode::Full); }, 3);
  };
  const double once = seconds(1000), twice = seconds(2000);
  row("fusion of 1,000 statements of L0", once, " s", 1);
  row("fusion of 2,000 statements, over that of 1,000", twice / once, "", 3);
}

}  // namespace

void l0() {
  std::puts("L0: generated code against C++ loops fused by hand, the same flags, one thread");
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  std::mt19937_64 random(1);
  const auto ints = [&] { return static_cast<std::uint64_t>(static_cast<std::int64_t>(random() % 200) - 100); };
  const auto reals = [&] {
    const double x = 1 + static_cast<double>(random() % 1000) / 1000;
    std::uint64_t bits;
    std::memcpy(&bits, &x, 8);
    return bits;
  };
  {
    const std::int64_t n = 256;
    const Values in{lockstep::l0::int_value(n), array({n, n}, ints, ScalarType::I64),
                    array({n, n}, ints, ScalarType::I64)};
    const OnCpu ours = compiled("matmult", in);
    std::vector<std::int64_t> r(static_cast<std::size_t>(n * n));
    const auto loop = [&] { matmult_loop(data_of<std::int64_t>(in[1]), data_of<std::int64_t>(in[2]), r.data(), n); };
    against("P4, matrix product, n = 256", loop, ours, 1.2);
    same_bytes("P4", r.data(), ours.result(0), r.size());
  }
  {
    const std::int64_t n = std::int64_t{1} << 24;
    const Values in{array({n}, ints, ScalarType::I64)};
    const OnCpu ours = compiled("maximum_segment_sum", in);
    const OnCpu unfused = compiled("maximum_segment_sum", in, lockstep::l0::FusionMode::Off);
    std::int64_t r = 0;
    const auto loop = [&] { r = maximum_segment_sum_loop(data_of<std::int64_t>(in[0]), n); };
    against("P5, maximum segment sum, n = 2^24", loop, ours, 1.1);
    same_bytes("P5", &r, ours.result(0), 1);
    const Pair t = side_by_side(unfused, ours, 7);
    row("P5, the program that is not fused over the one that is", t.first / t.second, "", 2, true);
  }
  {
    const std::int64_t n = 400;
    Values in{array({n, n}, reals, ScalarType::F64)};
    auto& bits = lockstep::l0::as_array(in[0]).data->bits;
    const double large = 1000;
    for (std::int64_t k = 0; k < n; ++k) std::memcpy(&bits[static_cast<std::size_t>(k * n + k)], &large, 8);
    const OnCpu ours = compiled("lu", in);
    const auto all = static_cast<std::size_t>(n * n);
    std::vector<double> w(all), l(all), u(all);
    const auto loop = [&] { lu_loop(data_of<double>(in[0]), w.data(), l.data(), u.data(), n); };
    against("LU, n = 400", loop, ours, 1.2);
    same_bytes("L", l.data(), ours.result(0), all);
    same_bytes("U", u.data(), ours.result(1), all);
  }
  {
    const std::int64_t n = std::int64_t{1} << 20;
    Values in;
    for (int k = 0; k < 4; ++k) in.push_back(array({n}, reals, ScalarType::F64));
    for (std::uint64_t& x : lockstep::l0::as_array(in[1]).data->bits) {
      const double large = 8;
      std::memcpy(&x, &large, 8);
    }
    const OnCpu ours = compiled("tridag", in);
    std::vector<double> d(static_cast<std::size_t>(n)), z(static_cast<std::size_t>(n));
    const auto loop = [&] {
      tridag_loop(data_of<double>(in[0]), data_of<double>(in[1]), data_of<double>(in[2]), data_of<double>(in[3]),
                  d.data(), z.data(), n);
    };
    against("TRIDAG, n = 2^20", loop, ours, 1.2);
    same_bytes("TRIDAG", z.data(), ours.result(0), z.size());
  }
  fusion_of_a_thousand();
  omp_set_num_threads(threads);
}

}  // namespace lockstep::bench
