// L0 as a Language: of its source and of what every stage makes of it, one language.
#pragma once
#include "semantics/l0/evaluate.h"
#include "semantics/language/language.h"

namespace lockstep::l0 {

struct Entry {
  Program program;  // typed
  std::string function;
  const Function& entry() const;
  friend bool operator==(const Entry&, const Entry&) = default;
};

// What programs of this family run on are the leaves of their arguments, and they give those of their result: a stage
// that takes tuples apart changes neither.
struct ValueLanguage : Language {
  std::function<tl::expected<Values, Trap>(const AnyProgram&, const Values& leaves, const Evaluation&)> meaning{};
};
std::shared_ptr<const ValueLanguage> language();

}  // namespace lockstep::l0
