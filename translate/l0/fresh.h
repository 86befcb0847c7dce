// What the stages of L0 share: names that stand nowhere yet, and programs with their types noted.
#pragma once
#include <map>
#include <set>

#include "semantics/l0/syntax.h"

namespace lockstep::l0 {

// Names that a program does not have.
class Fresh {
 public:
  Fresh() = default;
  explicit Fresh(const Program& p);
  void take(const std::string& name) { taken_.insert(name); }
  // The name itself where it is free, else with a number behind it.
  std::string name(const std::string& wanted);

 private:
  std::set<std::string> taken_;
  std::map<std::string, std::size_t> next_;
};

// Its types noted; a Bug where there are none: a stage made something wrong.
Program retyped(Program p, const std::string& stage);

inline Expr variable(std::string name, const Region& at = {}) { return {Variable{std::move(name)}, at}; }
inline bool is_atom(const Expr& e) { return as<Variable>(e) || as<Literal>(e); }  // a name or a constant
std::vector<ExprRef> refs(std::vector<Expr> all);
Expr tuple_of(std::vector<Expr> items, const Region& at);  // one is itself
Pattern pattern_of(const std::vector<std::string>& names, const Region& at);
Binding let(Pattern p, Expr value);
Binding let(const std::string& name, Expr value);

}  // namespace lockstep::l0
