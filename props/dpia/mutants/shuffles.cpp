// Shuffles: of the wrong lane, of the wrong width, where not all lanes come, and what their lanes do with what they
// got.
#include "props/dpia/mutants/parts.h"

namespace lockstep::props {
namespace {

using namespace kernel;

// The campaign launches them with warps of 1, 4, 32 or 64 lanes: of four elements most have a lane for each.
const char* const tree_of_lanes =
    "fun main [n] (xs : [n][2][3]i32) : [n][2]i32 =\n"
    "  xs |> mapWorkgroup (mapWarp (\\w -> w |> mapLocal (\\x -> x + 1) |> reduceWarp (\\x a -> x + 3 * a) 5))\n";
const char* const prefixes_of_lanes =
    "fun main [n] (xs : [n][2][4]i32) : [n][2][4]i32 =\n"
    "  xs |> mapWorkgroup (mapWarp (\\w -> w |> mapLocal (\\x -> x + 1) |> scanWarp (\\x a -> x + 3 * a) 5))\n";
// Half a warp of 32 or 64 has fewer lanes than these.
const char* const wide_tree =
    "fun main [n] (xs : [n][1][17]i32) : [n][1]i32 =\n"
    "  xs |> mapWorkgroup (mapWarp (\\w -> w |> mapLocal (\\x -> x + 1) |> reduceWarp (\\x a -> x + 3 * a) 5))\n";

// Of loops over lanes that shuffle, what stands in them changed, which knows the lane by its name.
using LaneChange = std::function<std::vector<Stmt>(const Stmt&, const ParallelFor&)>;
const ParallelFor* lane_loop(const Stmt& s) {
  const auto* p = std::get_if<ParallelFor>(&s.node);
  return p && p->level == Level::Local && has<Shuffle>(*p->body) ? p : nullptr;
}
StmtChange in_lanes(const LaneChange& change) {
  return [change](const Stmt& s) -> std::vector<Stmt> {
    const auto* p = lane_loop(s);
    if (!p) return {s};
    ParallelFor loop = *p;
    loop.body = rewritten(*p->body, StmtChange([&](const Stmt& x) { return change(x, *p); }));
    return {Stmt{std::move(loop)}};
  };
}
LaneChange each_shuffle(const std::function<void(Shuffle&, const ParallelFor&)>& change) {
  return [change](const Stmt& s, const ParallelFor& loop) {
    Stmt out = s;
    if (auto* x = std::get_if<Shuffle>(&out.node)) change(*x, loop);
    return std::vector<Stmt>{std::move(out)};
  };
}

void reads_itself(Shuffle& x, const ParallelFor& loop) { x.lane = variable(loop.name); }
void reads_the_next(Shuffle& x, const ParallelFor&) { x.lane = arith(ArithOp::Add, x.lane, constant(1)); }
void half_as_wide(Shuffle& x, const ParallelFor&) { x.width = std::max(1, x.width / 2); }
void gives_nothing(Shuffle& x, const ParallelFor&) {
  if (!is_float(x.type.scalar)) x.value = constant(make_integer(x.type.scalar, 1));
}

// By the lanes below the last alone; the others keep what they had.
std::vector<Stmt> in_a_branch(const Stmt& s, const ParallelFor& loop) {
  const auto* x = std::get_if<Shuffle>(&s.node);
  if (!x) return {s};
  Shuffle inner = *x;
  inner.name += "_there";
  const Expr some = arith(ArithOp::Less, arith(ArithOp::Add, variable(loop.name), constant(1)), loop.extent);
  Block then{{Stmt{inner}, Stmt{Assign{x->name, variable(inner.name, x->type)}}}};
  return {Stmt{Declare{x->name, x->type, x->value}}, Stmt{If{some, Stmt{std::move(then)}, Stmt{Block{}}}}};
}
std::vector<Stmt> without_condition(const Stmt& s, const ParallelFor&) {
  const auto* i = std::get_if<If>(&s.node);
  return {i ? *i->then : s};
}
std::vector<Stmt> one_lane_less(const Stmt& s) {
  Stmt out = s;
  if (lane_loop(s)) {
    auto& loop = std::get<ParallelFor>(out.node);
    if (const auto n = constant_of(loop.extent); n && *n > 1) loop.extent = constant(*n - 1);
  }
  return {std::move(out)};
}

}  // namespace

void shuffle_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::tools>(all, "warp");
  std::vector<DirectedProgram> directed;
  for (int k = 0; k < 4; ++k)  // each has another launch
    for (const char* const text : {tree_of_lanes, prefixes_of_lanes, wide_tree})
      directed.push_back({text, Machine::Gpu});
  const auto in_stage = [&](const char* name, const char* description, const StmtChange& change) {
    add(name, description, tools_with("shuffles", on_statements(change)), directed);
  };
  in_stage("shuffle-own-lane", "a lane is given what it has itself", in_lanes(each_shuffle(reads_itself)));
  in_stage("shuffle-next-lane", "a lane is given what the next but one gives", in_lanes(each_shuffle(reads_the_next)));
  in_stage("shuffle-half-width", "a shuffle is of half a warp", in_lanes(each_shuffle(half_as_wide)));
  in_stage("shuffle-of-constant", "what is shuffled is not the lane's element", in_lanes(each_shuffle(gives_nothing)));
  in_stage("shuffle-in-branch", "the last lane does not come to a shuffle", in_lanes(in_a_branch));
  in_stage("shuffle-combines-all", "lanes that have nothing to combine combine", in_lanes(without_condition));
  in_stage("shuffle-lane-exited", "the last lane has no iteration", one_lane_less);
}

}  // namespace lockstep::props
