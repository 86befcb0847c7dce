// Functions that are arguments, or that have a name.
#pragma once
#include "semantics/functional/inference/lets.h"

namespace lockstep::inference {

Typed function_argument(Work& w, const surface::Expr& e, const Type& expected, Lets& lets);
// The parameters that an expression still takes: a function that is written, or one of too few arguments.
std::vector<Type> parameters_of(Work& w, const surface::Expr& e);
std::size_t arguments_missing(const Work& w, const surface::Expr& e);
// Where a function of fewer arguments is wanted, the last of them a tuple of this type: \(x, y) -> ...
std::string advice_on_count(const surface::Lambda& f, std::size_t wanted, const Type& last);
PhraseType phrase_type(const Type& t);

}  // namespace lockstep::inference
