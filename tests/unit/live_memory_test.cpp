// What of a block's memory is live at one time, and what places make of it.
#include "props/dpia/live_memory.h"

#include <catch2/catch.hpp>

#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace live_memory_test {
using namespace lockstep;
using namespace lockstep::kernel;
using namespace lockstep::props;

namespace {

// Of one launch.
LiveMemory live(const std::string& body) {
  const Program p = dealt_out_from("kernel p(n) output i64 r[8 * n]; parallel workgroup (g < n) { " + body + " }");
  const std::vector<LiveMemory> all = live_memories(p);
  REQUIRE(all.size() == 1);
  return all[0];
}
// The greatest sets of arrays, each as a word.
std::string greatest(const std::vector<LiveSet>& sets) {
  std::string out;
  const std::int64_t most = greatest_live(sets, {{"n", 2}});
  for (const LiveSet& s : sets) {
    if (evaluate(s.bytes, {{"n", 2}}) != most) continue;
    if (!out.empty()) out += " ";
    for (const std::string& a : s.arrays) out += a;
  }
  return out;
}
std::string in_order(const std::string& body) { return greatest(live(body).in_order); }
std::string between_barriers(const std::string& body) { return greatest(live(body).between_barriers); }

const std::string abc = "alloc i64 a[8] @local; alloc i64 b[8] @local; alloc i64 c[8] @local; ";
// Each thread writes its own element, of what another thread wrote.
std::string step(const std::string& to, const std::string& value) {
  return "parallel local (l < 8) { store " + to + "[l] = " + value + "; } ";
}
std::string result(const std::string& value) { return step("r", value); }

}  // namespace

TEST_CASE("an array is live from its first access to its last") {
  const std::string text = abc + step("a", "l") + "barrier; " + step("b", "a[7 - l]") + "barrier; " +
                           step("c", "b[7 - l]") + "barrier; " + result("c[7 - l]");
  CHECK(in_order(text) == "ab bc");
  CHECK(between_barriers(text) == "ab bc");
  CHECK(greatest_live(live(text).in_order, {}) == 128);
  const std::string again = abc + step("a", "l") + "barrier; " + step("b", "a[7 - l]") + "barrier; " +
                            step("c", "b[7 - l]") + "barrier; " + result("c[7 - l] + a[l]");
  CHECK(in_order(again) == "abc");
  CHECK(in_order("alloc i64 a[8] @local; alloc i64 b[8] @local; " + result("l")) == "");
}

TEST_CASE("arrays are live together where no barrier parts them") {
  const std::string unparted = abc + step("a", "l") + "barrier; " + step("b", "a[7 - l]") + step("c", "l") +
                               "barrier; " + result("b[l] + c[7 - l]");
  CHECK(in_order(unparted) == "ab bc");
  CHECK(between_barriers(unparted) == "abc");
  // A barrier that some do not come to parts nothing; one in the branch that is taken does.
  const auto branch = [](const std::string& inside, const std::string& behind) {
    return abc + step("a", "l") + "if (g < 3) { " + inside + " } else { } " + behind + "barrier; " + result("b[l]");
  };
  CHECK(between_barriers(branch("barrier;", step("b", "l"))) == "ab");
  CHECK(between_barriers(branch("barrier; " + step("b", "l"), "")) == "a b");
  CHECK(between_barriers(branch(step("b", "l") + "barrier; ", "")) == "ab");
  // The first thread needs none.
  const std::string one = "parallel local (l < 1) { store a[0] = 1; } parallel local (k < 1) { store r[g] = a[0]; } ";
  CHECK(between_barriers(abc + one + "parallel local (k < 1) { store b[0] = 1; } ") == "a b");
  CHECK(between_barriers(abc + one + "parallel local (k < 2) { store b[k] = 1; } ") == "ab");
}

TEST_CASE("what a loop accesses is live in all of it, but for what it allocates") {
  const auto loop = [](const std::string& before, const std::string& inside) {
    return before + "for (k < 3) { " + inside + step("a", "l") + "barrier; " + result("a[7 - l]") + "barrier; " +
           step("b", "l") + "barrier; " + result("b[7 - l]") + "barrier; } ";
  };
  const std::string ab = "alloc i64 a[8] @local; alloc i64 b[8] @local; ";
  CHECK(in_order(loop(ab, "")) == "ab ab");
  CHECK(in_order(loop("", ab)) == "a b");
  CHECK(in_order(loop("alloc i64 a[8] @local; ", "alloc i64 b[8] @local; ")) == "ab");
  CHECK(in_order("alloc i64 a[8] @local; " + std::string("alloc i64 b[8] @local; ") + "if (g < 3) { " + step("a", "l") +
                 "} else { " + step("b", "l") + "} ") == "a b");
}

TEST_CASE("each of a block's warps has its own, parted by the warp's barriers") {
  const auto warps = [](const std::string& between) {
    return "kernel p(n) block 64 warp 32 output i64 r[8 * n]; parallel workgroup (g < n) { parallel warp (w < 2) { "
           "alloc i64 a[8] @local; alloc i64 b[8] @local; " +
           step("a", "l") + between + step("b", "l") + "} }";
  };
  const auto of = [&](const std::string& between) { return live_memories(dealt_out_from(warps(between)))[0]; };
  CHECK(greatest_live(of("barrier warp; ").between_barriers, {}) == 128);
  CHECK(greatest_live(of("").between_barriers, {}) == 256);
  CHECK(greatest_live(of("").in_order, {}) == 128);
  // A warp's barrier parts no threads of other warps.
  const auto block = [](const std::string& scope) {
    return between_barriers("alloc i64 a[8] @local; alloc i64 b[8] @local; " + step("a", "l") +
                            "parallel warp (w < 2) { " + scope + step("b", "l") + "} ");
  };
  CHECK(block("barrier warp; ") == "ab");
}

TEST_CASE("the greatest set is told whatever the sizes") {
  const LiveMemory m = live("alloc i64 a[n] @local; alloc i64 b[2 * n] @local; alloc i64 c[8] @local; " +
                            step("a", "l") + "barrier; " + step("b", "a[0]") + "barrier; " + step("c", "b[0]"));
  const std::vector<Size> all = greatest_for_all(m.in_order, {});
  REQUIRE(all.size() == 2);
  CHECK(show(all[0]) == "24*n");
  CHECK(show(all[1]) == "16*n + 64");
}

TEST_CASE("places that have fewer bytes than what is live at one time are told") {
  const auto in_block = [](const std::string& body) {
    return program_from("kernel p(n) output i64 r[8 * n]; parallel workgroup (g < n) { " + body + " }");
  };
  const auto ab = [&](const std::string& arrays, const std::string& b, const std::string& last) {
    return in_block(arrays + step("a", "l") + step(b, "l + 1") + result(last));
  };
  const std::string both = "alloc i64 a[8] @local; alloc i64 b[8] @local; ", one = "alloc i64 a[8] @local; ";
  CHECK_FALSE(overlaid(live_memories(ab(both, "b", "b[l]")), ab(one, "a", "a[l]"), {}));
  CHECK(overlaid(live_memories(ab(both, "b", "b[l] + a[l]")), ab(one, "a", "a[l] + a[l]"), {}) ==
        "kernel 1: a block has 64 bytes, and arrays of 128 are live together");
  CHECK_FALSE(overlaid(live_memories(ab(both, "b", "b[l] + a[l]")), ab(both, "b", "b[l] + a[l]"), {}));
}

}  // namespace live_memory_test
