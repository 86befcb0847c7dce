// What is known of a program, made wrong: uses and consumptions that are left out (l0.md §2, F; errata E2, E3, E5).
#include <algorithm>

#include "props/l0/mutants.h"

namespace lockstep::props::l0 {
namespace {

using fusion::Block, fusion::Graph, fusion::Kind, fusion::Statement;

Mutant mutant(std::string name, std::string description, std::function<Graph(const Graph&)> wrong,
              std::vector<std::string> directed = {}) {
  fusion::Parts parts{std::move(wrong), nullptr};
  return {std::move(name),
          "graph",
          std::move(description),
          {[parts](const language::Entry& e, language::FusionMode mode) { return language::trace_of(e, mode, parts); }},
          std::move(directed)};
}
std::function<Graph(const Graph&)> statements(const std::function<void(Statement&)>& change) {
  return [change](const Graph& g) { return g.changed(change, [](Block&) {}); };
}

void without_names_that_it_does_not_name(Statement& s) {
  std::erase_if(s.consumed, [&](fusion::Name n) {
    const auto names = [n](const std::vector<fusion::Use>& uses) {
      return std::any_of(uses.begin(), uses.end(), [n](const fusion::Use& u) { return u.name == n; });
    };
    return !names(s.uses) && !names(s.inputs);
  });
}
// The bodies of these are run once, as far as is known.
std::function<Graph(const Graph&)> run_once(const std::function<bool(const Statement&)>& these) {
  return [these](const Graph& g) {
    std::vector<bool> once;
    const auto change = [&](Statement& s) {
      if (!these(s)) return;
      s.branches.insert(s.branches.end(), s.bodies.begin(), s.bodies.end());
      s.bodies.clear();
    };
    return g.changed(change, [&](Block& b) {
      if (b.owner != fusion::none && these(g.statement(b.owner))) b.is_body = false;
    });
  };
}

bool is_loop(const Statement& s) { return s.kind == Kind::Other && s.inputs.empty() && !s.bodies.empty(); }

const std::string row = "fun real f(real p) = p + 1.0\nfun real g(real p) = p * 2.0\n";

// What is consumed.
std::vector<Mutant> consumption_mutants() {
  return {
      mutant("nothing is consumed", "a read moves behind an update of what it reads (Case 1)",
             statements([](Statement& s) { s.consumed.clear(), s.consumes.clear(); })),
      mutant("branches consume nothing", "... in a branch (E3)", statements([](Statement& s) {
               if (!s.branches.empty()) s.consumed.clear();
             }),
             {row +
              "fun [real] main() = let a = replicate(3, 1.5) in let x = map(f, a) in let b = if size(a) > 2 then (let "
              "a[0] = 1.0 in a) else a in map(fn real (real p, real q) => p + q, zip(x, b))"}),
      mutant("loops consume nothing", "... in a loop (E3)", statements([](Statement& s) {
               if (is_loop(s)) s.consumed.clear();
             }),
             {row +
              "fun [real] main() = let a = replicate(3, 1.5) in let x = map(f, a) in loop (a) = for i < 3 do let a[i] "
              "= 0.5 in a in map(fn real (real p, real q) => p + q, zip(x, a))"}),
      mutant("operations consume nothing", "... by a map that consumes its rows (E3)", statements([](Statement& s) {
               if (s.kind == Kind::Combinator) s.consumed.clear();
             }),
             {"fun [real] main() = let m = replicate(2, replicate(2, 1.5)) in let x = map(fn real ([real] r) => r[0], "
              "m) in "
              "let y = map(fn *[real] (*[real] r) => let r[0] = 9.0 in r, m) in map(fn real (real p, [real] q) => p + "
              "q[0], zip(x, y))"}),
      mutant("updates consume nothing", "... by an update", statements([](Statement& s) {
               if (s.kind == Kind::Other && s.branches.empty() && s.bodies.empty()) s.consumed.clear();
             })),
      mutant("what shares is not consumed", "A*(a) is a alone", statements(without_names_that_it_does_not_name),
             {row +
              "fun [real] main() = let a = replicate(3, 1.5) in let (b, c) = split(3, a) in let x = map(f, b) in let "
              "a[0] = 9.0 in map(fn real (real p, real q) => p + q, zip(x, a))"}),
      mutant("functions read nothing", "what is free in a function is consumed before it (condition 4)",
             statements([](Statement& s) {
               if (s.kind == Kind::Combinator) s.reads.clear();
             }),
             {"fun [real] main() = let a = replicate(2, 1.5) in let x = map(fn real (int i) => a[i], iota(2)) in let "
              "a[0] = "
              "9.0 in map(fn real (real p, real q) => p + q, zip(x, a))"}),
      mutant("any row may be consumed",
             "what a kernel consumes may be read in the function that is put before (own condition)",
             statements([](Statement& s) {
               if (!s.consumes.empty()) s.consumed.clear();
             })),
      mutant(
          "copies are an operation like others", "what is copied is consumed before the copies (condition 4)",
          statements([](Statement& s) {
            if (s.kind == Kind::Copies) s.reads.clear();
          }),
          {"fun [real] main() = let a = replicate(2, 1.5) in let x = replicate(2, a) in let a[0] = 9.0 in map(fn real "
           "([real] r, real q) => r[0] + q, zip(x, a))"}),
  };
}

// What is used, and how often.
std::vector<Mutant> use_mutants() {
  return {
      mutant("results are no uses", "an array that a block gives is fused away (Case 5)",
             [](const Graph& g) { return g.changed([](Statement&) {}, [](Block& b) { b.results.clear(); }); }),
      mutant("uses by name are none", "an array that is indexed or updated is fused away (Case 5)",
             statements([](Statement& s) { s.uses.clear(); })),
      mutant("lengths are not asked", "size(x) of an array that is fused away (E2, E5)",
             statements([](Statement& s) { s.lengths.clear(); })),
      mutant("bodies are run once", "an operation is fused into a loop or a function (Case 3)",
             run_once([](const Statement&) { return true; })),
      mutant("loops are run once", "an operation is fused into a loop (Case 3)", run_once(is_loop),
             {"fun [real] main() = let b = replicate(3, 2.5) in let x = map(fn real (int i) => toReal(i) * 2.0 + 1.0, "
              "iota(3)) "
              "in loop (b) = for i < 3 do map(fn real (real p, real q) => p + q, zip(b, x)) in b"}),
      mutant("functions are called once", "an operation is fused into a function of another (Case 3)",
             run_once([](const Statement& s) { return !is_loop(s); })),
      mutant("scans go over nothing", "what a scan goes over is fused away", statements([](Statement& s) {
               if (s.kind == Kind::Other) s.inputs.clear();
             })),
      mutant("the second array has no producer", "siblings are not looked at (Case 6)", statements([](Statement& s) {
               if (s.outputs.size() > 1) s.outputs.resize(1);
             })),
      mutant("the second input is none", "an array that another operation goes over, too, is fused away (Case 4)",
             statements([](Statement& s) {
               if (s.inputs.size() > 1) s.inputs.resize(1);
             })),
      mutant("conditions use nothing", "an array that a condition indexes is fused away", statements([](Statement& s) {
               if (!s.branches.empty()) s.uses.clear();
             }),
             {row +
              "fun [real] main() = let x = map(f, replicate(3, 1.5)) in let y = map(g, x) in if x[0] > 1.0 then y else "
              "replicate(1, 0.5)"}),
      mutant("loops use nothing", "an array that a loop starts with is fused away", statements([](Statement& s) {
               if (is_loop(s)) s.uses.clear();
             }),
             {row +
              "fun [real] main() = let x = map(f, replicate(3, 1.5)) in let y = map(g, x) in loop (x) = for i < 2 do "
              "map(f, x) in map(fn real (real p, real q) => p + q, zip(x, y))"}),
      mutant("updates use nothing", "an array that is updated is fused away", statements([](Statement& s) {
               if (s.kind == Kind::Other && !s.consumed.empty()) s.uses.clear();
             })),
      mutant("starts are no uses", "an array from which a reduction starts is fused away", statements([](Statement& s) {
               if (s.kind == Kind::Combinator) s.uses.clear();
             }),
             {row +
              "fun [real] main() = let x = map(f, replicate(3, 1.5)) in let y = map(g, x) in let s = reduce(fn [real] "
              "([real] p, [real] q) => map(fn real (real a, real b) => a + b, zip(p, q)), x, replicate(2, y)) in s"}),
      mutant("branches give nothing", "an array that a branch gives is fused away",
             [](const Graph& g) {
               return g.changed([](Statement&) {},
                                [](Block& b) {
                                  if (b.owner != fusion::none && !b.is_body) b.results.clear();
                                });
             }),
      mutant(
          "functions give nothing", "an array that a function gives is fused away",
          [](const Graph& g) {
            return g.changed([](Statement&) {},
                             [](Block& b) {
                               if (b.is_body) b.results.clear();
                             });
          },
          {row +
           "fun [[real]] main() = map(fn [real] (int i) => let x = map(f, replicate(3, 1.5)) in let y = map(g, x) in "
           "if i > 5 then y else x, iota(2))"}),
      mutant("the first input is none", "what the first of several arrays is made of is not looked at",
             statements([](Statement& s) {
               if (s.inputs.size() > 1) s.inputs.erase(s.inputs.begin());
             })),
      mutant("what is not read is not there", "an array that is gone over for its length alone is fused away",
             statements([](Statement& s) {
               if (s.kind == Kind::Combinator) s.lengths.clear();
             })),
      mutant("copies of arrays use none", "an array of which there are copies is fused away",
             statements([](Statement& s) {
               if (s.kind == Kind::Copies) s.uses.clear();
             })),
  };
}

}  // namespace

std::vector<Mutant> graph_mutants() {
  std::vector<Mutant> all = consumption_mutants();
  for (Mutant& m : use_mutants()) all.push_back(std::move(m));
  return all;
}

}  // namespace lockstep::props::l0
