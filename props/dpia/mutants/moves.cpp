// Transposes in blocks of short vectors.
#include "props/dpia/mutants/parts.h"

namespace lockstep::props {
namespace {

using namespace kernel;

const char* const turned =
    "fun main (a : [19][9]i32) : [9][19]i32 = mapSeq (\\r -> mapSeq (\\x -> x) r) (transpose a)\n";

// Of loops whose body is not a store of one element.
KernelTransform on_loops(const std::function<std::vector<Stmt>(const For&, const Stmt&)>& change) {
  return on_statements([change](const Stmt& s) {
    const auto* loop = std::get_if<For>(&s.node);
    return loop ? change(*loop, s) : std::vector{s};
  });
}

}  // namespace

void transpose_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::tools>(all, "index");
  add("transposes-lane-exchanged", "vectors are built of their lanes' neighbours",
      tools_with("moves", on_expressions([](const Expr& e) {
                   const auto* l = std::get_if<Lane>(&e.node);
                   const auto k = l ? constant_of(*l->lane) : std::nullopt;
                   return k ? Expr{e.type, Lane{l->vector, constant(*k ^ 1)}, e.region} : e;
                 })),
      {{"fun main (x : [1]f32<2>) : f32 = lanes (x ! 0) ! 0\n"}});
  add("transposes-rest-left-out", "of what no block has nothing is moved",
      tools_with("moves", on_loops([](const For& loop, const Stmt& s) -> std::vector<Stmt> {
                   if (has<If>(*loop.body) || has<Declare>(s)) return {s};
                   return {};
                 })),
      {{turned}});
  add("transposes-last-strip-left-out", "the strip that is not whole is not moved",
      tools_with("moves", on_statements([](const Stmt& s) -> std::vector<Stmt> {
                   Stmt out = s;
                   if (auto* branch = std::get_if<If>(&out.node)) branch->otherwise = StmtRef(Stmt{kernel::Block{}});
                   return {out};
                 })),
      {{turned}});
  add("transposes-strips-whole", "each strip is taken for a whole one",
      tools_with("moves", on_statements([](const Stmt& s) -> std::vector<Stmt> {
                   const auto* branch = std::get_if<If>(&s.node);
                   return {branch ? *branch->then : s};
                 })),
      {{turned}});
}

}  // namespace lockstep::props
