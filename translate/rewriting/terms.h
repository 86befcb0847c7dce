// What rules are written with: applications of primitives, taken apart and made, and functions on them.
#pragma once
#include "translate/rewriting/rule.h"

namespace lockstep::rewriting {

// The application of the primitive of that name, or nothing.
const PrimPhrase* as_call(const Phrase& p, std::string_view name);
const PrimPhrase* as_map(const Phrase& p);     // of any level
const PrimPhrase* as_reduce(const Phrase& p);  // reduce, reduceSeq

// Makers compute sizes, types and the result's type from the calculus's entry and the arguments.
PhraseRef call(const Site& s, std::string_view name, std::vector<Size> sizes, std::vector<Type> types,
               std::vector<PhraseRef> arguments);
PhraseRef map_of(const Site& s, std::string_view name, const PhraseRef& f, const PhraseRef& xs);
PhraseRef reduce_of(const Site& s, std::string_view name, const PhraseRef& f, const PhraseRef& z, const PhraseRef& xs);
PhraseRef split_of(const Site& s, const Size& k, const PhraseRef& xs);
PhraseRef join_of(const Site& s, const PhraseRef& xss);
PhraseRef transpose_of(const Site& s, const PhraseRef& xss);
PhraseRef zip_of(const Site& s, const PhraseRef& xs, const PhraseRef& ys);
PhraseRef pair_of(const Site& s, const PhraseRef& a, const PhraseRef& b);
PhraseRef replicate_of(const Site& s, const Size& n, const PhraseRef& x);
PhraseRef take_of(const Site& s, const Size& k, const PhraseRef& xs);
PhraseRef drop_of(const Site& s, const Size& k, const PhraseRef& xs);
PhraseRef as_vector_of(const Site& s, const Size& w, const PhraseRef& xs);
PhraseRef as_scalar_of(const Site& s, const PhraseRef& vs);
PhraseRef splat_of(const Site& s, const Size& w, const PhraseRef& x);
PhraseRef pad_of(const Site& s, const Size& before, const Size& after, const PhraseRef& x, const PhraseRef& xs);

// \x -> body, x fresh
PhraseRef function_of(Site& s, const std::string& base, const Type& parameter,
                      const std::function<PhraseRef(PhraseRef)>& body);
// f's result at x: the argument stands where f reads it, or is bound by let where that would evaluate it twice, never,
// or only sometimes.
PhraseRef call_function(Site& s, const PhraseRef& f, const PhraseRef& x);
const Type& result_of(const Phrase& f);
const LambdaPhrase* as_lambda(const Phrase& p);

// A name, a number, or a component of a name: to read it twice costs nothing.
bool is_atomic(const Phrase& p);
// Names and views of them that trap nowhere: to write it twice costs no work.
bool is_cheap_view(const Phrase& p);
// It cannot trap and comes to an end, whatever its free names are.
bool is_total(const Phrase& p);
// How often a name is read, and whether each evaluation of p reads it as often: not under a lambda, not in one branch.
struct Uses {
  std::size_t count = 0;
  bool plain = true;
};
Uses uses_of(const std::string& name, const Phrase& p);
bool mentions_name(const Phrase& p, const std::string& name);
bool has_loop(const Phrase& p);
// if, && and ||: of its parts the first is evaluated, and others only sometimes.
bool is_branch(const Phrase& p);

// body with xs bound by let where it is no cheap view.
PhraseRef sharing(Site& s, const PhraseRef& xs, const std::function<PhraseRef(PhraseRef)>& body);

}  // namespace lockstep::rewriting
