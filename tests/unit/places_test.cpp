// Arrays of a block, or of a warp, that share a place: which do, which must not, and what is proved of it.
#include <catch2/catch.hpp>

#include "codegen/targets/hip.h"
#include "proofs/kernel/parts.h"
#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/run.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace places_test {
using namespace lockstep;
using namespace lockstep::kernel;
using Catch::Matchers::Contains;
using kernel::Stop;
using proofs::kernels::ProgramObligation;
using proofs::kernels::Prover;

namespace {

std::string in_block(const std::string& body) {
  return "kernel p(n) output i64 r[8 * n]; parallel workgroup (g < n) { " + body + " }";
}
const std::string result = "parallel local (z < 8) { store r[8 * g + z] = ";  // an expression in z

// Program -> program, without barriers before and after.
Program placed(const std::string& text) {
  return apply<Program>(places(dpia_languages(std::make_shared<const Calculus>(standard_calculus())).before_barriers),
                        dealt_out_from(text));
}
// Names and counts of the arrays that a group has in common.
std::map<std::string, std::string> arrays(const Program& p) {
  std::map<std::string, std::string> out;
  each_statement(p.body, [&](const Stmt& s) {
    if (const auto* a = std::get_if<Allocate>(&s.node); a && a->space == Space::Local) out[a->name] = print(a->count);
  });
  return out;
}
std::size_t arrays_of(const std::string& body) {
  const Program p = placed(in_block(body));
  INFO(print(p));
  CHECK(check(p).empty());
  return arrays(p).size();
}

// Four arrays one after the other, each read by other threads than wrote it; the third of a type.
std::string chain(const std::string& count = "8", const std::string& third = "i64") {
  const std::string one = third == "i64" ? "b[7 - l]" : "(b[7 - l] < 4 ? 1f32 : 2f32)";
  const std::string back = third == "i64" ? "c[7 - l]" : "(c[7 - l] <.f32 2f32 ? 1 : 2)";
  const auto step = [](const std::string& to, const std::string& value) {
    return "parallel local (l < 8) { store " + to + "[l] = " + value + "; } ";
  };
  return "alloc i64 a[8] @local; alloc i64 b[8] @local; alloc " + third + " c[" + count + "] @local; alloc i64 d[" +
         count + "] @local; " + step("a", "l") + step("b", "a[7 - l]") + step("c", one) + step("d", back) + result +
         "d[7 - z]; }";
}

// Obligations of what one program had and the other has.
std::vector<ProgramObligation> owed(const std::string& before, const std::string& after) {
  Prover prover(500);
  return proofs::kernels::places_obligations(dealt_out_from(in_block(before)), dealt_out_from(in_block(after)), prover);
}
Standing standing(const std::string& before, const std::string& after) {
  const auto all = owed(before, after);
  REQUIRE(all.size() == 1);
  INFO(all[0].name << ": " << all[0].detail);
  return all[0].standing;
}

}  // namespace

TEST_CASE("an array takes the place of one that is read no more") {
  const Program p = placed(in_block(chain()));
  CHECK(arrays(p) == std::map<std::string, std::string>{{"a", "8"}, {"b", "8"}});
  CHECK(arrays_of(chain("8", "f32")) == 3);  // of another type
}

TEST_CASE("a place is as large as the largest array that has it") {
  CHECK(arrays(placed(in_block(chain("12")))) == std::map<std::string, std::string>{{"a", "12"}, {"b", "12"}});
  CHECK(arrays(placed(in_block(chain("8 + n")))) == std::map<std::string, std::string>{{"a", "8 + n"}, {"b", "8 + n"}});
  CHECK(arrays(placed(in_block(chain("4")))) == std::map<std::string, std::string>{{"a", "8"}, {"b", "8"}});
  // Which is larger hangs on n.
  CHECK(arrays_of(chain("n")) == 4);
}

TEST_CASE("arrays that are needed together have a place each") {
  const std::string start =
      "alloc i64 a[8] @local; alloc i64 b[8] @local; parallel local (l < 8) { store a[l] = l; } parallel local (m < 8) "
      "{ store b[m] = a[7 - m]; } ";
  CHECK(arrays_of(start + result + "a[z] +.i64 b[7 - z]; }") == 2);
  // One is read again when the other has been.
  CHECK(arrays_of("alloc i64 a[8] @local; alloc i64 b[8] @local; alloc i64 c[8] @local; parallel local (l < 8) { store "
                  "a[l] = l; } parallel local (m < 8) { store b[m] = a[7 - m]; } parallel local (k < 8) { store c[k] = "
                  "b[7 - k]; } " +
                  result + "c[7 - z]; } parallel local (y < 8) { store r[8 * g + y] = a[7 - y]; }") == 3);
  // In a branch, and in a loop that comes back to the first.
  CHECK(
      arrays_of("alloc i64 a[8] @local; alloc i64 b[8] @local; for (k < 3) { parallel local (l < 8) { store a[l] = l; "
                "} parallel local (m < 8) { store b[m] = a[7 - m]; } } " +
                result + "b[7 - z]; }") == 2);
  CHECK(arrays_of("alloc i64 a[8] @local; alloc i64 b[8] @local; parallel local (l < 8) { store a[l] = l; } if (g < 3) "
                  "{ parallel local (m < 8) { store b[m] = a[7 - m]; } parallel local (l < 8) { store a[l] = b[l]; } } "
                  "else { } " +
                  result + "a[7 - z]; }") == 2);
}

TEST_CASE("places go by the order of accesses, in a branch too, not by that of the arrays") {
  const std::string arrays =
      "alloc i64 d[8] @local; alloc i64 c[8] @local; alloc i64 b[8] @local; alloc i64 a[8] @local; ";
  const std::string all = chain(), steps = all.substr(all.find("parallel local"));
  CHECK(arrays_of(arrays + steps) == 2);
  CHECK(arrays_of(arrays + "if (g < 3) { " + steps +
                  " } else { parallel local (z < 8) { store r[8 * g + z] = 0; } }") == 2);
}

TEST_CASE("no place is shared where that takes a barrier more") {
  // c could have a's place, but b is written without a barrier before c.
  const std::string body =
      "alloc i64 a[8] @local; alloc i64 b[8] @local; alloc i64 c[8] @local; "
      "parallel local (l < 8) { store a[l] = l; } parallel local (l < 8) { store b[l] = a[7 - l]; } "
      "parallel local (l < 8) { store c[l] = l + 1; } " +
      result + "b[z] +.i64 c[7 - z]; }";
  CHECK(arrays_of(body) == 3);
}

TEST_CASE("the lanes of a warp share places, too") {
  std::string lanes = chain();
  const std::string block =
      "kernel p(n) output i64 r[8 * n]; parallel workgroup (g < n) { parallel warp (w < 1) { " + lanes + " } }";
  CHECK(arrays(placed(block)).size() == 2);
}

TEST_CASE("what takes a place is proved to be used after it, and written before it is read") {
  const std::string ab = "alloc i64 a[8] @local; alloc i64 b[8] @local; ", a = "alloc i64 a[8] @local; ";
  const std::string first = "parallel local (l < 8) { store a[l] = l; } ";
  const auto second = [](const std::string& name, const std::string& value) {
    return "parallel local (m < 8) { store " + name + "[m] = " + value + "; } ";
  };
  const auto last = [](const std::string& value) { return result + value + "; }"; };
  CHECK(standing(ab + first + second("b", "m") + last("b[z]"), a + first + second("a", "m") + last("a[z]")) ==
        Standing::Proved);
  // Read later, in the same statement, in a loop that comes back.
  CHECK(standing(ab + first + second("b", "m") + last("a[z] +.i64 b[z]"),
                 a + first + second("a", "m") + last("a[z] +.i64 a[z]")) == Standing::Unknown);
  CHECK(standing(ab + first + second("b", "a[m]") + last("b[z]"), a + first + second("a", "a[m]") + last("a[z]")) ==
        Standing::Unknown);
  const auto behind = [](const std::string& name) {
    return "parallel local (y < 8) { store r[8 * g + y] = " + name + "[y]; } ";
  };
  CHECK(standing(ab + first + second("b", "m") + last("a[z]") + behind("b"),
                 "alloc i64 b[8] @local; parallel local (l < 8) { store b[l] = l; } " + second("b", "m") +
                     last("b[z]") + behind("b")) == Standing::Unknown);
  CHECK(standing(ab + "for (k < 2) { " + first + second("b", "m") + " } " + last("b[z]"),
                 a + "for (k < 2) { " + first + second("a", "m") + " } " + last("a[z]")) == Standing::Unknown);
  // What is left of the other array is not the array's own.
  CHECK(standing(ab + first + "parallel local (m < 7) { store b[m] = m; } " + last("b[z]"),
                 a + first + "parallel local (m < 7) { store a[m] = m; } " + last("a[z]")) != Standing::Proved);
  // Another program.
  CHECK(standing(ab + first + second("b", "m") + last("b[z]"), a + first + second("a", "m") + last("a[7 - z]")) ==
        Standing::Unknown);
  // Memory of another type, or that another iteration has.
  CHECK(standing("alloc i64 a[8] @local; alloc i32 b[8] @local; " + first + second("b", "1i32") + last("z"),
                 a + first + second("a", "1i32") + last("z")) == Standing::Unknown);
}

// ------------------------------------------------------------------------------------------ sizes that a launch knows
namespace {

// Two arrays of t scalars that are needed together, of types of different sizes, and one of a number.
const std::string at_launch =
    "kernel p(t, n) output i64 r[n * t]; parallel workgroup (g < n) { alloc i32 a[t] @local; alloc i64 b[t] @local; "
    "alloc i64 c[4] @local; parallel local (l < t) { store a[l] = 1i32; store b[l] = l; } parallel local (k < 4) store "
    "c[k] = k; parallel local (z < t) store r[g * t + z] = (a[t - 1 - z] ==.i32 1i32 ? b[t - 1 - z] : c[0]); }";
// The same, where the second begins said by hand.
Program with_second_at(const std::string& at) {
  std::string text = at_launch;
  text.replace(text.find("alloc i32 a[t] @local"), 21, "alloc i32 a[t] @local offset " + at);
  text.replace(text.find("alloc i64 b[t] @local"), 21, "alloc i64 b[t] @local offset 0");
  return dealt_out_from(text);
}
std::string wrong(const Program& p) {
  const auto all = check(p);
  return all.empty() ? "" : all.front();
}
tl::expected<Buffers, Stop> run_at(const Program& p, std::int64_t t, std::int64_t limit = 0) {
  RunOptions how;
  how.block_bytes = limit;
  return run(p, {{"t", t}, {"n", 2}}, {}, ieee_domain(), how);
}
std::string fault(const tl::expected<Buffers, Stop>& r) {
  const auto* f = r ? nullptr : std::get_if<Fault>(&r.error());
  return f ? std::string(show(f->kind)) + ": " + f->message : "";
}

}  // namespace

TEST_CASE("arrays whose size a launch knows lie one after the other, those of larger scalars first") {
  const Program p = placed(at_launch);
  INFO(print(p));
  CHECK(wrong(p).empty());
  CHECK(print(p).find("alloc i32 a[t] @local offset t * 8;") != std::string::npos);
  CHECK(print(p).find("alloc i64 b[t] @local offset 0;") != std::string::npos);
  CHECK(print(p).find("alloc i64 c[4] @local;") != std::string::npos);
  CHECK(program_from(print(p)) == p);
  const std::vector<BlockMemory> all = block_memories(p);
  REQUIRE(all.size() == 1);
  CHECK(show(*all[0].bytes()) == "12*t + 32");
  CHECK(show(*all[0].bytes_at_launch()) == "12*t");
  CHECK(fault(run_at(p, 5)) == "");
}

TEST_CASE("what lies behind arrays of a length that is a difference begins in the memory") {  // found by the campaign
  const std::string length = "(n * ((n + 1) / 4) + (n + 1) / 4 - (n + 1) / 4 * ((n + 1) / 4) * 4)";
  const auto behind = [&](const std::string& first) {
    return wrong(program_from("kernel p(n) output i64 r[n]; parallel workgroup (g < n) { alloc f64 a[" + length +
                              "] @local offset 0; alloc f32 b[" + length + "] @local offset " + length +
                              " * 8; alloc i32 c[n] " + "@local offset " + first +
                              "; parallel local (l < n) { store c[l] = 0i32; } store r[g] = 0; }"));
  };
  CHECK(behind(length + " * 12 + n * 16") == "");
  CHECK(behind("n * 16").find("may overlap") != std::string::npos);
  CHECK(behind("0 - n * 4").find(", before the memory") != std::string::npos);
}

TEST_CASE("arrays of a block that overlap, or begin where their scalars cannot, are refused and are faults") {
  CHECK(wrong(with_second_at("t * 8")) == "");
  CHECK(wrong(with_second_at("t * 8 + 4")) == "");
  CHECK(wrong(with_second_at("t * 4")) ==
        "'a' and 'b' may overlap in the block's memory: one has the bytes from 4*t to 8*t, the other from 0 to 8*t");
  CHECK(fault(run_at(with_second_at("t * 4"), 3)).find("overlap: 'b' has the bytes [0, 24)") == 0);
  CHECK(wrong(with_second_at("t * 8 + 2")) == "'a' begins at 8*t + 2, which is no multiple of its scalars' 4 bytes");
  CHECK(fault(run_at(with_second_at("t * 8 + 2"), 3)).find("overlap: 'a' has the bytes [26, 38)") == 0);
  CHECK(
      wrong(program_from("kernel p(n) output i64 r[1]; parallel workgroup (g < 1) { alloc i64 a[n] @private offset 0; "
                         "store r[0] = 0; }")) == "'a' says where it begins, but is no block's");
}

TEST_CASE("that arrays of a launch's size lie apart is proved") {
  const auto proved = [](const Program& p) {
    Prover prover(500);
    const auto all = proofs::kernels::places_obligations(p, p, prover);
    REQUIRE(all.size() == 2);
    return std::all_of(all.begin(), all.end(), [](const auto& o) { return o.standing == Standing::Proved; });
  };
  CHECK(proved(with_second_at("t * 8")));
  CHECK_FALSE(proved(with_second_at("t * 4")));
}

TEST_CASE("what a block needs at a launch's sizes is compared with what there is") {
  const Program p = placed(at_launch);
  CHECK(too_large(p).value_or("") == "");
  CHECK(too_large(p, {{"t", 4093}, {"n", 2}}).value_or("") == "");
  CHECK(too_large(p, {{"t", 4094}, {"n", 2}}).value_or("") ==
        "a block would need 49160 bytes of local memory, which has 49152, for 'a' (4*t), 'b' (8*t), 'c' (32): it fits "
        "where t is 4093 at most, not 4094");
  CHECK(fault(run_at(p, 4, 80)) == "");
  CHECK(fault(run_at(p, 5, 80)) ==
        "too large: a block would need 92 bytes of local memory, which has 80, for 'a' (4*t), 'b' (8*t), 'c' (32): it "
        "fits where t is 4 at most, not 5");
  // Of two sizes the first that mends it.
  const Program two = placed(
      "kernel p(m, n) output i64 r[m]; parallel workgroup (g < m) { alloc i64 a[m * n] @local; alloc i64 b[m] @local; "
      "parallel local (l < m) { store b[l] = l; } parallel local (l < m * n) { store a[l] = 1; } parallel local (z < "
      "1) "
      "store r[g] = a[0] +.i64 b[0]; }");
  CHECK(too_large(two, {{"m", 10}, {"n", 1000}}).value_or("") ==
        "a block would need 80080 bytes of local memory, which has 49152, for 'a' (8*m*n), 'b' (8*m): it fits where m "
        "is 6 at most, not 10");
  CHECK(greatest_that_fits(Size::name("t") * Size::name("t") * Size(4), "t", {}, 49152) == 110);
  CHECK_FALSE(greatest_that_fits(Size(50000) + Size::name("t"), "t", {}, 49152));
}

TEST_CASE("a GPU's text places them in memory that its launch asks for, and refuses what is too large before") {
  const Program p = placed(at_launch);
  CHECK(hip_unfit(p).empty());
  const HipText text = hip_text(hosted(p));
  CHECK_THAT(text.kernel, Contains("LOCKSTEP_SHARED_AT_LAUNCH(of_block_);") &&
                              Contains("int32_t* const a_ = (int32_t*)(of_block_ + (t_ * 8));") &&
                              Contains("int64_t* const b_ = (int64_t*)(of_block_ + int64_t(0));") &&
                              Contains("LOCKSTEP_SHARED(int64_t, c_, 4);"));
  CHECK_THAT(text.host,
             Contains("256, t_ * 12, ") && Contains("> 49152) {") && Contains("fits(0)) return refused(") &&
                 Contains("a block would need {0} bytes of local memory, which has 49152, for 'a' (4*t), 'b' (8*t), "
                          "'c' (32): it fits where t is "
                          "{1} at most, not {2}"));
  // What no launch can have.
  std::string huge = at_launch;
  huge.replace(huge.find("c[4]"), 4, "c[6145]");
  CHECK(hip_unfit(placed(huge)) ==
        std::vector<std::string>{"a block would need at least 49160 bytes of local memory, which has 49152, for 'a' "
                                 "(4*t), 'b' (8*t), 'c' (49160): it fits "
                                 "where 'c' has 6144 scalars at most, not 6145"});
  CHECK(
      hip_unfit(dealt_out_from(at_launch)).front() ==
      "'a' needs t scalars of a block's memory, which takes a number, or a size that says where it begins ('offset'): "
      "give it a length that is a number, or leave toLocal or toPrivate out");
}

TEST_CASE("each of a block's warps has its own part of memory that a launch asks for") {
  const Program p = placed(
      "kernel p(t, n) block 64 warp 32 output i64 r[n * t]; parallel workgroup (g < n) { parallel warp (w < 1) { alloc "
      "i64 a[t] @local; parallel local (l < t) { store a[l] = l; } barrier warp; parallel local (z < t) store r[g * t "
      "+ "
      "z] = a[t - 1 - z]; } }");
  CHECK(show(*block_memories(p)[0].bytes()) == "16*t");
  CHECK_THAT(hip_text(hosted(p)).kernel, Contains("(int64_t*)(of_block_ + int64_t(0)) + threadIdx.x / 32 * t_;"));
}

// ------------------------------------------------------------------------------------------ spaces
TEST_CASE("an array stands where its space is, and is used where it can be reached") {
  const auto says = [](const std::string& body) {
    return wrong(program_from("kernel p(n) output i64 r[n]; { " + body + " }"));
  };
  CHECK(says("parallel workgroup (g < n) { alloc i64 a[1] @local; store a[0] = g; store r[g] = a[0]; }") == "");
  CHECK(says("alloc i64 a[1] @local; parallel workgroup (g < n) { store r[g] = g; }") ==
        "'a' is local, in the memory of a block, but stands outside every parallel loop: @global could stand, or a "
        "workgroup loop around it");
  CHECK(says("parallel global (g < n) { alloc i64 a[1] @local; store a[0] = g; store r[g] = a[0]; }") ==
        "'a' is local, in the memory of a block, but stands in the global loop over 'g', in no block: @global could "
        "stand, or a workgroup loop around it");
  const std::string outside = "alloc i64 a[1] @SPACE; store a[0] = 2; parallel LEVEL (g < n) { store r[g] = a[0]; }";
  const auto at = [&](const std::string& space, const std::string& level) {
    std::string text = outside;
    text.replace(text.find("SPACE"), 5, space);
    text.replace(text.find("LEVEL"), 5, level);
    return says(text);
  };
  CHECK(at("global", "global") == "");
  CHECK(at("private", "par") == "");  // the threads of a CPU have one memory
  CHECK(
      at("private", "global") ==
      "'a' is private to the thread that runs what is outside the global loop over 'g', whose threads use it: @global "
      "could stand");
  CHECK(at("private", "workgroup") ==
        "'a' is private to the thread that runs what is outside the workgroup loop over 'g', whose threads use it: "
        "@global could stand");
}

}  // namespace places_test
