// Indices that a run finds, in an address that has them more than once. An address is a sum of products, so that rows
// of n + 2 elements, or a quotient and a remainder (join), name such an index several times: it is read once, into a
// variable in front of the statement. Otherwise the program would read more often than its cost says.
#pragma once
#include "semantics/core/phrase.h"
#include "semantics/kernel/syntax.h"

namespace lockstep {

class IndexVariables {
 public:
  explicit IndexVariables(Names& names) : names_(names) {}

  // e, or an index, with those variables, which `front` then declares. What stands in a branch is read under the
  // branch's condition, which is a variable, too, where it takes a read or an operator to know it.
  kernel::Expr in(const kernel::Expr& e, kernel::Block& front);
  kernel::Expr in_address(const kernel::Expr& index, kernel::Block& front);

 private:
  struct Branch {
    kernel::Expr condition;
    bool holds;
  };
  kernel::Expr inside(Branch branch, const kernel::Expr& e, kernel::Block& front);
  kernel::Expr condition(const kernel::Expr& e, bool is_asked_again, kernel::Block& front);
  kernel::Expr variable(const char* name, const kernel::Expr& value, kernel::Block& front);

  Names& names_;
  std::vector<Branch> around_;  // outermost first
};

}  // namespace lockstep
