// Numbers as they are written: of which types they may be, and what they are of one.
#pragma once
#include "semantics/functional/inference/work.h"

namespace lockstep::inference {

bool is_whole(const std::string& digits);  // without fraction and exponent; decimal also with a leading 0
std::optional<std::int64_t> number_value(const std::string& digits);  // where it fits 64 bits
// The type of a literal that stands directly under a conversion, where that type holds what is written and the type
// that a literal has by itself, i32 or f32, may not.
std::optional<Type> literal_under(const surface::Expr& e, ScalarType target);
Typed literal_of(Work& w, const surface::Literal& l, bool negative, const Region& region,
                 const std::optional<Type>& expected);
PhraseRef finish_literal(Work& w, const PhraseRef& p, const LiteralPhrase& l);  // at its type

}  // namespace lockstep::inference
