// What the stages of the calculus make of a program of FCL, made wrong as for .dpia (props/dpia/mutants): barriers,
// loops that are dealt out, state. Programs of a block's threads, of warps, and of rounds in a block show them.
#include "props/dpia/mutants/parts.h"
#include "props/fcl/mutants.h"

namespace lockstep::props::fcl {
namespace {

using kernel::Stmt;

// Behind loops of as many threads as a warp has, or fewer (J. Svensson's Obsidian, Force.hs).
std::vector<Stmt> without_small_barriers(const Stmt& s) {
  const auto* b = std::get_if<kernel::Block>(&s.node);
  if (!b) return {s};
  kernel::Block out;
  const kernel::ParallelFor* before = nullptr;
  for (const Stmt& x : b->statements) {
    const auto n = before ? kernel::constant_of(before->extent) : std::nullopt;
    const bool small = n && *n <= 32;
    if (!(small && std::holds_alternative<kernel::Barrier>(x.node))) out.statements.push_back(x);
    if (const auto* loop = std::get_if<kernel::ParallelFor>(&x.node)) before = loop;
  }
  return {Stmt{std::move(out)}};
}

// In the rounds of a `while`.
std::vector<Stmt> without_barriers_of_rounds(const Stmt& s) {
  const auto* w = std::get_if<kernel::While>(&s.node);
  if (!w) return {s};
  kernel::While out = *w;
  out.body = kernel::StmtRef(kernel::rewritten(*w->body, kernel::StmtChange([](const Stmt& x) {
    return std::holds_alternative<kernel::Barrier>(x.node) ? std::vector<Stmt>{} : std::vector<Stmt>{x};
  })));
  return {Stmt{std::move(out)}};
}

}  // namespace

std::vector<Mutant> kernel_mutants(const SizeSolver& solver) {
  const std::vector<std::string> directed = {
      // a force in a block, twice; in a warp; rounds in a block
      "fun main k xs = splitUp 4 (pad 4 k xs) |> map (fn c => push <block> (reverse (force (push <block> (map (fn x => "
      "x * 2) c))))) |> concat 4",
      "fun main k xs = splitUp 4 (pad 4 k xs) |> map (fn c => push <block> (reverse (force (push <block> (map (fn x => "
      "x - 1) (reverse (force (push <block> (map (fn x => x * 2) c))))))))) |> concat 4",
      "fun main k xs = splitUp 4 (pad 4 k xs) |> map (fn c => push <warp> (reverse (force (push <warp> (map (fn x => x "
      "* 2) c))))) |> concat 4",
      "fun main k xs = splitUp 4 (pad 4 k xs) |> map (fn c => push <block> (while (fn a => index a 0 + index a 3 < 20) "
      "(fn a => push <block> (map (fn x => abs x + 1) (reverse a))) (push <block> c))) |> concat 4",
      "fun main xs = push <grid> (map (fn x => x * x - 3) xs)",
      "fun main k xs = push <grid> (map (fn x => foldl (fn a b => a * 3 + b) x [k, 2, 1]) xs |> map (fn a => force a) "
      "|> map (fn a => index a 0))"};
  std::vector<Mutant> all;
  const auto add = [&](std::string name, std::string description, const StageList& stages) {
    Toolchain tools;
    tools.solver = solver, tools.stages = stages, tools.machine = Machine::Gpu;
    all.push_back({std::move(name), "kernel", std::move(description), std::move(tools), directed});
  };
  static constexpr std::string_view known[] = {"barriers-forgotten",
                                               "barrier-forgotten",
                                               "barrier-in-loop",
                                               "barrier-in-thread-branch",
                                               "barriers-before-loops",
                                               "shared-array-private",
                                               "warp-barriers-forgotten",
                                               "rounds-lost",
                                               "one-round",
                                               "same-round",
                                               "unit-for-iteration",
                                               "in-place-too-early",
                                               "copy-back-dropped"};
  for (const props::Mutant& m : props::mutants())
    if (std::find(std::begin(known), std::end(known), m.name) != std::end(known))
      add(m.name, m.description, m.tools.stages);
  add("no barrier between rounds", "the rounds of a `while` have no barrier",
      tools_with_last(on_statements(without_barriers_of_rounds)).stages);
  add("no barrier for a warp's worth", "no barrier behind a loop of 32 threads or fewer",
      tools_with_last(on_statements(without_small_barriers)).stages);
  return all;
}

}  // namespace lockstep::props::fcl
