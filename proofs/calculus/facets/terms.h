// What the clause of if, and the acceptor and continuation facets of generate and the memory primitives (DPIA Fig. 5,
// §6.2) make of parts that are translated rightly by hypothesis, as changes of a store.
#pragma once
#include "proofs/calculus/terms.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::proofs {

// Free names: s, the store; A, the place of the output or of its element 0; c, the condition of if; x, the argument of
// a memory primitive; k, the iteration of generate; places tmp and the like of temporaries.
struct FacetParts {
  Sort value = element_sort, store = element_store;
  // What a part means on a store: of if "x" and "y", its branches; of generate and the memory primitives "f", with its
  // argument.
  std::function<Term(const std::string& part, const Term& store, const std::vector<Term>& arguments)> meaning;
};
// The store after it, or after iteration k of generate. An error says what of the commands is not understood. `loop` is
// the primitive's facets, or wrong ones. By continuation: D(store, value) stands for what comes after.
using BranchClause = std::function<PhraseRef(Translation&, const IfPhrase&, const PhraseRef& a)>;
tl::expected<Term, std::string> branch_terms(const BranchClause& clause, const FacetParts& parts);
tl::expected<Term, std::string> facet_terms(const Loop& loop, const std::string& primitive, const FacetParts& parts,
                                            bool by_continuation = false);

}  // namespace lockstep::proofs
