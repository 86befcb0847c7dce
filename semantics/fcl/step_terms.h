// Terms of the located machine: what is applied to what, which are values, and names put in place. Private to
// step*.cpp.
#pragma once
#include "semantics/fcl/builtins.h"
#include "semantics/fcl/infer.h"

namespace lockstep::fcl::stepping {

using Terms = std::vector<ExprRef>;

// f <γ> x y …
struct Applied {
  const Expr* head;
  std::vector<Level> levels;
  Terms arguments;
};
Applied applied(const Expr& e);
// Built-ins in terms are written #name, so that nothing hides them, definitions @number and @pnumber.
const BuiltInRow* built_in(const Expr& head);
const ScalarFunctionRow* scalar_function(const Expr& head);
Expr call(std::string_view name, Terms arguments);
Expr int_term(std::int64_t n);

bool is_base(const Expr& e);
bool is_value_term(const Expr& e);

// A definition as a function of its parameters; `of` is the program or the prelude.
Expr definition_term(const Inferred& of, std::size_t k);
// A closed value in the place of a name, a level in that of a variable.
ExprRef substituted(const ExprRef& e, const std::string& name, const ExprRef& by);
ExprRef at_level(const ExprRef& e, const std::string& name, const Level& by);

}  // namespace lockstep::fcl::stepping
