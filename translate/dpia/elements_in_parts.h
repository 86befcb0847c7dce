// What reductions in blocks are made of: an array that several loops go over, each a part of it, and its rows.
#pragma once
#include "translate/rewriting/terms.h"

namespace lockstep {

// Row after row, place by place: f of the row's element and of what is there, from what stands in `start`.
PhraseRef rows_into(rewriting::Site& s, const PhraseRef& f, const PhraseRef& start, const PhraseRef& rows);

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
