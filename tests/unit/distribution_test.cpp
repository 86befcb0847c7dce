// What random programs are like: no share falls back unseen.
#include "props/dpia/distribution.h"
#include "proofs/sizes/solver.h"
#include "props/dpia/altered.h"
#include "props/dpia/large_sizes.h"
#include "semantics/functional/inference/infer.h"
#include "tests/unit/shares.h"

namespace distribution_test {
using namespace lockstep;
using namespace lockstep::props;

namespace {

const CampaignReport& report() {
  static const CampaignReport r = [] {
    CampaignOptions o;
    o.programs = 1500;
    o.seed = 17;
    o.folder = "";
    o.solver = remembering(proofs::z3_size_solver());
    return run_campaign(o);
  }();
  return r;
}

}  // namespace

TEST_CASE("shares are counted, each of its own kind") {
  Statistics s;
  s.count("kernel", "a barrier", true);
  s.count("kernel", "a barrier", false);
  s.count("program", "a barrier", true);
  CHECK(s.part("kernel", "a barrier") == 0.5);
  CHECK(s.part("program", "a barrier") == 1);
  CHECK(s.part("program", "nothing of the kind") == 0);
  CHECK(s.shares().size() == 2);
  CHECK(s.shares().at("kernel").at("a barrier").count == 1);
  CHECK(s.shares().at("kernel").at("a barrier").all == 2);
}

TEST_CASE("a program that reads nothing, or gives one result, is counted so") {
  const auto parts = [](const std::string& text) {
    CampaignReport r;
    const auto parsed = parse_program(std::make_shared<Source>(Source{"t.dpia", text}));
    REQUIRE(parsed);
    CHECK_FALSE(check_program_at_stages({*parsed}, 1, {}, standard_calculus(), r).finding);
    return std::pair{r.statistics.part("program", "reads its inputs"),
                     r.statistics.part("program", "gives other results on other inputs")};
  };
  CHECK(parts("fun f (x : i32) : i32 = 3\n") == std::pair{0.0, 0.0});
  CHECK(parts("fun f (x : i32) : i32 = x * 0\n") == std::pair{1.0, 0.0});
  CHECK(parts("fun f (x : i32) : i32 = x\n") == std::pair{1.0, 1.0});
}

TEST_CASE("programs read their inputs, and their results vary with them") {
  check_shares(report().statistics, {{"program", "reads its inputs", 90},
                                     {"program", "gives other results on other inputs", 80},
                                     {"program", "gives other scalars on other inputs", 60}});
}

TEST_CASE("inputs hold every special float") { check_shares(report().statistics, special_floats); }

TEST_CASE("kernels of the GPU have barriers and memories of their own") {
  check_shares(report().statistics,
               {{"GPU kernel", "a barrier", 30},
                {"GPU kernel", "a loop over warps", 10},
                {"GPU kernel", "a barrier of a warp", 3},
                {"GPU kernel", "a shuffle", 1},
                {"GPU kernel", "several barriers", 10},
                {"GPU kernel", "local memory", 30},
                {"GPU kernel", "private memory", 30},
                {"GPU kernel", "indices of 32 bits or fewer", 30},
                {"run of a GPU kernel", "indices of so few bits that they nearly leave them", 10}});
}

TEST_CASE("eight blocks in ten have no more memory than is live at one time") {
  check_shares(report().statistics,
               {{"block with shared arrays", "its memory is no more than the greatest live set", 80}});
}

TEST_CASE("nine barriers in ten are needed") {
  check_shares(report().statistics, {{"barrier of several threads", "shown to be needed", 90}});
}

TEST_CASE("`while`, `permute` and short vectors come in every shape, with traps that do not happen") {
  check_shares(report().statistics, {{"program", "a `while`", 6},
                                     {"program", "a `while` over one scalar", 0.3},
                                     {"program", "a `while` over arrays", 2},
                                     {"program", "a `while` over three values or more", 1.5},
                                     {"program", "a `while` by a flag", 1},
                                     {"program", "`permute` by a lambda", 2},
                                     {"program", "`permute` of pairs, rows or vectors", 0.8},
                                     {"program", "short vectors to a stream", 0.3},
                                     {"program", "a right side of && kept from a trap", 1.5},
                                     {"program", "a right side of || kept from a trap", 1},
                                     {"program", "a fact that equates names", 4},
                                     {"program", "/ or % in its types", 15}});
  for (const char* w : {"2", "3", "4", "8", "16"})
    check_shares(report().statistics, {{"program", std::string("short vectors of ") + w, 2}});
}

TEST_CASE("sizes go past every block and limit, and near 2^31 where no array that is stored has them") {
  check_shares(report().statistics, {{"program", "a size over 64", 3},
                                     {"program", "a size over 1024", 0.8},
                                     {"program", "a size over 4096", 0.5},
                                     {"program", "a size near 2^31 or above", 3},
                                     {"program", "an index by an extent near 2^31", 2}});
}

TEST_CASE("a size solver is asked where there is one, and programs without one need none") {
  check_shares(report().statistics, {{"program", "asks the size solver", 10}});
  CHECK(generate_program(5, 30, {}, false) == generate_program(5));
  std::size_t refused = 0, accepted = 0;
  const SizeSolver solver = remembering(proofs::z3_size_solver());
  for (std::uint64_t k = 0; k < 100; ++k) {
    const surface::Program p = generate_program(seed_of(2, k), 30, {}, true);
    CHECK(infer(p, standard_calculus(), solver));
    infer(p, standard_calculus(), SizeSolver{}) ? ++accepted : ++refused;
  }
  CHECK(refused >= 8);
  CHECK(accepted >= 80);
}

TEST_CASE("a right side is kept from a trap where the left one decides, and nowhere else") {
  const auto parts = [](const std::string& text) {
    CampaignReport r;
    const auto parsed = parse_program(std::make_shared<Source>(Source{"t.dpia", text}));
    REQUIRE(parsed);
    CHECK_FALSE(check_program_at_stages({*parsed}, 1, {}, standard_calculus(), r).finding);
    return std::pair{r.statistics.part("program", "a right side of && kept from a trap"),
                     r.statistics.part("program", "a right side of || kept from a trap")};
  };
  const std::string head = "fun f [n] (xs : [n]i32) : [n+1]bool =\n  map (\\x -> ", tail = ") (concat xs [0])\n";
  CHECK(parts(head + "x != 0 && 3 / x > 1" + tail) == std::pair{1.0, 0.0});
  CHECK(parts(head + "x == 0 || 3 / x > 1" + tail) == std::pair{0.0, 1.0});
  CHECK(parts(head + "x == 7 || 3 / (x * x + 1) > 1" + tail) == std::pair{0.0, 0.0});  // it could, and does not
  CHECK(parts(head + "x != 0 && [x] ! 0 > 1" + tail) == std::pair{0.0, 0.0});          // inside, always
}

TEST_CASE("rows of no element are as many values as others") {  // found by the campaign, out of memory
  const auto parsed = parse_program(std::make_shared<Source>(
      Source{"t.dpia", "fun f [n m] (xs : [n][m]i64) : [n][n][m]i64 = mapSeq (\\x -> xs) xs\n"}));
  REQUIRE(parsed);
  const auto source = source_of({*parsed}, standard_calculus(), {});
  REQUIRE(source);
  bool some = false;
  for (std::uint64_t k = 0; k < 200; ++k) {
    Random random(k);
    const auto sizes = large_sizes(*source, 1500, random);
    some = some || sizes;
    CHECK((!sizes || sizes->at("n") * sizes->at("n") <= 1500));
  }
  CHECK(some);
}

TEST_CASE("sizes near 2^31 are no array's that is stored, though it be of empty rows") {
  const auto accepted = [](const std::string& text) {
    const auto parsed = parse_program(std::make_shared<Source>(Source{"t.dpia", text}));
    REQUIRE(parsed);
    const auto source = source_of({*parsed}, standard_calculus(), {});
    REQUIRE(source);
    std::int64_t greatest = 0;
    for (std::uint64_t k = 0; k < 200; ++k) {
      Random random(k);
      if (const auto sizes = large_sizes(*source, 1500, random))
        for (const auto& [name, n] : *sizes) greatest = std::max(greatest, n);
    }
    return greatest;
  };
  CHECK(accepted("fun f (k : nat) (x : i64) : i64 = x + i64 k\n") > 2000000000);
  CHECK(accepted("fun f [n m] (xs : [m][n]i64) : i64 = 3\n") <= 10000);
  CHECK(accepted("fun f [n] (xs : [n]i64) : [n]i64 = map (\\x -> x + 1) xs\n") > 64);
  // Nor is one that is not read where it stands, but taken by a loop, a let or a check.
  CHECK(accepted("fun f (k : nat) (x : i64) : i64 = reduce (+) x (iota k)\n") <= 10000);
  CHECK(accepted("fun f (k : nat) (x : i64) : i64 = let y = iota k in x + i64 k\n") <= 10000);
  CHECK(accepted("fun f (k : nat) (x : i64) : i64 = gather (iota k) [x] ! x\n") <= 10000);
}

TEST_CASE("an array that is a view may be as long as no other is, where elements of it are read") {
  const auto found = [](const std::string& text) {
    const auto parsed = parse_program(std::make_shared<Source>(Source{"t.dpia", text}));
    REQUIRE(parsed);
    const auto source = source_of({*parsed}, standard_calculus(), {});
    REQUIRE(source);
    CampaignReport r;
    CHECK_FALSE(check_program_at_stages({*parsed}, 1, {}, standard_calculus(), r).finding);
    Random random(1);
    const auto sizes = far_sizes(*source, 1500, random);
    CHECK(sizes.has_value() == (r.statistics.part("program", "a size near 2^31 or above") == 1));
    return std::pair{sizes.has_value(), r.statistics.part("program", "an index by an extent near 2^31") == 1};
  };
  const std::pair both{true, true}, neither{false, false};
  CHECK(found("fun f (k : nat) (x : i64) : i64 = reverse (iota (k + 4)) ! (x & 3)\n") == both);
  CHECK(found("fun f [n] (k : nat) (is : [n]i64) : [n]i64 =\n"
              "  map (\\i -> join (transpose (split 2 (iota (2 * k + 2)))) ! (i & 1)) is\n") == both);
  CHECK(found("fun f (k : nat) (x : i64) : [2]i64 = gather [x & 1, i64 k] (reverse (iota (k + 2)))\n") == both);
  CHECK(found("fun f (k : nat) (x : i64) : i64 = replicate (k + 4) x ! (x & 3)\n") == std::pair{true, false});
  CHECK(found("fun f (k : nat) (x : i64) : i64 = x + i64 k\n") == neither);
  CHECK(found("fun f (k : nat) (x : i64) : i64 = map (\\y -> y + x) (iota (k + 1)) ! 0\n") == neither);
  CHECK(found("fun f [n] (xs : [n]i64) : i64 = (concat xs [1]) ! 0\n") == neither);  // no size of a view alone
}

TEST_CASE("inference refuses most programs with one change, and what it takes is checked as any other") {
  CHECK(report().statistics.part("altered program", "refused") >= 0.5);
  CHECK(report().statistics.part("altered program", "refused") <= 0.9);
  std::size_t changed = 0;
  for (std::uint64_t k = 0; k < 200; ++k) {
    const surface::Program p = generate_program(seed_of(5, k));
    changed += altered(p, k) == p ? 0 : 1;
  }
  CHECK(changed >= 190);
}

TEST_CASE("every view of a view that types allow occurs in ten thousand programs, nearly each a few times") {
  const TypedPrimitives by_type = made_by_type(standard_calculus());
  Coverage seen;
  for (std::uint64_t k = 0; k < 10000; ++k) seen.count(generate_program(seed_of(3, k), 30, by_type));
  CHECK(views_of_views().size() >= 275);
  std::size_t often = 0;
  for (const ViewOfView& pair : views_of_views()) {
    INFO(pair.first << " of " << pair.second);
    CHECK(seen.views_of_views[pair] >= 1);
    often += seen.views_of_views[pair] >= 3;
  }
  CHECK(often * 100 >= views_of_views().size() * 97);
  CHECK(seen.views_of_views[{"unzip", "lanes"}] == 0);  // scalars are no pairs
}

}  // namespace distribution_test
