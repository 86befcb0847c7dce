// What reductions and scans in blocks are made of: an array that several loops go over, each a part of it, and its
// rows.
#pragma once
#include "translate/rewriting/terms.h"

namespace lockstep {

// \row state -> f of the row's element and of what is there, place by place.
PhraseRef row_step(rewriting::Site& s, const PhraseRef& f, const Type& row, const Type& state);
// Row after row, from what stands in `start`.
PhraseRef rows_into(rewriting::Site& s, const PhraseRef& f, const PhraseRef& start, const PhraseRef& rows);
// The fold of each block by f, from e, so many blocks at a time element by element: a processor has as many folds to go
// on with as it waits for one.
PhraseRef blocks_abreast(rewriting::Site& s, const PhraseRef& f, const PhraseRef& e, std::int64_t abreast,
                         const PhraseRef& blocks);
// Of elements in rows, so many to one: the fold of each column by f, from e, and of these, column by column, by op,
// from `start`.
PhraseRef columns_into(rewriting::Site& s, const PhraseRef& f, const PhraseRef& e, const PhraseRef& op,
                       std::int64_t columns, const PhraseRef& elements, const PhraseRef& start);

class ElementsInParts {
 public:
  // Views stay, since each element is read once; what they are made of is named.
  ElementsInParts(rewriting::Site& s, const PhraseRef& xs, Size n) : s_(s), n_(std::move(n)), xs_(shared(xs)) {}

  PhraseRef bound(const std::string& base, const PhraseRef& p);  // by a `let` around all of them
  // Elements from one place to another; nothing where there are none.
  std::optional<PhraseRef> part(const Size& from, const Size& to) const;
  PhraseRef in_scope(PhraseRef p) const;  // below what was named

 private:
  PhraseRef shared(const PhraseRef& p);

  rewriting::Site& s_;
  const Size n_;
  std::vector<std::pair<std::string, PhraseRef>> lets_;
  const PhraseRef xs_;
};

}  // namespace lockstep
