// The cost of FCL's sources: work, depth, space and what warps do, counted by hand, and by the kernel's interpreter.
#include <catch2/catch.hpp>

#include "proofs/sizes/solver.h"
#include "props/dpia/lowered_arguments.h"
#include "semantics/fcl/cost.h"
#include "semantics/kernel/language.h"
#include "semantics/kernel/warp_count.h"
#include "tests/unit/fcl_program.h"
#include "translate/dpia/stage.h"
#include "translate/fcl/lower/lower.h"
#include "translate/fcl/pipeline.h"

namespace fcl_cost_test {
using namespace lockstep;

namespace {

// The last definition, or a named one, through the stages, at ints or as `type` says.
struct Staged {
  std::string text, definition{}, type = "int";
  Launch launch{};
};
fcl::Traced traced(const Staged& s) {
  fcl::Entry e{test::fcl_program(s.text), s.definition, {}, s.launch};
  if (e.definition.empty()) e.definition = e.program.program.definitions.back().name;
  for (const auto& o : fcl::scheme_of(e).types)
    e.instance.types.emplace(o.name, *fcl::parse_type(test::fcl_source(s.type)));
  return fcl::trace_of(e);
}
std::vector<std::pair<fcl::Type, Value>> values(const std::vector<std::string>& literals) {
  std::vector<std::pair<fcl::Type, Value>> out;
  for (const std::string& text : literals) {
    fcl::Bound seen;
    if (fcl::note_types(test::fcl_source(text), fcl::named_type("a"), seen)) throw Bug(text);
    out.emplace_back(seen.at("a"), *fcl::parse_value(test::fcl_source(text), seen.at("a")));
  }
  return out;
}
tl::expected<fcl::Costs, Trap> costs_at(const Staged& s, const std::vector<std::string>& arguments,
                                        const std::string& stage, fcl::CostedRun how = {}) {
  const fcl::Traced stages = traced(s);
  const auto& at = stages.trace.after(stage)->as<fcl::Entry>();
  std::vector<Value> given;
  for (auto& [type, v] : values(arguments)) given.push_back(std::move(v));
  how.launch = s.launch;
  return fcl::costs(at.program, at.definition, std::move(given), how);
}
fcl::Costs costs_of(const Staged& s, const std::vector<std::string>& arguments) {
  auto made = costs_at(s, arguments, "instantiate");
  if (!made) throw Bug(made.error().message);
  return *std::move(made);
}
fcl::Costs costs_of(const std::string& text, const std::vector<std::string>& arguments, Launch launch = {}) {
  return costs_of(Staged{text, "", "int", launch}, arguments);
}

// What warps do with an array, as a line: "global: 6 issues of 192 lanes take 1 to 2, 9 in all".
std::string told(bool global, std::int64_t issues, std::int64_t lanes, std::int64_t least, std::int64_t most,
                 std::int64_t total) {
  return std::string(global ? "global: " : "shared: ") + std::to_string(issues) + " issues of " +
         std::to_string(lanes) + " lanes take " + std::to_string(least) + " to " + std::to_string(most) + ", " +
         std::to_string(total) + " in all";
}
std::vector<std::string> said(const fcl::Costs& c) {
  std::vector<std::string> out;
  for (const fcl::ArrayAccesses& a : c.accesses)
    out.push_back(told(a.memory == fcl::Memory::Global, a.issues, a.lanes, a.least, a.most, a.total));
  return out;
}
// Of the kernel for the GPU, by its second interpreter, access by access.
std::vector<std::string> counted(const Staged& s, const std::vector<std::string>& arguments,
                                 std::int64_t segment = fcl::segment_bytes) {
  static const CalculusRef calculus = std::make_shared<const Calculus>(standard_calculus());
  const auto made = fcl::in_calculus(traced(s).trace.last().as<fcl::Entry>(), *calculus, proofs::z3_size_solver());
  if (!made) throw Bug(made.error().why);
  Leaves leaves;
  for (const auto& [type, v] : values(arguments)) {
    const auto made_of = leaves_from(v, fcl::shaped(type, v), {}, ieee_domain());
    REQUIRE(made_of);
    leaves.insert(leaves.end(), made_of->begin(), made_of->end());
  }
  const auto in_sizes = props::arguments_in_calculus(*made, leaves);
  if (!in_sizes) throw Bug(in_sizes.error());
  const kernel::Program program = dpia_trace(made->program, *calculus, Machine::Gpu).kernel();
  const ArrayInput in{in_sizes->sizes, [&] { return values_of(made->program, *in_sizes); },
                      [&] {
                        Scalars out;
                        for (const Leaves& each : in_sizes->values)
                          for (const LeafArray& leaf : each) {
                            out.emplace_back();
                            for (std::int64_t k = 0; k < count_of(leaf); ++k) out.back().push_back(scalar_at(leaf, k));
                          }
                        return out;
                      }};
  const auto counts =
      kernel::count_warps(program, in.sizes, kernel::buffers_of(program, in), ieee_domain(), {.sector_bytes = segment});
  REQUIRE(counts);
  std::vector<std::string> out;
  for (const kernel::AccessCount& a : counts->accesses) {
    if (!a.place || *a.place == kernel::Place::Thread) continue;
    const bool global = *a.place == kernel::Place::Global;
    std::int64_t issues = 0, lanes = 0, least = INT64_MAX, most = 0, total = 0;
    for (const auto& [n, of] : a.by_lanes) {
      issues += of.issues, lanes += n * of.issues, total += of.total;
      least = std::min(least, of.least), most = std::max(most, of.most);
    }
    const std::int64_t fewest = global ? 0 : 1;  // turns without a conflict, of words of 4 bytes
    out.push_back(told(global, issues, lanes, least - fewest, most - fewest, total - fewest * issues));
  }
  return out;
}
std::string array(std::int64_t n) {
  std::string out;
  for (std::int64_t i = 0; i < n; ++i) out += (i > 0 ? "," : "[") + std::to_string(i);
  return n > 0 ? out + "]" : "[]";
}
Launch launch(int block, int warp) { return {.block = block, .warp = warp}; }

}  // namespace

TEST_CASE("work is operations, loads and stores; depth is a thread's sum, the greatest elsewhere, and by rounds") {
  const auto at = [](const std::string& level, const Launch& l) {
    return costs_of("fun f xs = push <" + level + "> (map (fn x => x * x + 1) xs)", {array(5)}, l);
  };
  const fcl::Costs grid = at("grid", launch(2, 2)), block = at("block", launch(2, 2)),
                   thread = at("thread", launch(2, 2));
  for (const fcl::Costs* c : {&grid, &block, &thread}) {
    CHECK(show(c->result, ieee_domain()) == "[1, 2, 5, 10, 17]");
    CHECK(c->operations == 10);
    CHECK(c->loads == fcl::ByMemory{5, 0, 0});
    CHECK(c->stores == fcl::ByMemory{5, 0, 0});
    CHECK(c->work() == 20);
    CHECK(c->recomputed == 0);
  }
  CHECK((grid.depth == 4 && grid.dealt_depth == 4 && grid.rounds == 1));
  CHECK((block.depth == 4 && block.dealt_depth == 12 && block.rounds == 3));
  CHECK((thread.depth == 20 && thread.dealt_depth == 20 && thread.rounds == 5));
}

TEST_CASE("chunks are side by side as far as there are units for them") {
  const std::string text = "fun f xs = splitUp 2 xs |> map (push <thread>) |> concat 2";  // chunks at threads of a warp
  // An element: index in a chunk (2), load, place in its chunk (2), store. Before: length / 2, q * 2, ==.
  const fcl::Costs c = costs_of(text, {array(12)}, launch(8, 4));
  CHECK(c.operations == 3 + 12 * 4);
  CHECK(c.depth == 3 + 2 * 6);
  CHECK(c.dealt_depth == 3 + 2 * 2 * 6);
  CHECK(c.rounds == 4);
}

TEST_CASE("elements of pull arrays that are asked for twice are computed twice") {
  const std::string body =
      "fun f xs = let ys = S (map (fn x => x * x) xs)) in push <grid> (generate (length xs) "
      "(fn i => index ys i + index ys (length xs - 1 - i)))";
  const auto with = [&](const std::string& s) { return std::string(body).replace(body.find("S "), 2, s); };
  const fcl::Costs delayed = costs_of(with("("), {array(4)}),
                   forced = costs_of(with("force (push <grid> "), {array(4)});
  CHECK(delayed.recomputed == 4 * 2);
  CHECK(delayed.loads[0] == 8);
  CHECK(forced.recomputed == 0);
  CHECK(forced.loads[0] == 4 + 8);
  CHECK(forced.stores[0] == 8);
  CHECK(forced.launches == 2);
  CHECK(forced.bytes == fcl::ByMemory{16, 0, 0});
}

TEST_CASE("arrays within arrays that are made again are the same ones, computed again") {
  const fcl::Costs c = costs_of(
      "fun f xs = let xss = splitUp 2 (map (fn x => x * x) xs) in push <grid> (generate 2 (fn i => index (index xss 0) "
      "0))",
      {array(4)});
  CHECK(c.recomputed == 4);  // i*n + j, a load, x * x
}

TEST_CASE("a part of a pair is loaded where it is asked for, once, by those that have the pair") {
  const fcl::Costs c =
      costs_of("fun f ps = push <grid> (generate (length ps) (fn i => let p = index ps i in fst p * fst p + 1))",
               {"[(1,2),(3,4)]"});
  CHECK(c.loads == fcl::ByMemory{2, 0, 0});
  // Of the host's pair by the host, once for all threads.
  const fcl::Costs host =
      costs_of("fun f ps = let p = index ps 1 in push <grid> (generate 2 (fn i => fst p + snd p))", {"[(1,2),(3,4)]"});
  CHECK(host.loads == fcl::ByMemory{2, 0, 0});
  REQUIRE(host.accesses.size() == 3);
  CHECK((host.accesses[0].leaf == 0 && host.accesses[1].leaf == 1));
  CHECK((host.accesses[0].lanes == 1 && host.accesses[1].lanes == 1));
}

TEST_CASE("transactions and bank conflicts of transpositions are those that the kernel's interpreter counts") {
  const std::string text = test::fcl_example("transpose");
  const auto agree = [&](const std::string& definition, std::vector<std::string> sizes, std::int64_t elements,
                         Launch l) {
    INFO(definition << " " << sizes[0] << " " << sizes[1]);
    const Staged s{text, definition, "int", l};
    sizes.push_back(array(elements));
    const fcl::Costs costs = costs_of(s, sizes);
    const std::vector<std::string> kernel = counted(s, sizes);
    CHECK(said(costs) == kernel);
    CHECK(kernel.size() == (definition == "transposeNaive" ? 2 : 4));
    return costs.conflicts();
  };
  CHECK(agree("transposeNaive", {"64", "96"}, 64 * 96, launch(256, 32)) == 0);
  CHECK(agree("transposeNaive", {"33", "20"}, 33 * 20, launch(48, 32)) == 0);
  // A column of a tile of 32 lies in one bank; half a warp's in a tile of 16 in two: 8 words a bank.
  CHECK(agree("transposeTiled", {"32", "64", "64"}, 64 * 64, launch(1024, 32)) == 128 * 31);
  CHECK(agree("transposeTiled", {"16", "32", "48"}, 32 * 48, launch(256, 32)) == 48 * 7);
  CHECK(agree("transposePadded", {"1", "32", "64", "64"}, 64 * 64, launch(1024, 32)) == 0);
  CHECK(agree("transposePadded", {"1", "32", "64", "64"}, 64 * 64, launch(256, 32)) == 0);
  // A warp reads two columns of 16: rows of 17 words put the second one's last into the first one's first bank.
  CHECK(agree("transposePadded", {"1", "16", "32", "48"}, 32 * 48, launch(256, 32)) == 48);
  CHECK(agree("transposePadded", {"2", "16", "32", "48"}, 32 * 48, launch(256, 32)) == 0);
  // Of the half warps that a warp of 16 is, no padding but by one word is needed.
  CHECK(agree("transposePadded", {"1", "16", "32", "48"}, 32 * 48, launch(256, 16)) == 0);
}

TEST_CASE(
    "strides and reversals take the transactions that the kernel's interpreter counts, by segments of that size") {
  const Staged stride{"fun f xs = let n = length xs in push <grid> (generate n (fn i => index xs (i * 7 mod n)))", "",
                      "int", launch(64, 32)};
  CHECK(said(costs_of(stride, {array(200)})) == counted(stride, {array(200)}));
  CHECK(said(costs_of(stride, {array(200)})) != counted(stride, {array(200)}, 32));
  const Staged reverse{test::fcl_example("reverse"), "", "int", launch(64, 32)};
  CHECK(said(costs_of(reverse, {"40", array(200)})) == counted(reverse, {"40", array(200)}));
  const Staged twice{"fun f xs = push <grid> (map (fn x => x * 2.0) xs)", "", "double", launch(64, 32)};
  CHECK(said(costs_of(twice, {"[1.5,2.5,3.5]"})) == counted(twice, {"[1.5,2.5,3.5]"}));
}

TEST_CASE("append and evenOdds' inverse part warps by pull, and by push they do not") {
  const auto parted = [](const std::string& text) {
    const fcl::Costs c = costs_of(text, {array(20), array(20)}, launch(32, 32));
    return std::pair(c.branches, c.parted);
  };
  using Found = std::pair<std::int64_t, std::int64_t>;
  // A warp of both arrays' elements, and one of the second's alone.
  CHECK(parted("fun f xs ys = push <grid> (append xs ys)") == Found{2, 1});
  CHECK(parted("fun f xs ys = concat (length xs) (map (push <block>) [xs, ys])") == Found{0, 0});
  const std::string inverse = "fun f es os = let n = length es in ";
  CHECK(parted(inverse + "push <grid> (generate (2 * n) (fn i => if i mod 2 == 0 then index es (i / 2) else index os "
                         "(i / 2)))") == Found{2, 2});
  CHECK(parted(inverse + "interleave n (fn p => 2 * snd p + fst p) (map (push <block>) [es, os])") == Found{0, 0});
}

TEST_CASE("threads of a warp that go different ways are issued apart, and together behind it") {
  const fcl::Costs c = costs_of(
      "fun f xs = push <grid> (map (fn x => (if x < 3 then index xs (x + 1) else index xs (x - 1)) + index xs x) xs)",
      {array(8)}, launch(8, 8));
  CHECK(c.parted == 1);
  REQUIRE(c.accesses.size() == 2);
  CHECK(c.accesses[0].issues == 4);  // x; x + 1 and x - 1, apart; x
  CHECK(c.accesses[0].lanes == 24);
  // A loop that some threads leave early parts them where they do.
  const fcl::Costs loops = costs_of(
      "fun f xs = push <grid> (map (fn x => index (while (fn a => index a 0 < x) (fn a => push <thread> (map (fn y => "
      "y "
      "+ 1) a)) (push <thread> [0])) 0) xs)",
      {"[0,1,1,3]"}, launch(4, 4));
  CHECK(show(loops.result, ieee_domain()) == "[0, 1, 1, 3]");
  CHECK(loops.branches == 4);
  CHECK(loops.parted == 2);  // the first leaves alone, then two of three; the last is alone
}

TEST_CASE("bytes are those that are there at once, barriers one for each array that is complete") {
  const std::string sum = test::fcl_example("reduction");
  // Two chunks of 8: a block has two arrays of 4, and 3 barriers: for the first, and for rounds of 2 and 1.
  const fcl::Costs blocks = costs_of(sum, {array(16)}, launch(4, 4));
  CHECK(blocks.bytes == fcl::ByMemory{0, 32, 0});
  CHECK((blocks.barriers == 6 && blocks.warp_barriers == 0 && blocks.launches == 1));
  // A tile's while of pairs of 4 and 8 bytes, and two tiles of 16 doubles; a thread's loop of a pair.
  const fcl::Costs tiles =
      costs_of(Staged{test::fcl_example("matmul"), "", "int", launch(16, 16)},
               {"2", "4", "[1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0,13.0,14.0,15.0,16.0]",
                "[1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0]"});
  CHECK(tiles.bytes == fcl::ByMemory{0, 2 * 4 * 12 + 2 * 4 * 8, 2 * 12 + 8});
  CHECK(tiles.barriers == 4 * (1 + 2 * 3));
  // Warps of a block have theirs at once: two of them, of chunks of two.
  const fcl::Costs warps = costs_of(
      "fun f xs = splitUp 8 xs |> map (fn c => splitUp 2 c |> map (fn w => push <warp> (force (push <warp> w))) |> "
      "concat 2) |> concat 8",
      {array(16)}, launch(4, 2));
  CHECK(warps.bytes == fcl::ByMemory{0, 16, 0});
  CHECK((warps.barriers == 0 && warps.warp_barriers == 8));
  // At the host what is forced stays.
  const fcl::Costs host = costs_of(
      "fun f xs = push <grid> (force (push <grid> (map (fn x => x + 1) (force (push <grid> xs)))))", {array(3)});
  CHECK(host.bytes == fcl::ByMemory{24, 0, 0});
  CHECK(host.launches == 3);
}

TEST_CASE("what traps and what takes more work than it may has no cost") {
  const auto said = [](const std::string& text, fcl::CostedRun how = {}) {
    const auto made = costs_at({text}, {array(3)}, "instantiate", how);
    return made ? "costs " + std::to_string(made->work()) : made.error().primitive + ": " + made.error().message;
  };
  const std::string three = "fun f xs = push <grid> (map (fn x => x + 1) xs)";
  CHECK(said(three) == "costs 9");
  CHECK(said(three, {.work = 9}) == "costs 9");
  CHECK(said(three, {.work = 8}) == "cost: more work than the limit");
  CHECK(said("fun f xs = push <grid> (map (fn x => index xs (x + 1)) xs)") == "index: index 3 is outside [0, 3)");
  CHECK(said("fun f xs = interleave 1 (fn p => 0) (map (fn x => push <thread> [x]) xs)") ==
        "interleave: another element than (1, 0) goes to 0");
  CHECK(said("fun f xs = concat 2 (map (fn x => push <thread> [x]) xs)") ==
        "interleave: chunk 0 has 1 elements, not 2");
  for (const char* n : {"(-1)", "2000000000"})  // a length that no chunk has takes no memory
    CHECK(said("fun f xs = interleave " + std::string(n) + " (fn p => snd p) (map (fn x => push <thread> [x]) xs)")
              .starts_with("interleave: chunk 0 has 1 elements, not "));
  CHECK(said("fun f xs = while (fn a => true) (fn a => push <thread> a) (push <thread> xs) |> push <thread>",
             {.rounds = 5}) == "while: more rounds than the limit");
}

TEST_CASE("of an argument that is an array of pairs of arrays each part is an array") {
  const fcl::Costs c = costs_of("fun f ps = push <grid> (map (fn p => index (fst p) 0 + index (snd p) 1) ps)",
                                {"[([1],[2,3]),([4],[5,6])]"});
  CHECK(show(c.result, ieee_domain()) == "[4, 10]");
  CHECK(c.accesses.size() == 3);
}

}  // namespace fcl_cost_test
