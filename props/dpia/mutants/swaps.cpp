// States that are swapped.
#include "props/dpia/mutants/parts.h"

namespace lockstep::props {
namespace {

using namespace kernel;

const char* const counted = "fun main [n] (k : nat) (xs : [n]i32) : [n]i32 = iterate k reverse xs\n";
const char* const numbered =
    "fun main [n] (xs : [n]i64) : [n]i64 =\n"
    "  let (_, ys) = while (\\(i, _) -> i < n) (\\(i, s) -> (i + 1, map (\\x -> x * 3 + i) (reverse s))) (0, xs) in "
    "ys\n";
const char* const until =
    "fun main [n] (xs : [n]i32) : [n]i32 =\n"
    "  while (\\s -> n > 0 && s ! 0 < 50) (\\s -> map (\\x -> x + 7) (reverse s)) xs\n";

// Of loops of two rounds, in the order of their numbers.
KernelTransform on_two_rounds(const std::function<void(kernel::Block& rounds)>& change) {
  return on_statements([change](const Stmt& s) {
    Stmt out = s;
    const auto change_in = [&](StmtRef& body) {
      const auto* b = std::get_if<kernel::Block>(&body->node);
      if (!b || b->statements.size() != 2) return;
      kernel::Block rounds = *b;
      change(rounds);
      body = StmtRef(Stmt{std::move(rounds), body->region});
    };
    auto* loop = std::get_if<For>(&out.node);
    const auto* pairs = loop ? std::get_if<Arith>(&loop->extent.node) : nullptr;
    if (pairs && pairs->op == ArithOp::Divide) change_in(loop->body);
    if (auto* w = std::get_if<While>(&out.node)) change_in(w->body);
    return std::vector<Stmt>{std::move(out)};
  });
}

}  // namespace

void swap_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::tools>(all, "state");
  add("swaps-not-back", "both rounds go from the state to the other array",
      tools_with("swaps", on_two_rounds([](kernel::Block& rounds) {
                   if (auto* branch = std::get_if<If>(&rounds.statements[1].node))
                     branch->then = StmtRef(rounds.statements[0]);
                   else
                     rounds.statements[1] = rounds.statements[0];
                 })),
      {{counted}, {until}});
  add("swaps-copy-left-out", "behind an odd number of rounds the state is where it was made",
      tools_with("swaps", on_two_rounds([](kernel::Block& rounds) {
                   if (auto* branch = std::get_if<If>(&rounds.statements[1].node))
                     branch->otherwise = StmtRef(Stmt{kernel::Block{}});
                 })),
      {{until}});
  add("swaps-last-round-left-out", "what is left of pairs of rounds is not done",
      tools_with("swaps", on_statements([](const Stmt& s) -> std::vector<Stmt> {
                   const auto* loop = std::get_if<For>(&s.node);
                   const auto* rest = loop ? std::get_if<Arith>(&loop->extent.node) : nullptr;
                   if (rest && rest->op == ArithOp::Modulo) return {};
                   return {s};
                 })),
      {{counted}});
  add("swaps-number-of-the-first", "the second of two rounds has the number of the first",
      tools_with("swaps", on_two_rounds([](kernel::Block& rounds) {
                   rounds.statements[1] = rewritten(rounds.statements[1], ExprChange([](const Expr& e) {
                                                      const auto* sum = std::get_if<Arith>(&e.node);
                                                      const bool next =
                                                          sum && sum->op == ArithOp::Add &&
                                                          std::holds_alternative<Arith>(sum->left->node) &&
                                                          constant_of(*sum->right) == 1;
                                                      return next ? *sum->left : e;
                                                    }));
                 })),
      {{numbered}});
}

}  // namespace lockstep::props
