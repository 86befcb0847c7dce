// Atomic updates: some that are none, by another operator, by one whose order counts, or with no barrier between them
// and what is read.
#include "props/dpia/mutants/parts.h"

namespace lockstep::props {
namespace {

using namespace kernel;

const char* const counted_by_all =
    "fun main [n] (xs : [n]i32) : [3]i32 =\n"
    "  permuteGlobal (+) (replicate 3 5) (mapGlobal (\\x -> i64 (x % 3)) xs) (mapGlobal (\\x -> x * 2 + 1) xs)\n";
const char* const counted_in_blocks =
    "fun main [n] (xs : [4*n]i32) : [3*n]i32 =\n"
    "  xs |> split 4 |> mapWorkgroup (\\b ->\n"
    "    let places = toLocal (mapLocal (\\x -> i64 (x % 3))) b in\n"
    "    mapLocal (\\x -> x + 1) (reverse (permuteLocal (+) (replicate 3 7) places b))) |> join\n";

// What it computes, by the operator `op`, or by its own.
Expr updated(const Atomic& a, const Expr& value) {
  const KType t = value.type;
  return {t, Apply{a.primitive, t, {value, load(a.buffer, t.scalar, a.index)}}};
}
using AtomicChange = std::function<Stmt(const Atomic&)>;
StmtChange on_atomics(const AtomicChange& change) {
  return [change](const Stmt& s) {
    const auto* a = std::get_if<Atomic>(&s.node);
    return std::vector<Stmt>{a ? change(*a) : s};
  };
}
Stmt by(const Atomic& a, std::string_view op) {
  static const Calculus calculus = standard_calculus();
  Atomic out = a;
  out.primitive = calculus.primitive(op);
  return Stmt{std::move(out)};
}

// The first barrier of a block before or behind its updates.
StmtChange without_barrier(bool behind) {
  return [behind](const Stmt& s) -> std::vector<Stmt> {
    const auto* b = std::get_if<Block>(&s.node);
    if (!b) return {s};
    const auto& all = b->statements;
    const auto updates = std::find_if(all.begin(), all.end(), [](const Stmt& x) { return has<Atomic>(x); });
    const auto from = behind ? updates : all.begin(), to = behind ? all.end() : updates;
    const auto barrier = std::find_if(from, to, [](const Stmt& x) { return std::holds_alternative<Barrier>(x.node); });
    if (updates == all.end() || barrier == to) return {s};
    Block out = *b;
    out.statements.erase(out.statements.begin() + (barrier - all.begin()));
    return {Stmt{std::move(out)}};
  };
}

}  // namespace

void atomic_mutants(std::vector<Mutant>& all) {
  const auto add = [&](const char* name, const char* description, const StmtChange& change) {
    Mutant m{name, "atomic", description, standard_calculus, tools_with_last(on_statements(change))};
    m.directed = {{counted_by_all, Machine::Gpu}, {counted_in_blocks, Machine::Gpu}};
    all.push_back(std::move(m));
  };
  add("atomic-in-two-steps", "an update reads and then writes, not at once", on_atomics([](const Atomic& a) {
        return Stmt{Store{a.buffer, a.index, updated(a, a.value)}};
      }));
  add("atomic-overwrites", "an update forgets what was there", on_atomics([](const Atomic& a) {
        return Stmt{Store{a.buffer, a.index, a.value}};
      }));
  add("atomic-other-operator", "updates are by another operator",
      on_atomics([](const Atomic& a) { return by(a, a.primitive->name == "+" ? "max" : "+"); }));
  add("atomic-order-counts", "updates are by an operator that does not commute",
      on_atomics([](const Atomic& a) { return by(a, "-"); }));
  add("atomic-twice", "each update is made twice", on_atomics([](const Atomic& a) {
        return Stmt{Block{{Stmt{a}, Stmt{a}}}};
      }));
  add("atomic-of-the-first-place", "all updates are of one scalar", on_atomics([](const Atomic& a) {
        return Stmt{Atomic{a.buffer, constant(0), a.primitive, a.value}};
      }));
  add("barrier-before-atomics-forgotten", "what is updated may not be written yet", without_barrier(false));
  add("barrier-after-atomics-forgotten", "what is read may be updated still", without_barrier(true));
}

}  // namespace lockstep::props
