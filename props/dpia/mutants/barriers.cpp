// Barriers between what the threads of a block write and what others read: forgotten, misplaced, in a branch. Random
// programs have few loops over a block's threads, so each has programs of its own.
#include "props/dpia/mutants/parts.h"

namespace lockstep::props {
namespace {

using namespace kernel;

const char* const exchange =
    "fun main [n] (xs : [4*n]i32) : [4*n]i32 =\n"
    "  xs |> split 4 |> mapWorkgroup (\\b ->\n"
    "    mapLocal (\\x -> x * 2) (reverse (toLocal (mapLocal (\\x -> x + 1)) b))) |> join\n";
const char* const exchange_twice =
    "fun main [n] (xs : [4*n]i32) : [4*n]i32 =\n"
    "  xs |> split 4 |> mapWorkgroup (\\b ->\n"
    "    let c = toLocal (mapLocal (\\x -> x + 1)) b in\n"
    "    let d = toLocal (mapLocal (\\x -> x - 3)) (reverse c) in\n"
    "    mapLocal (\\x -> x * 2) (reverse d)) |> join\n";
const char* const exchange_in_rounds =
    "fun main [n] (xs : [4*n]i32) : [4*n]i32 =\n"
    "  xs |> split 4 |> mapWorkgroup (\\b -> iterate 3 (\\s -> mapLocal (\\x -> x * 2 + 1) (reverse s)) b) |> join\n";

bool is_barrier(const Stmt& s) { return std::holds_alternative<Barrier>(s.node); }
const ParallelFor* local_loop(const Stmt& s) {
  const auto* p = std::get_if<ParallelFor>(&s.node);
  return p && p->level == Level::Local ? p : nullptr;
}

std::vector<Stmt> dropped(const Stmt& s) {
  if (is_barrier(s)) return {};
  return {s};
}

// In the body of the loop over threads instead of after it.
std::vector<Stmt> inside_the_loop(const Stmt& s) {
  const auto* p = local_loop(s);
  if (!p) return dropped(s);
  ParallelFor loop = *p;
  loop.body = Stmt{Block{{*p->body, Stmt{Barrier{}}}}};
  return {Stmt{std::move(loop)}};
}
// Where one thread alone goes.
std::vector<Stmt> in_a_thread_branch(const Stmt& s) {
  const auto* p = local_loop(s);
  if (!p) return dropped(s);
  const Expr first = arith(ArithOp::Equal, variable(p->name), constant(0));
  ParallelFor loop = *p;
  loop.body = Stmt{Block{{*p->body, Stmt{If{first, Stmt{Barrier{}}, Stmt{Block{}}}}}}};
  return {Stmt{std::move(loop)}};
}

// All of them before the first loop over threads.
std::vector<Stmt> before_the_loops(const Stmt& s) {
  const auto* b = std::get_if<Block>(&s.node);
  if (!b) return {s};
  Block out;
  for (const Stmt& x : b->statements)
    if (is_barrier(x)) out.statements.push_back(x);
  for (const Stmt& x : b->statements)
    if (!is_barrier(x)) out.statements.push_back(x);
  return {Stmt{std::move(out)}};
}

// Only in the blocks where the condition holds; every thread of a block agrees on it.
std::vector<Stmt> in_the_first_block(const Stmt& s) {
  const auto* p = std::get_if<ParallelFor>(&s.node);
  if (!p || p->level != Level::Workgroup) return {s};
  const Expr first = arith(ArithOp::Equal, variable(p->name), constant(0));
  ParallelFor loop = *p;
  loop.body = rewritten(*p->body, StmtChange([&](const Stmt& x) -> std::vector<Stmt> {
    if (!is_barrier(x)) return {x};
    return {Stmt{If{first, Stmt{Barrier{}}, Stmt{Block{}}}}};
  }));
  return {Stmt{std::move(loop)}};
}

// Only in the first round of a loop around it.
std::vector<Stmt> in_the_first_round(const Stmt& s) {
  const auto* f = std::get_if<For>(&s.node);
  if (!f) return {s};
  const Expr first = arith(ArithOp::Equal, variable(f->name), constant(0));
  For loop = *f;
  loop.body = rewritten(*f->body, StmtChange([&](const Stmt& x) -> std::vector<Stmt> {
    if (!is_barrier(x)) return {x};
    return {Stmt{If{first, x, Stmt{Block{}}}}};
  }));
  return {Stmt{std::move(loop)}};
}

// A copy for each thread of what the block shares.
std::vector<Stmt> private_to_threads(const Stmt& s) {
  const auto* a = std::get_if<Allocate>(&s.node);
  if (!a || a->space != Space::Local) return {s};
  Allocate own = *a;
  own.space = Space::Private;
  return {Stmt{std::move(own)}};
}

}  // namespace

void barrier_mutants(std::vector<Mutant>& all) {
  const auto add = [&](const char* name, const char* description, KernelTransform transform) {
    Mutant m{name, "barrier", description, standard_calculus, tools_with_last(std::move(transform))};
    m.directed = {{exchange, Machine::Gpu}, {exchange_twice, Machine::Gpu}, {exchange_in_rounds, Machine::Gpu}};
    all.push_back(std::move(m));
  };
  add("barriers-forgotten", "there is no barrier", on_statements(dropped));
  add("barrier-forgotten", "the first barrier is missing", on_first_statement(dropped));
  add("barrier-in-loop", "the barrier stands in the loop over threads", on_statements(inside_the_loop));
  add("barrier-in-thread-branch", "one thread alone meets the barrier", on_statements(in_a_thread_branch));
  add("barrier-in-block-branch", "only the first block has the barrier", on_statements(in_the_first_block));
  add("barrier-in-first-round", "a barrier in a loop stands in its first round alone",
      on_statements(in_the_first_round));
  add("barriers-before-loops", "the barriers stand before the loops that they should follow",
      on_statements(before_the_loops));
  add("shared-array-private", "each thread has a copy of an array that the block should share",
      on_statements(private_to_threads));
}

}  // namespace lockstep::props
