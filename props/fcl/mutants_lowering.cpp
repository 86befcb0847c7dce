// What is made of a program in the calculus, made wrong: masks, orders, lengths.
#include "props/fcl/mutants.h"

namespace lockstep::props::fcl {

namespace {

using namespace texts;
using surface::Expr;
namespace make = surface::make;

InText argument_of(const std::string& name) {
  return [name](Expr e) {
    const auto call = call_of(e, name, 1);
    return call ? Expr((*call)[0]) : e;
  };
}

auto planting(const SizeSolver& solver) {
  return [&solver](std::string name, std::string description, const InText& change,
                   std::vector<std::string> directed = {}) {
    return Mutant{std::move(name), "lowering", std::move(description), lowered_by(change, solver), std::move(directed)};
  };
}

const std::vector<std::string>& interleaved_programs() {
  static const std::vector<std::string> all = {
      "fun main k xs ys = let q = pad 3 0 xs m = length q / 3 in interleave 3 (fn p => snd p * m + fst p) (map (push "
      "<block>) (splitUp 3 q))",
      "fun main k xs ys = let q = map (fn i => i * i) (iota 24) in split2DGrid 2 6 3 2 q |> map (push <block>) |> "
      "concat2DGrid 2 3 6"};
  return all;
}

std::vector<Mutant> interleave_mutants(const SizeSolver& solver) {
  const auto mutant = planting(solver);
  const auto placed = [](const char* place) {
    return "fun main k xs ys = let q = pad 3 0 xs in interleave 3 (fn p => " + std::string(place) +
           ") (map (push <block>) (splitUp 3 q))";
  };
  return {
      mutant("chunks stand one behind the other", "concat's places for the function's",
             of_call("spreadGlobal", 3,
                     [](CallArguments& x) {
                       const Expr row = make::call("fst", {make::name("p")}), n = make::call("i64", {Expr(x[0])});
                       x[1] = make::lambda({make::bind("p")}, make::binary("+", make::binary("*", row, n),
                                                                           make::call("snd", {make::name("p")})));
                     }),
             {placed("fst p * 3"), placed("fst p * 3 - snd p")}),
      mutant("digits count up", "the array for its reverse", argument_of("reverse"), {placed("fst p * 3 + 2 - snd p")}),
      mutant("places are those of the chunks the other way round", "reversed rows for spread",
             of_call("spreadGlobal", 3, [](CallArguments& x) { x[2] = make::call("reverse", {Expr(x[2])}); }),
             {placed("fst p * 3 + (fst p + snd p + 1) % 3")}),
      mutant("chunks are not turned", "the array for swizzle", argument_of("swizzle"),
             {placed("fst p * 3 + (fst p + snd p) % 3")}),
      mutant("a chunk's digits keep their order", "the array for its transpose", argument_of("transpose"),
             interleaved_programs()),
      mutant("tiles keep their order", "the array for mapTranspose", argument_of("mapTranspose"),
             {"fun main k xs ys = let q = map (fn i => i * i) (iota 16) in split2DGrid 2 4 2 2 q |> map (push <block>) "
              "|> concat2DGrid 2 2 4"})};
}

}  // namespace

Toolchain lowered_by(const InText& change, const SizeSolver& solver) {
  Toolchain tools;
  tools.solver = solver;
  tools.lower = [change](const language::Entry& e, const Calculus& calculus, const SizeSolver& asked) {
    return lowered_with(change, language::lowered(e), calculus, asked);
  };
  return tools;
}

std::vector<Mutant> lowering_mutants(const SizeSolver& solver) {
  const auto mutant = planting(solver);
  const std::vector<std::string> loops = {
      "fun main k xs ys = reduce <block> (+) 0 xs",
      "fun main k xs ys = push <grid> (append xs (let a = while (fn a => length a > 1) (fn a => push <grid> (snd "
      "(halve a))) (push <grid> (append ys [k])) in generate 1 (fn i => index a 0)))"};
  std::vector<Mutant> all = interleave_mutants(solver);
  for (Mutant& m : std::vector<Mutant>{
           mutant(
               "a loop goes a round too far", "n <= least",
               of_call("while", 3, [](CallArguments& x) { x[0] = rewritten_text(x[0], another_operator(">", ">=")); }),
               loops),
           mutant("a loop begins with one less", "n - 1",
                  of_call("while", 3,
                          [](CallArguments& x) {
                            if (auto* t = std::get_if<surface::Tuple>(&x[2].node))
                              t->parts[0] = make::binary("-", Expr(t->parts[0]), number("1"));
                          }),
                  loops),
           mutant("branches are exchanged in the calculus", "if c then e else t", branches_exchanged()),
           mutant("differences are exchanged in the calculus", "b - a", exchanged("-")),
           mutant("products are sums in the calculus", "a + b for a * b", another_operator("*", "+")),
           mutant("quotients are remainders in the calculus", "a % b for a / b", another_operator("/", "%"),
                  interleaved_programs()),
           mutant("less is at most in the calculus", "a <= b for a < b", another_operator("<", "<="), loops),
           mutant("minima are maxima in the calculus", "max for min", another_name("min", "max")),
           mutant("assertions hold", "true for a check",
                  [](Expr e) {
                    auto* i = std::get_if<surface::Index>(&e.node);
                    if (i && std::holds_alternative<surface::ArrayLiteral>(i->array->node))
                      i->index = Ref<Expr>(number("0"));
                    return e;
                  },
                  {"fun main k xs ys = push <grid> (map (fn x => assert (x > 0) x) xs)"}),
           mutant("indices are made to fit", "a ! (i % 2) for a ! i", indices_made_to_fit()),
       })
    all.push_back(std::move(m));
  return all;
}

}  // namespace lockstep::props::fcl
