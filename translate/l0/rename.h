// Copies of trees with binders of their own.
#pragma once
#include "semantics/core/scope.h"
#include "translate/l0/fresh.h"

namespace lockstep::l0 {

// Every binder gets a name that is fresh, its own where that is free; names that are given stand for what they are
// given as, a name or a constant; others stay.
class Renaming {
 public:
  explicit Renaming(Fresh& fresh) : fresh_(fresh) {}
  void give(const std::string& name, Expr atom);
  Function function(const Function& f);
  Lambda function(const Lambda& f);
  Expr expression(const Expr& e);

 private:
  std::string bind(const std::string& name);
  void bind(Pattern& p);
  std::string named(const std::string& name) const;  // of an array, which is no constant
  ExprRef child(const ExprRef& e) { return expression(*e); }
  void block(BlockExpr& b);
  void loop(LoopBinding& l);
  void function_place(Fn& f);

  Fresh& fresh_;
  using Inside = NestedScope<Expr>::Inside;
  NestedScope<Expr> scope_;
};

}  // namespace lockstep::l0
