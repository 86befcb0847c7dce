// Loops by digits, arithmetic on i64 that becomes arithmetic on indices, and what is unread.
#include "props/dpia/mutants/parts.h"

namespace lockstep::props {
namespace {

using namespace kernel;

// Of a loop in order that holds another, and nothing else.
KernelTransform on_two(const std::function<void(For& outer, For& inner)>& change) {
  return on_statements([change](const Stmt& s) {
    Stmt out = s;
    auto* outer = std::get_if<For>(&out.node);
    if (const auto* within = outer ? std::get_if<For>(&outer->body->node) : nullptr) {
      For inner = *within;
      change(*outer, inner);
      outer->body = StmtRef(Stmt{std::move(inner), outer->body->region});
    }
    return std::vector<Stmt>{std::move(out)};
  });
}

const char* const columns =
    "fun main [n m] (xs : [n*m]i32) : [n*m]i32 where 1 <= m = join (transpose (split m (mapSeq (\\x -> x + 1) xs)))\n";
const char* const products =
    "fun main [n] (k : i64) (xs : [n]i64) : [n]i64 = mapSeq (\\i -> i64 i * 4611686018427387904 / 4611686018427387904) "
    "(indices n)\n";

}  // namespace

void digit_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::tools>(all, "index");
  add("digits-exchanged", "the loops over a quotient and a remainder have each other's extent",
      tools_with("digits", on_two([](For& outer, For& inner) { std::swap(outer.extent, inner.extent); })), {{columns}});
  add("digits-one-less", "the last quotient is left out",
      tools_with("digits",
                 on_two([](For& outer, For&) { outer.extent = arith(ArithOp::Subtract, outer.extent, constant(1)); })),
      {{columns}});
  add("digits-of-what-wraps", "sums and products of i64 are arithmetic on indices wherever they stand",
      tools_with("digits",
                 [](const Program&, const Program& before) { return by_digits(on_expressions(unwrapped)(before)); }),
      {{products}});
  add("unread-accumulated", "what a loop in order goes on with is taken to be unread",
      tools_with("unread", on_statements([](const Stmt& s) {
                   const auto* loop = std::get_if<For>(&s.node);
                   if (!loop) return std::vector{s};
                   For out = *loop;
                   out.body = rewritten(*loop->body, StmtChange([](const Stmt& inner) {
                     const bool goes = std::holds_alternative<kernel::Assign>(inner.node);
                     return goes ? std::vector<Stmt>{} : std::vector{inner};
                   }));
                   return std::vector{Stmt{std::move(out), s.region}};
                 })),
      {{"fun main (xs : [9]i32) : [9]i32 = scan (-) 3 xs\n"}});
}

}  // namespace lockstep::props
