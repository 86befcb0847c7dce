// Loops that are dealt out to a launch's blocks, warps and threads: rounds that are lost or done twice, memory that is
// not a unit's own, barriers that do not know of the next round.
#include "semantics/kernel/units.h"
#include "props/dpia/mutants/parts.h"

namespace lockstep::props {
namespace {

using namespace kernel;

// Blocks that share an array among their threads, and keep nothing else.
const char* const shared_by_blocks =
    "fun main [n] (xs : [2*n]i32) : [2*n]i32 =\n"
    "  xs |> split 2 |> mapWorkgroup (\\b -> mapLocal (\\x -> x * 2) (reverse (toLocal (mapLocal (\\x -> x + 1)) b))) "
    "|> join\n";
const char* const shared_by_warps =
    "fun main [n] (xs : [4*n]i32) : [4*n]i32 =\n"
    "  xs |> split 4 |> mapWorkgroup (\\b -> b |> split 2 |> mapWarp (\\w ->\n"
    "    mapLocal (\\x -> x * 2) (reverse (toLocal (mapLocal (\\x -> x + 1)) w))) |> join) |> join\n";
const char* const for_threads = "fun main [n] (xs : [n]i32) : [n]i32 = xs |> mapGlobal (\\x -> x * x - 3)\n";

// The loop's variable is something else in its body.
void at(ParallelFor& p, const Expr& i) {
  p.body = StmtRef(rewritten(*p.body, ExprChange([&](const Expr& e) { return is_read_of(e, p.name) ? i : e; })));
}
Expr round_of(const ParallelFor& p) { return arith(ArithOp::Divide, variable(p.name), *p.units); }

// What is allocated in the loop, before it: one for all units.
std::vector<Stmt> of_all_units(const Stmt& s) {
  const auto* p = std::get_if<ParallelFor>(&s.node);
  if (!p || p->level != Level::Workgroup) return {s};
  std::vector<Stmt> out;
  const auto leaves = [&](const Allocate& a) {
    if (a.space != Space::Local) return false;
    out.push_back(Stmt{Allocate{a.name, a.type, a.count, Space::Global}});
    return true;
  };
  ParallelFor loop = *p;
  std::erase_if(loop.scratch, leaves);
  loop.body = StmtRef(rewritten(*p->body, StmtChange([&](const Stmt& x) {
    const auto* a = std::get_if<Allocate>(&x.node);
    return a && leaves(*a) ? std::vector<Stmt>{} : std::vector<Stmt>{x};
  })));
  out.push_back(Stmt{std::move(loop)});
  return out;
}

}  // namespace

void unit_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::tools>(all, "units");
  const std::vector<DirectedProgram> directed = {
      {shared_by_blocks, Machine::Gpu}, {shared_by_warps, Machine::Gpu}, {for_threads, Machine::Gpu}};
  const auto loops = [&](const char* name, const char* description, const LoopChange& change) {
    add(name, description, tools_with("virtualise", on_dealt_loops(change)), directed);
  };
  loops("rounds-lost", "what is left after whole rounds is not done", [](ParallelFor& p) {
    p.extent = arith(ArithOp::Multiply, arith(ArithOp::Divide, p.extent, *p.units), *p.units);
  });
  loops("one-round", "a unit has one iteration, whatever there is to do", [](ParallelFor& p) {
    const Expr less = arith(ArithOp::Less, *p.units, p.extent);
    p.extent = {KType{}, Choose{less, *p.units, p.extent}};
  });
  loops("same-round", "every round does the first one's iterations",
        [](ParallelFor& p) { at(p, arith(ArithOp::Modulo, variable(p.name), *p.units)); });
  loops("rounds-overlap", "a round begins one iteration too soon",
        [](ParallelFor& p) { at(p, arith(ArithOp::Subtract, variable(p.name), round_of(p))); });
  loops("unit-for-iteration", "an iteration is told its round", [](ParallelFor& p) { at(p, round_of(p)); });
  loops("unit-too-many", "a loop is dealt out to one unit more than there are",
        [](ParallelFor& p) { p.units = arith(ArithOp::Add, *p.units, constant(1)); });
  loops("no-unit", "a loop is dealt out to no unit at all", [](ParallelFor& p) { p.units = constant(0); });
  loops("lanes-too-many", "a warp's loop is dealt out to more lanes than a warp has", [](ParallelFor& p) {
    if (p.level == Level::Warp)
      p.body = StmtRef(rewritten(*p.body, StmtChange([](const Stmt& s) {
        Stmt out = s;
        if (auto* lanes = std::get_if<ParallelFor>(&out.node))
          lanes->units = arith(ArithOp::Multiply, *lanes->units, constant(2));
        return std::vector<Stmt>{std::move(out)};
      })));
  });
  add("memory-of-all-units", "all blocks have one copy of what each should have",
      tools_with_last(on_statements(of_all_units)), directed);
  add("barriers-of-one-round", "barriers are placed as if every unit had one iteration",
      tools_with([](std::vector<Stage>& stages, Machine machine) {
        if (machine != Machine::Gpu) return;
        const auto placing =
            std::find_if(stages.begin(), stages.end(), [](const Stage& s) { return s.name == "barriers"; });
        placing->run = [barriers = placing->run](const AnyProgram& p, Owed* owed) {
          const KernelTransform undealt = on_dealt_loops([](ParallelFor& loop) { loop.units.reset(); });
          const AnyProgram placed = barriers(AnyProgram(p.language_ref(), undealt(p.as<kernel::Program>())), owed);
          return AnyProgram(placed.language_ref(), dealt_out(placed.as<kernel::Program>()));
        };
      }),
      directed);
}

}  // namespace lockstep::props
