// What the paths stage (translate/dpia) makes of scatterI, permuteI and updateI over unknown arrays: one iteration of
// its loops, executed on stores that are terms; of update, which has none, all of it.
#pragma once
#include "proofs/calculus/terms.h"
#include "translate/dpia/stage.h"

namespace lockstep::proofs {

// Free names. Stores: is, the indices; xs, the values; A, what is written; marks, 1 at each place that was written.
// Numbers: m, the length of A; n, of is and xs; k, the iteration. Of update the index is first in is, the value in xs.
struct ScatteredTerms {
  Term unmarked;  // marks after iteration k of the loop that clears them, scatter alone
  Term A, marks;  // after iteration k
  Term traps;     // whether it traps
};
struct ScatteredParts {
  Sort value = element_sort;  // of an element of xs and A
  Sort store = element_store;
  std::function<Term(const Term& x, const Term& old)> function{};  // of permute
};
// loop: scatter, permute or update, whose constant it is of, by the stage `paths`; an error says what of its kernel is
// not understood.
tl::expected<ScatteredTerms, std::string> scattered_terms(const std::string& loop, const ScatteredParts& parts,
                                                          const Stage& paths);

}  // namespace lockstep::proofs
