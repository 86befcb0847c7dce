// What a kernel costs on a GPU: transposes against numbers found by hand, examples and random programs against the
// interpreter's count; and wrong models, which the count refutes.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "props/dpia/generate.h"
#include "props/dpia/gpu_costs.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/print.h"
#include "tests/unit/dpia_program.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace gpu_cost_test {
using namespace lockstep;
using namespace lockstep::kernel;

namespace {

Buffers inputs_of(const Program& p, const SizeValues& sizes, std::uint64_t seed) {
  props::Random random(seed);
  Buffers out;
  for (const Buffer& b : p.inputs) {
    const std::int64_t below = b.below ? *evaluate(*b.below, sizes) : 0;
    std::vector<Scalar>& xs = out[b.name];
    for (std::int64_t k = 0; k < *evaluate(b.count, sizes); ++k) {
      const std::int64_t v = below > 0 ? random.below(below) : random.below(7);
      xs.push_back(is_float(b.type.scalar)             ? make_ieee(b.type.scalar, static_cast<double>(v))
                   : b.type.scalar == ScalarType::Bool ? make_bool(v > 2)
                                                       : make_integer(b.type.scalar, static_cast<std::uint64_t>(v)));
    }
  }
  return out;
}

// Nothing where the program traps.
std::optional<std::string> differences(const Program& p, const SizeValues& sizes, const GpuModel& said_of = {}) {
  const auto lines = props::gpu_cost_differences(p, sizes, inputs_of(p, sizes, 1), ieee_domain(), said_of);
  if (!lines) return {};
  std::string out;
  for (const std::string& line : *lines) out += line + "\n";
  return out;
}

// "read of a: 4 sectors", "at most" where that is all that is known.
std::vector<std::string> said(const GpuCost& cost) {
  std::vector<std::string> out;
  for (const GpuAccess& a : cost.accesses)
    out.push_back((a.write ? "write " : "read ") + a.buffer + ": " + (a.cost.exact ? "" : "at most ") +
                  std::to_string(a.cost.count) + (a.place == Place::Global ? " sectors" : " turns"));
  return out;
}
using Lines = std::vector<std::string>;

// Tiles of t by t by way of the block's memory, whose rows are `stride` apart; warps take rows of t lanes.
std::string by_rows(int t, int stride, const std::string& launch) {
  const std::string T = std::to_string(t), S = std::to_string(stride);
  return "kernel tiled(m, n)" + launch + " input f32 a[m * " + T + "][n * " + T + "]; output f32 r[n * " + T +
         "][m * " + T + "]; parallel workgroup (g < m * n) { alloc f32 tile[" + std::to_string(t * stride) +
         "] @local; parallel warp (w < " + T + ") parallel local (l < " + T + ") store tile[w * " + S +
         " + l] = a[(g / n * " + T + " + w) * (n * " + T + ") + g % n * " + T + " + l]; barrier; parallel warp (v < " +
         T + ") parallel local (k < " + T + ") store r[(g % n * " + T + " + v) * (m * " + T + ") + g / n * " + T +
         " + k] = tile[k * " + S + " + v]; }";
}
// The same with a local loop over all of the tile, so that a warp of 32 takes two rows of 16.
std::string by_elements(int t, int stride) {
  const std::string T = std::to_string(t), S = std::to_string(stride), all = std::to_string(t * t);
  return "kernel tiled(m, n) block 256 warp 32 input f32 a[m * " + T + "][n * " + T + "]; output f32 r[n * " + T +
         "][m * " + T + "]; parallel workgroup (g < m * n) { alloc f32 tile[" + std::to_string(t * stride) +
         "] @local; parallel local (l < " + all + ") store tile[l / " + T + " * " + S + " + l % " + T +
         "] = a[(g / n * " + T + " + l / " + T + ") * (n * " + T + ") + g % n * " + T + " + l % " + T +
         "]; barrier; parallel local (k < " + all + ") store r[(g % n * " + T + " + k / " + T + ") * (m * " + T +
         ") + g / n * " + T + " + k % " + T + "] = tile[k % " + T + " * " + S + " + k / " + T + "]; }";
}
const std::string naive =
    "kernel naive(m, n) input f32 a[m * 32][n * 32]; output f32 r[n * 32][m * 32]; parallel global (i < n * 32) "
    "for (k < m * 32) store r[i * (m * 32) + k] = a[k * (n * 32) + i];";

Lines accesses_of(const std::string& text) {
  const Program p = dealt_out_from(text);
  REQUIRE(check(p).empty());
  for (const SizeValues& sizes : {SizeValues{{"m", 1}, {"n", 2}}, SizeValues{{"m", 0}, {"n", 1}}})
    CHECK(differences(p, sizes) == std::optional<std::string>(""));
  return said(gpu_cost(p));
}
Lines tiled(int reading_turns, int sectors = 4, int writing_turns = 1) {
  const std::string s = std::to_string(sectors) + " sectors";
  return {"read a: " + s, "write tile: " + std::to_string(writing_turns) + " turns",
          "read tile: " + std::to_string(reading_turns) + " turns", "write r: " + s};
}

}  // namespace

// 32 neighbours of 4 bytes are 4 sectors of 32; 32 rows are 32.
TEST_CASE("a naive transpose reads in 4 sectors and writes in 32, at every size") {
  CHECK(accesses_of(naive) == Lines{"read a: 4 sectors", "write r: 32 sectors"});
  // Of matrices that are no multiples of a tile the rows begin anywhere in a sector, and may be short.
  const Program any = dealt_out_from(
      "kernel naive(m, n) input f32 a[m][n]; output f32 r[n][m]; parallel global (i < n) for (k < m) store r[i * m + "
      "k] = a[k * n + i];");
  CHECK(said(gpu_cost(any)) == Lines{"read a: at most 5 sectors", "write r: at most 32 sectors"});
  CHECK(said(gpu_cost(any, {}, {{"m", 16}, {"n", 64}})) == Lines{"read a: 4 sectors", "write r: 32 sectors"});
  CHECK(said(gpu_cost(any, {}, {{"m", 2}, {"n", 64}})) == Lines{"read a: 4 sectors", "write r: at most 9 sectors"});
  for (const SizeValues& sizes : {SizeValues{{"m", 3}, {"n", 37}}, SizeValues{{"m", 16}, {"n", 64}},
                                  SizeValues{{"m", 2}, {"n", 64}}, SizeValues{{"m", 9}, {"n", 1}}})
    CHECK(differences(any, sizes) == std::optional<std::string>(""));
}

// A column of a tile of 32: all of its 32 words in one bank. Rows 33 apart: word 33 * l + v lies in bank (l + v) % 32.
TEST_CASE("a tile of 32 has 32-way conflicts, and none padded to 33, at every size") {
  CHECK(accesses_of(by_rows(32, 32, " block 1024 warp 32")) == tiled(32));
  CHECK(accesses_of(by_rows(32, 33, " block 1024 warp 32")) == tiled(1));
  CHECK(accesses_of(by_rows(32, 33, " block 128 warp 32")) == tiled(1));
}

// Rows turned by their number: column v of row l lies in bank (l + v) % 32, whatever is around. Of a tile of 16 that is
// not said exactly: rows 16 apart are in two halves of the banks.
TEST_CASE("a tile of 32 whose rows are turned has no conflicts, at every size") {
  const auto turned = [](const std::string& t, const std::string& launch) {
    return "kernel turned(m, n)" + launch + " input f32 a[m * " + t + "][n * " + t + "]; output f32 r[n * " + t +
           "][m * " + t + "]; parallel workgroup (g < m * n) { alloc f32 tile[" + t + " * " + t +
           "] @local; parallel warp (w < " + t + ") parallel local (l < " + t + ") store tile[w * " + t +
           " + (w + l) % " + t + "] = a[(g / n * " + t + " + w) * (n * " + t + ") + g % n * " + t +
           " + l]; barrier; parallel warp (v < " + t + ") parallel local (k < " + t + ") store r[(g % n * " + t +
           " + v) * (m * " + t + ") + g / n * " + t + " + k] = tile[k * " + t + " + (k + v) % " + t + "]; }";
  };
  CHECK(accesses_of(turned("32", " block 1024 warp 32")) == tiled(1));
  CHECK(accesses_of(turned("32", " block 128 warp 32")) == tiled(1));
  CHECK(accesses_of(turned("16", " block 256 warp 16"))[1].starts_with("write tile: at most"));
}

// A column of a tile of 16: words 16 * l + v, in banks v and 16 + v, eight in each. Half a warp, two sectors.
TEST_CASE("a tile of 16 has 8-way conflicts, and none padded to 17 where a warp takes 16") {
  CHECK(accesses_of(by_rows(16, 16, " block 256 warp 16")) == tiled(8, 2));
  CHECK(accesses_of(by_rows(16, 16, " block 256 warp 32")) == tiled(8, 2));
  CHECK(accesses_of(by_rows(16, 17, " block 256 warp 16")) == tiled(1, 2));
}

// A warp of 32 takes two rows. Padded to 17: lane 15 of the second asks for word 17 * 15 + 1 = 256, in bank 0, as lane
// 0 of the first does for word 0. Padded to 18, a column has the even banks and the next one the odd ones; but of the
// rows that are written the second has banks 18, ..., 31, 0, 1, and the first 0 and 1. Rows 16 banks apart are in
// columns 16 banks apart.
TEST_CASE("a tile of 16 that a warp takes two rows of at a time has conflicts with every padding") {
  CHECK(accesses_of(by_elements(16, 16)) == tiled(8, 4));
  CHECK(accesses_of(by_elements(16, 17)) == tiled(2, 4, 2));
  CHECK(accesses_of(by_elements(16, 18)) == tiled(1, 4, 2));
  for (int stride = 16; stride < 48; ++stride) {
    const Lines all = said(gpu_cost(dealt_out_from(by_elements(16, stride))));
    CHECK_FALSE((all[1] == "write tile: 1 turns" && all[2] == "read tile: 1 turns"));
  }
}

// Branches, barriers, occupancy: of two warps one has lanes on both sides.
TEST_CASE("branches, barriers and memory are counted as the threads come to them") {
  const Program p = dealt_out_from(
      "kernel p(n) block 64 warp 32 input i64 x[n * 64]; output i64 r[n * 64]; parallel workgroup (g < n) { alloc i64 "
      "s[64] @local; for (k < 3) { parallel local (l < 64) store s[l] = x[g * 64 + l] +.i64 k; barrier; } parallel "
      "local (l < 64) with (i64 t[2] @private) { store t[l % 2] = s[63 - l]; if (l < 40) store r[g * 64 + l] = "
      "t[l % 2]; else store r[g * 64 + l] = 0; } }");
  REQUIRE(check(p).empty());
  const GpuCost cost = gpu_cost(p);
  REQUIRE(cost.kernels.size() == 1);
  const GpuKernel& k = cost.kernels[0];
  CHECK(show(k.blocks.n) == "n");
  CHECK(k.threads == 64);
  CHECK(show(k.block_bytes.n) == "512");
  CHECK(show(k.thread_bytes.n) == "16");
  CHECK(show(k.barriers.n) == "3");
  REQUIRE(cost.branches.size() == 1);
  CHECK(cost.branches[0].may_part);
  CHECK(show(cost.branches[0].issues.n) == "2*n");
  CHECK(differences(p, {{"n", 2}}) == std::optional<std::string>(""));
  const auto counted = count_warps(p, {{"n", 2}}, inputs_of(p, {{"n", 2}}, 1), ieee_domain());
  REQUIRE(counted);
  CHECK(counted->branches.at(0).issues == 4);
  CHECK(counted->branches.at(0).parted == 2);
  CHECK(counted->barriers == 6);
  // Of 8 bytes a half of the warp is served at a time: 2 turns are without conflict. 32 of them are 8 sectors.
  CHECK(said(cost)[1] == "write s: 2 turns");
  CHECK(said(cost)[0] == "read x: 8 sectors");
}

TEST_CASE("bytes, vectors, one word for all, strides, and indices read from data") {
  const auto of = [](const std::string& body) {
    const Program p = dealt_out_from(
        "kernel p(n) block 32 warp 32 input u8 b[n * 4096]; input f32 v[n * 4096]; input i64 x[n * 4096]; output f32 "
        "r[n * 32]; parallel workgroup (g < n) { alloc f32 s[4096] @local; alloc u8 c[4096] @local; " +
        body + " }");
    REQUIRE(check(p).empty());
    CHECK(differences(p, {{"n", 2}}) == std::optional<std::string>(""));
    return said(gpu_cost(p));
  };
  const std::string rest = "parallel local (l < 32) store r[g * 32 + l] = 0f32; ";
  const std::string lanes = "parallel local (l < 32) ";
  CHECK(of(lanes + "store c[l] = b[g * 4096 + l]; " + rest)[0] == "read b: 1 sectors");
  CHECK(of(lanes + "store c[l] = b[g * 4096 + l + 1]; " + rest)[0] == "read b: 2 sectors");
  CHECK(of(lanes + "store c[l] = b[g * 4096 + l * 4]; " + rest)[0] == "read b: 4 sectors");
  CHECK(of(lanes + "store c[l] = b[g * 4096 + l]; " + rest)[1] == "write c: 1 turns");
  CHECK(of(lanes + "store c[l * 128] = b[l]; " + rest)[1] == "write c: 32 turns");
  CHECK(of(lanes + "store s[l * 4] = v[7]; " + rest)[0] == "read v: 1 sectors");
  CHECK(of(lanes + "store s[l * 4] = v[7]; " + rest)[1] == "write s: 4 turns");
  CHECK(of(lanes + "store s[l * 4] = v[g * 4096 + l * 4 : 4]; " + rest)[0] == "read v: 16 sectors");
  CHECK(of(lanes + "store s[l * 4] = v[g * 4096 + l * 4 : 4]; " + rest)[1] == "write s: 4 turns");
  CHECK(of(lanes + "store s[l] = v[x[l]]; " + rest)[1] == "read v: at most 32 sectors");
  // Between local loops: one thread stores, all threads read.
  CHECK(of("store s[0] = v[g]; barrier; for (k < 4) if (v[k] <.f32 s[0]) { } " + rest) ==
        Lines{"read v: 1 sectors", "write s: 1 turns", "read v: 1 sectors", "read s: 1 turns", "write r: 4 sectors"});
}

TEST_CASE("where a condition is known of each lane its sides have lanes of their own") {
  const auto of = [](const std::string& launch, const std::string& body) {
    const Program p = dealt_out_from("kernel p(n)" + launch +
                                     " input f32 x[n * 64]; output f32 r[n * 64]; parallel "
                                     "workgroup (g < n) { alloc f32 s[64] @local; parallel local (l < 64) { " +
                                     body + " } barrier; parallel local (k < 64) store r[g * 64 + k] = s[k]; }");
    REQUIRE(check(p).empty());
    for (const std::int64_t n : {0, 1, 3}) CHECK(differences(p, {{"n", n}}) == std::optional<std::string>(""));
    Lines out;
    const GpuCost cost = gpu_cost(p);
    for (const GpuAccess& a : cost.accesses)
      if (!a.write && a.buffer == "x")
        out.push_back((a.issues.exact ? "" : "at most ") + show(a.issues.n) + " times " +
                      (a.cost.exact ? "" : "at most ") + std::to_string(a.cost.count) + " sectors in " +
                      std::to_string(a.lanes.size()) + " lanes");
    for (const GpuBranch& b : cost.branches) out.push_back(b.may_part ? "may part" : "parts nobody");
    return out;
  };
  const std::string halves = "store s[l] = (l % 32 < 8 ? x[l] : x[g * 64 + l]);", whole = " block 64 warp 32";
  CHECK(of(whole, halves) == Lines{"2*n times 1 sectors in 8 lanes", "2*n times 3 sectors in 24 lanes", "may part"});
  CHECK(of(whole, "store s[l] = (l < 64 ? x[l] : x[0]);") ==
        Lines{"2*n times 4 sectors in 32 lanes", "0 times 1 sectors in 32 lanes", "parts nobody"});
  CHECK(of(whole, "store s[l] = (x[l] <.f32 1f32 ? x[g * 64 + l] : 0f32);") ==
        Lines{"2*n times 4 sectors in 32 lanes", "at most 2*n times at most 4 sectors in 32 lanes", "may part"});
  CHECK(of(whole, "if (g < 1) store s[l] = x[l]; else store s[l] = 0f32;") ==
        Lines{"at most 2*n times 4 sectors in 32 lanes", "parts nobody"});
  CHECK(of(whole, "var f32 a; a = 0f32; for (k < l / 8) a = x[l]; store s[l] = a;") ==
        Lines{"at most 14*n times at most 4 sectors in 32 lanes"});
  CHECK(of(" block 48 warp 32", "store s[l] = (l % 16 < 8 ? x[l] : x[g * 64 + l]);").back() == "may part");
}

TEST_CASE("of a last warp that is not whole some lanes may be missing, the first is not") {
  const Program p = dealt_out_from(
      "kernel p(n) input f32 x[n]; output f32 r[n]; parallel global (i < n) store r[i] = (i % 32 < 8 ? x[i] : 0f32 "
      "+.f32 x[i]);");
  for (const std::int64_t n : {0, 1, 5, 8, 9, 32, 37, 64})
    CHECK(differences(p, {{"n", n}}) == std::optional<std::string>(""));
  const GpuCost cost = gpu_cost(p);
  CHECK(cost.accesses.at(0).issues.exact);
  CHECK_FALSE(cost.accesses.at(1).issues.exact);
  const GpuCost at_64 = gpu_cost(p, {}, {{"n", 64}});
  CHECK(at_64.accesses.at(1).issues.exact);
}

TEST_CASE("rows that may meet at some size are not said to be apart") {
  const auto of = [](const std::string& index) {
    const Program p = dealt_out_from(
        "kernel p(m, n) block 32 warp 32 input f32 x[m * n * 128]; output f32 r[32]; parallel workgroup (g < 1) "
        "parallel "
        "local (l < 32) store r[l] = x[" +
        index + "];");
    REQUIRE(check(p).empty());
    for (const std::int64_t m : {1, 2, 3})
      for (const std::int64_t n : {1, 2, 3})
        CHECK(differences(p, {{"m", m}, {"n", n}}) == std::optional<std::string>(""));
    return said(gpu_cost(p)).front();
  };
  // Rows of a sector, 16*n - 16*m apart; of two sectors, one and two apart at least; of half a one, in one sector.
  CHECK(of("l / 8 * (n * 16) + (3 - l / 8) * (m * 16) + l % 8") == "read x: at most 4 sectors");
  CHECK(of("l / 16 * (n * 8) + l % 16") == "read x: at most 4 sectors");
  CHECK(of("l / 16 * (n * 16) + l % 16") == "read x: 4 sectors");
  CHECK(of("l / 16 * (n * 16 + m) + l % 16") == "read x: at most 5 sectors");
  CHECK(of("l / 16 * (n * 24 + m) + l % 16") == "read x: at most 5 sectors");
  CHECK(of("l / 4 * (n * 4) + l % 4") == "read x: at most 8 sectors");
}

TEST_CASE("launches whose blocks are not whole warps") {
  for (const std::string launch : {" block 6 warp 4", " block 3 warp 4", " block 12 warp 8", " block 5 warp 1", ""})
    for (const std::int64_t n : {0, 1, 5, 13}) {
      INFO(launch << " of " << n);
      const auto same = [&](const std::string& body) {
        const Program p =
            dealt_out_from("kernel p(n)" + launch + " input f32 x[n * 64]; output f32 r[n * 64]; " + body);
        REQUIRE(check(p).empty());
        CHECK(differences(p, {{"n", n}}) == std::optional<std::string>(""));
      };
      same("parallel global (i < n * 64) store r[i] = x[i];");
      same("parallel workgroup (g < n) parallel local (l < 64) store r[g * 64 + l] = x[g * 64 + l];");
      same(
          "parallel workgroup (g < n) parallel warp (w < 4) parallel local (l < 16) store r[g * 64 + w * 16 + l] = "
          "x[g * 64 + l * 4 + w];");
      same(
          "parallel workgroup (g < n) parallel warp (w < 4) { alloc f32 s[16] @local; store s[0] = x[w]; parallel "
          "local (l < 15) store s[l + 1] = x[l]; barrier warp; parallel local (k < 16) store r[g * 64 + w * 16 + k] = "
          "s[15 - k]; }");
    }
}

TEST_CASE("wrong models are refuted by the count") {
  const SizeValues sizes{{"m", 1}, {"n", 1}};
  const Program tile = dealt_out_from(by_rows(32, 32, " block 1024 warp 32")), rows = dealt_out_from(naive);
  CHECK(differences(tile, sizes) == std::optional<std::string>(""));
  const auto refuted = [&](const Program& p, const GpuModel& m, const std::string& by) {
    CHECK_THAT(differences(p, sizes, m).value(), Catch::Matchers::Contains(by));
  };
  refuted(rows, {64, 32, 4}, "by 32 lanes: at most 2 = 2, counted 4");
  refuted(rows, {16, 32, 4}, "by 32 lanes, the most: 8 = 8, counted 4");
  refuted(dealt_out_from(by_rows(32, 33, " block 1024 warp 32")), {32, 16, 4},
          "by 32 lanes, the most: 2 = 2, counted 1");
  refuted(dealt_out_from(by_rows(16, 16, " block 256 warp 16")), {32, 16, 4},
          "by 16 lanes, the most: 16 = 16, counted 8");
  refuted(dealt_out_from(by_elements(16, 17)), {32, 32, 8}, "tile");
  // Barriers and issues that are not there.
  GpuCost said = gpu_cost(tile);
  said.kernels[0].barriers.n = said.kernels[0].barriers.n + 1;
  said.accesses[1].issues.n = said.accesses[1].issues.n - 1;
  const auto counted = count_warps(tile, sizes, inputs_of(tile, sizes, 1), ieee_domain());
  REQUIRE(counted);
  CHECK(props::refuted_gpu_costs(said, *counted, sizes).size() == 2);
}

TEST_CASE("programs with a GPU's strategy cost what the interpreter counts") {
  const auto kernel_of = [](const std::string& file, const std::string& function) {
    std::stringstream text;
    text << std::ifstream(LOCKSTEP_SOURCE_DIR "/" + file + ".dpia").rdbuf();
    const auto e = test::elaborated(text.str());
    REQUIRE(e);
    for (const PhraseProgram& p : e->entries)
      if (p.name == function) return dpia_trace(p, test::calculus(), Machine::Gpu).kernel();
    throw std::runtime_error("no " + function);
  };
  const auto same = [&](const std::string& file, const std::string& function, const SizeValues& sizes) {
    const Program p = kernel_of(file, function);
    INFO(function << ", " << show(sizes));
    CHECK(differences(p, sizes) == std::optional<std::string>(""));
    return said(gpu_cost(p));
  };
  const std::string tiles = "tests/golden/transpose_padded";
  CHECK(same("examples/transpose_gpu", "transpose_gpu", {{"m", 1}, {"n", 2}}) ==
        Lines{"read a: 4 sectors", "write tmp: 1 turns", "read tmp: 32 turns", "write output: 4 sectors"});
  same("examples/transpose_gpu", "transpose_gpu", {{"m", 2}, {"n", 0}});
  // The 33rd column of a tile is read where the first is, a second round of one lane.
  CHECK(same(tiles, "padded32", {{"m", 2}, {"n", 1}}) == Lines{"read a: at most 4 sectors", "read a: at most 4 sectors",
                                                               "write tmp: 1 turns", "read tmp: 1 turns",
                                                               "write output: 4 sectors"});
  CHECK(same(tiles, "tiled16", {{"m", 2}, {"n", 3}}) ==
        Lines{"read a: 2 sectors", "write tmp: 1 turns", "read tmp: 8 turns", "write output: 2 sectors"});
  CHECK(same(tiles, "padded16", {{"m", 2}, {"n", 3}}) == Lines{"read a: 2 sectors", "read a: 1 sectors",
                                                               "write tmp: 1 turns", "read tmp: 1 turns",
                                                               "write output: 2 sectors"});
  same("examples/transpose", "transpose_of", {{"m", 5}, {"n", 40}});
  same("examples/asum_gpu", "asum_gpu", {{"n", 8192}});
  same("examples/scan_gpu", "scan_gpu", {{"n", 2}});
  same("examples/gemv", "gemv", {{"m", 40}, {"n", 3}});
  same("examples/histogram", "histogram", {{"n", 40}});
  same("examples/matmul_tiled", "matmul_tiled", {{"m", 8}, {"k", 3}, {"n", 32}});
}

TEST_CASE("random programs cost what the interpreter counts, at several launches") {
  std::size_t compared = 0, exact = 0, all = 0;
  for (std::uint64_t k = 0; k < 300; ++k) {
    const auto made = infer(props::generate_program(props::seed_of(77, k)), test::calculus(),
                            [](const auto&, const auto&) { return SolverAnswer{Verdict::Unknown}; });
    REQUIRE(made);
    PhraseProgram source = made->entries.back();
    source.launch = k % 4 == 0   ? Launch{8, 4, 3}
                    : k % 4 == 1 ? Launch{6, 4, 2}
                    : k % 4 == 2 ? Launch{64, 32, 5}
                                 : Launch{};
    const Program p = dpia_trace(source, test::calculus(), Machine::Gpu).kernel();
    if (!check(p).empty()) continue;
    props::Random random(k);
    for (const SizeValues& sizes : props::small_sizes(source, 3, random)) {
      INFO("program " << k << " at " << show(sizes) << "\n" << print(p));
      const auto lines = differences(p, sizes);
      compared += lines.has_value();
      CHECK(lines.value_or("") == "");
    }
    for (const GpuAccess& a : gpu_cost(p).accesses) ++all, exact += a.cost.exact;
  }
  WARN(compared << " runs; of " << all << " accesses " << exact << " are exact");
  CHECK(compared > 300);
}

}  // namespace gpu_cost_test
