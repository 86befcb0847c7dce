// Warps: barriers of theirs that are forgotten, misplaced or of the wrong scope, memory that is not each warp's own,
// loops that run elsewhere.
#include "props/dpia/mutants/parts.h"

namespace lockstep::props {
namespace {

using namespace kernel;

const char* const exchange_in_warps =
    "fun main [n] (xs : [8*n]i32) : [8*n]i32 =\n"
    "  xs |> split 8 |> mapWorkgroup (\\b -> b |> split 4 |> mapWarp (\\w ->\n"
    "    mapLocal (\\x -> x * 2) (reverse (toLocal (mapLocal (\\x -> x + 1)) w))) |> join) |> join\n";
const char* const exchange_then_block =
    "fun main [n] (xs : [8*n]i32) : [8*n]i32 =\n"
    "  xs |> split 8 |> mapWorkgroup (\\b ->\n"
    "    let c = toLocal (\\ys -> ys |> split 4 |> mapWarp (\\w ->\n"
    "      mapLocal (\\x -> x * 2) (reverse (toLocal (mapLocal (\\x -> x + 1)) w))) |> join) b in\n"
    "    mapLocal (\\x -> x - 3) (reverse c)) |> join\n";

bool is_barrier(const Stmt& s, Level scope) {
  const auto* b = std::get_if<Barrier>(&s.node);
  return b && b->scope == scope;
}
const ParallelFor* warp_loop(const Stmt& s) {
  const auto* p = std::get_if<ParallelFor>(&s.node);
  return p && p->level == Level::Warp ? p : nullptr;
}

StmtChange without(Level scope) {
  return [scope](const Stmt& s) { return is_barrier(s, scope) ? std::vector<Stmt>{} : std::vector<Stmt>{s}; };
}
StmtChange turned_into(Level from, Level to) {
  return [from, to](const Stmt& s) { return std::vector<Stmt>{is_barrier(s, from) ? Stmt{Barrier{to}} : s}; };
}

// The loop's body changed, which knows the warp by its number.
StmtChange in_warps(const std::function<std::vector<Stmt>(const Stmt&, const ParallelFor&)>& change) {
  return [change](const Stmt& s) -> std::vector<Stmt> {
    const auto* p = warp_loop(s);
    if (!p) return {s};
    ParallelFor loop = *p;
    loop.body = rewritten(*p->body, StmtChange([&](const Stmt& x) { return change(x, *p); }));
    return {Stmt{std::move(loop)}};
  };
}
// Every lane of the warp agrees on the condition.
std::vector<Stmt> for_the_first_warp(const Stmt& s, const ParallelFor& loop) {
  if (!is_barrier(s, Level::Warp)) return {s};
  const Expr first = arith(ArithOp::Equal, variable(loop.name), constant(0));
  return {Stmt{If{first, s, Stmt{Block{}}}}};
}
std::vector<Stmt> private_to_lanes(const Stmt& s, const ParallelFor&) {
  Stmt out = s;
  if (auto* a = std::get_if<Allocate>(&out.node)) a->space = Space::Private;
  return {std::move(out)};
}
// What each warp should have, before the loop: the block's.
std::vector<Stmt> of_the_block(const Stmt& s) {
  const auto* p = warp_loop(s);
  if (!p) return {s};
  std::vector<Stmt> out;
  ParallelFor loop = *p;
  loop.body = rewritten(*p->body, StmtChange([&](const Stmt& x) -> std::vector<Stmt> {
    if (!std::holds_alternative<Allocate>(x.node)) return {x};
    out.push_back(x);
    return {};
  }));
  out.push_back(Stmt{std::move(loop)});
  return out;
}

PhraseRef at_level(const PhraseRef& p, Level from, Level to) {
  const auto* x = as<ImpPhrase>(*p);
  const auto* loop = x ? as<imp::ParFor>(*x) : nullptr;
  if (!loop || loop->level != from) return p;
  ImpPhrase y = *x;
  y.constant = imp::ParFor{to};
  return Phrase{p->type, std::move(y), p->region};
}

}  // namespace

void warp_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::tools>(all, "warp");
  const std::vector<DirectedProgram> directed = {{exchange_in_warps, Machine::Gpu},
                                                 {exchange_then_block, Machine::Gpu}};
  const auto in_last = [&](const char* name, const char* description, const StmtChange& change) {
    add(name, description, tools_with_last(on_statements(change)), directed);
  };
  in_last("warp-barriers-forgotten", "no warp has a barrier", without(Level::Warp));
  in_last("warp-barrier-in-branch", "only the first warp has the barrier", in_warps(for_the_first_warp));
  in_last("warp-barrier-of-block", "a warp meets the block's barrier", turned_into(Level::Warp, Level::Workgroup));
  in_last("warps-without-block-barrier", "the block has no barrier after its warps", without(Level::Workgroup));
  in_last("warp-barrier-for-block", "the block's barriers hold one warp", turned_into(Level::Workgroup, Level::Warp));
  in_last("warp-array-private", "each lane has a copy of an array that the warp should share",
          in_warps(private_to_lanes));
  in_last("warp-array-of-block", "the warps of a block share an array that each should have", of_the_block);
  for (const auto& [name, description, to] :
       {std::tuple{"warps-as-threads", "a loop over warps runs over the block's threads", Level::Local},
        {"warps-as-blocks", "a loop over warps runs over blocks", Level::Workgroup}})
    add(name, description,
        tools_with("loops", on_phrases([to = to](const PhraseRef& p) { return at_level(p, Level::Warp, to); })),
        directed);
  add("lanes-as-warps", "a loop over a block's threads runs over its warps",
      tools_with("loops", on_phrases([](const PhraseRef& p) { return at_level(p, Level::Local, Level::Warp); })),
      directed);
}

}  // namespace lockstep::props
