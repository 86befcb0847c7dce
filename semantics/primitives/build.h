// Phrases of the primitives that translations and facets make themselves. p: the primitive, from the calculus at hand.
#pragma once
#include "semantics/primitives/primitive.h"

namespace lockstep {

PhraseRef prim(PrimitiveRef p, std::vector<Size> sizes, std::vector<Type> types, std::vector<PhraseRef> arguments,
               Type result, Region region = {});
PhraseRef fst_of(const PrimitiveRef& fst, const PhraseRef& e);  // fst (pair a b) is a
PhraseRef snd_of(const PrimitiveRef& snd, const PhraseRef& e);
PhraseRef idx_of(const PrimitiveRef& idx, const PhraseRef& array, const PhraseRef& index);
// Acceptor k of the view e : acc[type of e] -> acc[type of its argument].
PhraseRef view_acceptor(const Phrase& e, std::size_t k, const PhraseRef& a);
// Operators at i64 and bool, for checks.
PhraseRef apply_binary(const PrimitiveRef& op, const PhraseRef& a, const PhraseRef& b);
// 0 <= i && i < n
PhraseRef inside(Translation& t, const PhraseRef& i, const Size& n);
const Type& element_type(const Phrase& array);
const Size& array_length(const Phrase& array);

}  // namespace lockstep
