// What may be supposed wherever a view stands: its sizes' facts, that its checks have passed, that an idx(n) is inside.
#pragma once
#include "proofs/calculus/views/list.h"
#include "proofs/calculus/views/symbolic_view.h"

namespace lockstep::proofs {

// A view's instance with its hypotheses.
struct ViewCase {
  SymbolicView view;
  std::vector<Term> hypotheses;
  std::string error;  // its check is not understood
  std::string about;  // "w = 2", where there are several instances
};
std::vector<ViewCase> view_cases(const Calculus& calculus, const std::string& name);
// A case of a claim about it.
Case case_of(const ViewCase& v, std::vector<std::vector<Term>> hypotheses, Term goal);
// What the read facet was told of sizes and indices may be impossible.
Case as_told(Case c, const Reading& r);
Case broken(const ViewCase& v, const std::string& error, bool understood = true);

}  // namespace lockstep::proofs
