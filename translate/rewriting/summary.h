// What a part of a fold comes to, whatever has been accumulated before it: what scans in blocks are made of (Blelloch,
// 1990, §1.4 and §1.5, of operators of one's own too).
#pragma once
#include "translate/rewriting/reduction.h"

namespace lockstep::rewriting {

// fold f acc part = onto (fold step start part) acc, for each acc that a fold from z comes to, and each part that has
// an element.
struct Summary {
  PhraseRef step;   // x -> s -> s
  PhraseRef start;  // s
  PhraseRef onto;   // s -> b -> b
  bool commutes;    // and in any order of the part's elements; s is b then
};
// Of fold f z xs, a scan or a reduction, z a name, a number or a component of a name: by an associative operator, by a
// choice by a strict order; and by a function of components each of which is begun again at some elements,
// \x acc -> if c x then h x else g x + acc with one c, hangs on the element alone, or is g x + acc, with an operator
// that has a neutral number.
// `start`: z as it is written, to look for a neutral element at.
tl::expected<Summary, Refused> summary_of(Site& s, const PrimPhrase& fold, const PhraseRef& start);

}  // namespace lockstep::rewriting
