// Arguments of what is applied.
#pragma once
#include "semantics/functional/inference/lets.h"

namespace lockstep::inference {

struct Argument {  // as written, or made by eta-expansion
  const surface::Expr* expression;
  std::optional<Typed> made;
  const surface::Expr* applied = nullptr;  // what stands before it: f a of f a b
};

// What arguments are given to, for messages.
struct Applied {
  std::string name, type;
  Region region;
};

enum class Callee { Named, LocalFunction };
std::vector<PhraseRef> arguments_of(Work& w, const std::vector<Argument>& arguments, const std::vector<Type>& types,
                                    const std::string& what, Lets& lets, Callee callee = Callee::Named);
// Of a function whose parameters are known; nothing for those that are sizes. Where an argument has an error, it is
// noted which of the others may be meant in its place.
std::vector<PhraseRef> arguments_in_order(Work& w, const std::vector<Argument>& arguments,
                                          const std::vector<std::optional<Type>>& parameters,
                                          const std::vector<Type>& types, const Applied& to, Lets& lets);
Size size_of_argument(Work& w, const Argument& a, const std::string& name, const Region& region);

}  // namespace lockstep::inference
