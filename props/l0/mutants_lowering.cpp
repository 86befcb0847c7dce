// What is made of a program in the calculus, made wrong: names, orders, bounds.
#include "props/l0/mutants.h"
#include "semantics/functional/syntax/make.h"
#include "semantics/functional/syntax/walk.h"

namespace lockstep::props::l0 {
namespace {

using surface::Expr;
namespace make = surface::make;
using InText = std::function<Expr(Expr)>;  // of one node, after what is in it

const Expr& node_of(const Expr& e) { return e; }
const Expr& node_of(const Ref<Expr>& e) { return *e; }
Expr rewritten_text(const Expr& e, const InText& change) {
  Expr out = e;
  surface::each_child(out, [&](auto& c) { c = rewritten_text(node_of(c), change); });
  return change(std::move(out));
}

Mutant lowering_mutant(const SizeSolver& solver, std::string name, std::string description, const InText& change,
                       std::vector<std::string> directed = {}) {
  Toolchain tools = Toolchain::standard(solver);
  tools.lower = [change](const language::Entry& e, const Calculus& calculus,
                         const SizeSolver& asked) -> tl::expected<language::InCalculus, language::NotLowered> {
    const auto made = language::lowered(e);
    if (!made) return tl::unexpected(made.error());
    language::Lowered wrong = *made;
    wrong.definition.body = rewritten_text(wrong.definition.body, change);
    try {
      return language::with_types(std::move(wrong), calculus, asked);
    } catch (const Bug&) {  // types would show it
      return language::with_types(*made, calculus, asked);
    }
  };
  return {std::move(name), "lowering", std::move(description), std::move(tools), std::move(directed)};
}

using CallArguments = std::vector<Expr>;
// The arguments of a call of that many, by the name or operator that is called; nothing where e is no such call.
std::optional<CallArguments> call_of(const Expr& e, const std::string& name, std::size_t arguments) {
  CallArguments out;
  const Expr* at = &e;
  for (; out.size() < arguments; at = &*std::get<surface::Apply>(at->node).function) {
    const auto* a = std::get_if<surface::Apply>(&at->node);
    if (!a) return {};
    out.insert(out.begin(), *a->argument);
  }
  const auto* n = std::get_if<surface::Name>(&at->node);
  const auto* o = std::get_if<surface::Operator>(&at->node);
  return (n && n->name == name) || (o && o->symbol == name) ? std::optional(std::move(out)) : std::nullopt;
}
Expr with_arguments(Expr e, CallArguments arguments) {
  if (arguments.empty()) return e;
  surface::Apply a = std::get<surface::Apply>(e.node);
  a.argument = std::move(arguments.back());
  arguments.pop_back();
  a.function = with_arguments(*a.function, std::move(arguments));
  return {std::move(a), e.region};
}
InText of_call(const std::string& name, std::size_t arguments, const std::function<void(CallArguments&)>& f) {
  return [=](Expr e) {
    auto all = call_of(e, name, arguments);
    if (!all) return e;
    f(*all);
    return with_arguments(std::move(e), std::move(*all));
  };
}
InText exchanged(const std::string& name) {
  return of_call(name, 2, [](CallArguments& x) { std::swap(x[0], x[1]); });
}
Expr number(const char* digits) { return {surface::Literal{digits, ScalarType::I64}, {}}; }

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
      mutant("scans are exclusive", "scanExclusive in the place of scan",
             [](Expr e) {
               if (auto* n = std::get_if<surface::Name>(&e.node); n && n->name == "scan") n->name = "scanExclusive";
               return e;
             }),
      mutant("arrays are joined the other way round", "concat b a", exchanged("concat")),
      mutant("loops begin at 1", "the rounds' numbers are one more",
             of_call("reduceSeq", 3,
                     [](CallArguments& x) {
                       if (!call_of(x[2], "iota", 1)) return;
                       Expr more = make::lambda({make::bind("i")}, make::binary("+", make::name("i"), number("1")));
                       x[2] = make::call("map", {std::move(more), Expr(x[2])});
                     })),
      mutant("loops that a run counts go a round too far", "i <= rounds",
             of_call("while", 3,
                     [](CallArguments& x) {
                       x[0] = rewritten_text(x[0], [](Expr e) {
                         if (auto* o = std::get_if<surface::Operator>(&e.node); o && o->symbol == "<") o->symbol = "<=";
                         return e;
                       });
                     }),
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
      mutant("branches are exchanged in the calculus", "if c then e else t",
             [](Expr e) {
               if (auto* i = std::get_if<surface::If>(&e.node)) std::swap(i->then, i->otherwise);
               return e;
             }),
      mutant("differences are exchanged in the calculus", "b - a", exchanged("-")),
      mutant("products of reals are sums", "a + b for a * b",
             [](Expr e) {
               if (auto* o = std::get_if<surface::Operator>(&e.node); o && o->symbol == "*") o->symbol = "+";
               return e;
             }),
      mutant("indices are made to fit", "a ! (i % 2) for a ! i",
             [](Expr e) {
               auto* i = std::get_if<surface::Index>(&e.node);
               if (i && !std::holds_alternative<surface::Literal>(i->index->node))
                 i->index = Ref<Expr>(make::binary("%", Expr(*i->index), number("2")));
               return e;
             }),
      mutant("minima are maxima", "max for min",
             [](Expr e) {
               if (auto* n = std::get_if<surface::Name>(&e.node); n && n->name == "min") n->name = "max";
               return e;
             }),
  };
}

}  // namespace lockstep::props::l0
