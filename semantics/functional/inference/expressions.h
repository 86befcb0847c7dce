// The forms of expressions.
#pragma once
#include "semantics/functional/inference/work.h"

namespace lockstep::inference {

// expected: the type that the place gives, which a literal may need; the expression has it then.
Typed expression(Work& w, const surface::Expr& e, const std::optional<Type>& expected,
                 const std::string& what = "this expression");
// (\x y -> e) a b is let x = a in let y = b in e.
Typed lambda_let(Work& w, const surface::Expr& e, const surface::Lambda& f,
                 const std::vector<const surface::Expr*>& arguments, const std::optional<Type>& expected);
Typed named(Work& w, const std::string& n, const Region& region);

}  // namespace lockstep::inference
