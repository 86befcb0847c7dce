// Phrases of the primitives that translations and facets make themselves. p: the primitive, from the calculus at hand.
#pragma once
#include "semantics/primitives/primitive.h"

namespace lockstep {

PhraseRef prim(PrimitiveRef p, std::vector<Size> sizes, std::vector<Type> types, std::vector<PhraseRef> arguments,
               Type result, Region region = {});
PhraseRef fst_of(const PrimitiveRef& fst, const PhraseRef& e);  // fst (pair a b) is a
PhraseRef snd_of(const PrimitiveRef& snd, const PhraseRef& e);
PhraseRef component_of(int k, const PrimitiveRef& p, const PhraseRef& e);  // by the one of these two that takes it
PhraseRef idx_of(const PrimitiveRef& idx, const PhraseRef& array, const PhraseRef& index);
// Acceptor k of the view e : acc[type of e] -> acc[type of its argument].
PhraseRef view_acceptor(const Phrase& e, std::size_t k, const PhraseRef& a);
// Operators at i64 and bool, for checks.
PhraseRef apply_binary(const PrimitiveRef& op, const PhraseRef& a, const PhraseRef& b);
// 0 <= i && i < n
PhraseRef inside(Translation& t, const PhraseRef& i, const Size& n);
// \x y ... o. A[f x y ...](o), of parameters of one or two types and a result.
PhraseRef acceptor_of(Translation& t, const PhraseRef& f, const std::vector<Type>& parameters, const Type& result);
// What a use of a primitive is, by its facets; of acceptors nothing.
int component_taken(const PrimPhrase& p);  // 1, 2: of fst, snd; else 0
bool is_pair(const PrimPhrase& p);
bool is_element(const PrimPhrase& p);            // idx xs i, and xs ! i
bool is_unchecked_element(const PrimPhrase& p);  // idx xs i
bool is_literal_array(const PrimPhrase& p);
Level level_of(const PrimPhrase& p);  // Auto, too, of what is no loop
bool is_in_family(const PrimPhrase& p, std::string_view name);
// The operator that a function of two scalars is, \x y -> x op y; or, as a translated one, \x y o. o := x op y.
// Operands may stand the other way round where the operator commutes. Nothing where it is more.
PrimitiveRef operator_of(const Phrase& function);
const Type& element_type(const Phrase& array);
const Size& array_length(const Phrase& array);

}  // namespace lockstep
