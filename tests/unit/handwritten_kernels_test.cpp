// The handwritten kernels that ./dev gpu-check times examples against compute what the examples do: on the CPU, on
// whole numbers, of which every order of additions gives the same.
#include <catch2/catch.hpp>

#include "codegen/targets/hip_cpu.h"
#include "tests/bench/gpu/handwritten.h"
#include "tests/unit/dpia_program.h"

namespace handwritten_kernels_test {
using namespace lockstep;

namespace {

struct Given {
  std::vector<std::string> bytes;  // of each input
  Arguments arguments;
};

// Small whole numbers of both signs.
Given given(const PhraseProgram& p, const SizeValues& sizes) {
  Given out;
  out.arguments.sizes = sizes;
  for (const auto& [name, type] : p.parameters) {
    auto leaves = allocate_leaves(type, sizes, name, 0);
    REQUIRE(leaves);
    for (LeafArray& leaf : *leaves)
      for (std::int64_t k = 0; k < count_of(leaf); ++k)
        put_scalar(static_cast<char*>(const_cast<void*>(leaf.data)), leaf.type, k,
                   is_integer(leaf.type) ? make_integer(leaf.type, static_cast<std::uint64_t>(k * k % 37 + k % 5))
                                         : make_ieee(leaf.type, static_cast<double>(k * k % 7) - 3));
    out.arguments.values.push_back(std::move(*leaves));
  }
  return out;
}
std::string shown(const tl::expected<Leaves, Stop>& got) {
  if (!got) return show(got.error());
  std::string out;
  for (const LeafArray& leaf : *got)
    for (std::int64_t k = 0; k < count_of(leaf); ++k) out += show(scalar_at(leaf, k), ieee_domain()) + " ";
  return out;
}
std::string by_hand(const std::string& file, const bench::GpuProgram& p, const Given& g) {
  const HipText text = bench::handwritten_kernels(file, p.hosted.of);
  const auto loaded = load_hip_on_cpu(text.source(), p.hosted.of, p.source.result);
  if (!loaded) return loaded.error().message;
  return shown(loaded->run(g.arguments));
}

}  // namespace

TEST_CASE("handwritten kernels compute what the examples do") {
  const std::vector<std::pair<std::string, SizeValues>> all{{"scal", {{"n", 4099}}},
                                                            {"asum", {{"n", 8192}}},
                                                            {"dot", {{"n", 262144}}},
                                                            {"gemv", {{"m", 19}, {"n", 36}}},
                                                            {"gemv", {{"m", 9}, {"n", 33}}},
                                                            {"reverse", {{"n", 1003}}},
                                                            {"transpose", {{"m", 2}, {"n", 3}}},
                                                            {"reduction", {{"n", 5003}}},
                                                            {"scan", {{"n", 5}}},
                                                            {"matmul", {{"m", 2}, {"k", 2}, {"n", 1}}}};
  for (const auto& [name, sizes] : all) {
    INFO(name);
    const auto p = bench::gpu_example(name + "_gpu", test::calculus());
    const Given g = given(p.source, sizes);
    CHECK(by_hand(name, p, g) == shown(interpret(p.source, g.arguments)));
  }
  const auto p = bench::gpu_example("histogram_atomic_gpu", test::calculus());
  const Given g = given(p.source, {{"n", 10007}});
  CHECK(by_hand("histogram", p, g) == shown(interpret(p.source, g.arguments)));
}

TEST_CASE("a handwritten kernel that is wrong is seen") {
  const auto p = bench::gpu_example("reverse_gpu", test::calculus());
  const Given g = given(p.source, {{"n", 100}});
  CHECK(by_hand("copy", p, g) != shown(interpret(p.source, g.arguments)));
}

}  // namespace handwritten_kernels_test
