// Types of phrases compared as the rules of Fig. 3 do (check.h): under the facts on sizes, with Dereliction, an index
// where a number is wanted, and what is in a space where data is.
#pragma once
#include "semantics/core/phrase.h"

namespace lockstep {

class PhraseTypes {
 public:
  // `implied` is asked of what normal forms leave open; it may be nothing.
  PhraseTypes(SizeContext context, SizeImplication implied)
      : context_(std::move(context)), implied_(std::move(implied)) {}

  // Of a phrase's own type and the one that is noted; this may leave out the space.
  bool equal(const PhraseType& own, const PhraseType& noted) const;
  bool fits(const PhraseType& have, const PhraseType& wanted) const;

 private:
  bool equal(const Size& a, const Size& b) const;
  bool equal(const Type& a, const Type& b) const;
  // `give`: Dereliction (->p where -> is wanted), and an index where a number is wanted.
  bool compare(const PhraseType& a, const PhraseType& b, bool give) const;

  SizeContext context_;
  SizeImplication implied_;
};

}  // namespace lockstep
