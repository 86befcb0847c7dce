// Code made of the programs of examples/fcl against a memcpy of as many bytes with as many threads (fcl.md §4): both on
// the same arrays, taking turns in one run, the medians of each.
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include "proofs/sizes/solver.h"
#include "props/dpia/lowered_arguments.h"
#include "semantics/fcl/parse.h"
#include "semantics/fcl/prelude.h"
#include "tests/bench/bench.h"
#include "tests/bench/executable.h"
#include "translate/fcl/lower/lower.h"
#include "translate/fcl/pipeline.h"

namespace lockstep::bench {
namespace {

SourceRef source(const std::string& text) { return std::make_shared<const Source>(Source{"bench", text}); }

OnCpu compiled(const std::string& file, const std::string& definition, const Leaves& arguments) {
  std::ifstream in(std::string(LOCKSTEP_SOURCE_DIR) + "/examples/fcl/" + file + ".fcl");
  std::stringstream text;
  text << in.rdbuf();
  fcl::Entry e{fcl::typed(fcl::parse_program(source(text.str())).value()).value(), definition};
  for (const auto& o : fcl::scheme_of(e).types) e.instance.types.emplace(o.name, *fcl::parse_type(source("int")));
  const fcl::Traced traced = fcl::trace_of(e);
  const Calculus calculus = standard_calculus();
  const auto made = fcl::in_calculus(traced.trace.last().as<fcl::Entry>(), calculus, proofs::z3_size_solver());
  if (!made) throw std::runtime_error(file + ": " + made.error().why);
  return {made->program, calculus, props::arguments_in_calculus(*made, arguments).value()};
}

LeafArray ints(std::int64_t n, const std::function<std::int32_t(std::int64_t)>& at) {
  Leaves out = allocate_leaves(lockstep::array(Size(n), Type{ScalarType::I32}), {}, "a benchmark's array").value();
  auto* data = static_cast<std::int32_t*>(writable(out)[0]);
  for (std::int64_t k = 0; k < n; ++k) data[k] = at(k);
  return out[0];
}
LeafArray one(std::int32_t n) {
  LeafArray out = ints(1, [n](std::int64_t) { return n; });
  out.shape.clear();
  return out;
}

// What the program gives is compared with `expected`, then it takes turns with the copy. The bars are of times the
// copy's.
void against_copy(const std::string& what, const OnCpu& ours, const std::vector<std::int32_t>& expected,
                  const LeafArray& in, double bar) {
  ours();
  if (std::memcmp(ours.result(0), expected.data(), expected.size() * 4) != 0)
    throw std::runtime_error(what + ": a wrong result");
  const auto bytes = static_cast<std::size_t>(count_of(in)) * 4;
  std::vector<char> copy(bytes);
  const auto* from = static_cast<const char*>(in.data);
  const auto copies = [&] {
#pragma omp parallel
    {
      const auto threads = static_cast<std::size_t>(omp_get_num_threads());
      const std::size_t part = bytes / threads, first = part * static_cast<std::size_t>(omp_get_thread_num());
      std::memcpy(copy.data() + first, from + first, part);
    }
  };
  const Pair t = side_by_side(copies, ours, 41);
  std::printf("  %-58s memcpy %7.3f ms   lockstep %7.3f ms\n", what.c_str(), t.first * 1e3, t.second * 1e3);
  row(what + ", the copy's time over its", t.first / t.second, "", bar, true);
}

}  // namespace

void fcl() {
  constexpr std::int64_t n = std::int64_t{1} << 24, side = 4096;
  const int most = omp_get_max_threads();
  const LeafArray in = ints(n, [](std::int64_t k) { return static_cast<std::int32_t>(k * 2654435761 >> 7); });
  const auto* x = static_cast<const std::int32_t*>(in.data);
  std::vector<std::int32_t> reversed(x, x + n), transposed(static_cast<std::size_t>(n)), sums;
  std::reverse(reversed.begin(), reversed.end());
  for (std::int64_t k = 0; k < n; ++k) transposed[static_cast<std::size_t>(k)] = x[k % side * side + k / side];
  for (std::int64_t k = 0; k < n; k += 512) {
    std::uint32_t sum = 0;
    for (std::int64_t j = k; j < k + 512; ++j) sum += static_cast<std::uint32_t>(x[j]);
    sums.push_back(static_cast<std::int32_t>(sum));
  }
  for (int threads = 1; threads <= most; threads *= 2) {
    omp_set_num_threads(threads);
    std::printf("FCL: 2^24 ints against a memcpy of as many bytes, threads: %d\n", threads);
    against_copy("reverse", compiled("reverse", "revDistribute", {one(256), in}), reversed, in, 0.95);
    against_copy("reduction, of blocks of 512", compiled("reduction", "sum", {in}), sums, in, 0.95);
    for (const std::int32_t tile : {16, 32, 64, 128})
      against_copy("transpose, tiles of " + std::to_string(tile),
                   compiled("transpose", "transposeTiled", {one(tile), one(side), one(side), in}), transposed, in, 0.8);
  }
  omp_set_num_threads(most);
}

}  // namespace lockstep::bench
