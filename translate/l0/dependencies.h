// A function of L0 as a dependency graph.
#pragma once
#include "semantics/l0/syntax.h"
#include "semantics/l0/uniqueness.h"
#include "translate/fusion/graph.h"

namespace lockstep::l0 {

// Of a typed function in normal form, with distinct names. The tree lives as long.
struct Dependencies {
  fusion::Graph graph;
  std::vector<const Binding*> bindings;                     // by statement
  std::unordered_map<const Expr*, fusion::BlockId> blocks;  // of bodies, branches, and of the function
  std::vector<std::string> names;                           // by name in the graph
};
Dependencies dependencies_of(const Function& f, const Consumed& consumed);

// Of each argument whether the function looks at its elements, which it has to of a fold and a filter: for what does
// not, its length alone is asked.
std::vector<bool> are_read(const SoacExpr& s);

// A combinator that fusion has rules for: map2, filter2, reduce2, redomap2, its functions written out.
const SoacExpr* combinator(const Binding& b);

}  // namespace lockstep::l0
