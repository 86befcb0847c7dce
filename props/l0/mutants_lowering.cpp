// What is made of a program in the calculus, made wrong: names, orders, bounds.
#include "props/dpia/text_mutants.h"
#include "props/l0/mutants.h"

namespace lockstep::props::l0 {
namespace {

using namespace texts;
using surface::Expr;
namespace make = surface::make;

Mutant lowering_mutant(const SizeSolver& solver, std::string name, std::string description, const InText& change,
                       std::vector<std::string> directed = {}) {
  Toolchain tools = Toolchain::standard(solver);
  tools.lower = [change](const language::Entry& e, const Calculus& calculus, const SizeSolver& asked) {
    return lowered_with(change, language::lowered(e), calculus, asked);
  };
  return {std::move(name), "lowering", std::move(description), std::move(tools), std::move(directed)};
}

// Patterns of a function's parameters, of one type where types hold.
void exchange_patterns(Expr& f) {
  auto* l = std::get_if<surface::Lambda>(&f.node);
  const auto is_name = [](const surface::Pattern& p) { return std::holds_alternative<surface::NamePattern>(p.node); };
  if (l && l->patterns.size() == 2 && is_name(l->patterns[0]) && is_name(l->patterns[1]))
    std::swap(l->patterns[0], l->patterns[1]);
}

}  // namespace

std::vector<Mutant> lowering_mutants(const SizeSolver& solver) {
  const auto mutant = [&](const char* name, const char* description, const InText& change,
                          std::vector<std::string> directed = {}) {
    return lowering_mutant(solver, name, description, change, std::move(directed));
  };
  const auto on_function = [](const std::string& loop) {
    return of_call(loop, 3, [](CallArguments& x) { exchange_patterns(x[0]); });
  };
  return {
      mutant("folds take the accumulator first", "reduceSeq (\\acc x -> ...)", on_function("reduceSeq"),
             {"fun int main() = reduce(fn int (int a, int b) => a - b, 10, iota(4))"}),
      mutant("scans take the accumulator first", "scan (\\acc x -> ...)", on_function("scan"),
             {"fun [int] main() = scan(fn int (int a, int b) => a - b, 10, iota(4))"}),
      mutant("scans are exclusive", "scanExclusive in the place of scan", another_name("scan", "scanExclusive")),
      mutant("arrays are joined the other way round", "concat b a", exchanged("concat")),
      mutant("loops begin at 1", "the rounds' numbers are one more",
             of_call("reduceSeq", 3,
                     [](CallArguments& x) {
                       if (!call_of(x[2], "iota", 1)) return;
                       Expr more = make::lambda({make::bind("i")}, make::binary("+", make::name("i"), number("1")));
                       x[2] = make::call("map", {std::move(more), Expr(x[2])});
                     })),
      mutant("loops that a run counts go a round too far", "i <= rounds",
             of_call("while", 3, [](CallArguments& x) { x[0] = rewritten_text(x[0], another_operator("<", "<=")); }),
             {"fun int main() = let k = reduce(op +, 0, iota(4)) in loop (s = 0) = for i < k do s + i in s"}),
      mutant("updates write the row's index", "update xs i i",
             of_call("update", 3,
                     [](CallArguments& x) {
                       if (std::holds_alternative<surface::Name>(x[1].node)) x[2] = x[1];
                     }),
             {"fun [int] main(int n) = let a = iota(5) in let i = n % 3 in let a[abs(i)] = 7 in a"}),
      mutant("updates are lost", "the array as it was",
             [](Expr e) {
               const auto call = call_of(e, "update", 3);
               return call ? (*call)[0] : e;
             }),
      mutant("branches are exchanged in the calculus", "if c then e else t", branches_exchanged()),
      mutant("differences are exchanged in the calculus", "b - a", exchanged("-")),
      mutant("products of reals are sums", "a + b for a * b", another_operator("*", "+")),
      mutant("indices are made to fit", "a ! (i % 2) for a ! i", indices_made_to_fit()),
      mutant("minima are maxima", "max for min", another_name("min", "max")),
  };
}

}  // namespace lockstep::props::l0
