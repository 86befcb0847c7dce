// Loops by digits, and arithmetic on i64 that becomes arithmetic on indices.
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
}

}  // namespace lockstep::props
