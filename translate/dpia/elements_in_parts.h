// An array that several loops go over, each a part of it.
#pragma once
#include "translate/rewriting/terms.h"

namespace lockstep {

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
