// The type checker behind check.h. Private to check*.cpp.
#pragma once
#include "semantics/core/scope.h"
#include "semantics/l0/check.h"
#include "semantics/l0/scalar_functions.h"
#include "semantics/l0/words.h"

namespace lockstep::l0::checking {

// The type of what an error has been told of: it fits everywhere.
inline const Type unknown{TupleType{}};
inline bool is_unknown(const Type& t) { return t == unknown; }
bool fits(const Type& a, const Type& b);  // equal but for stars, or unknown somewhere

class Checker {
 public:
  explicit Checker(const Program& program);
  Function function(const Function& f);
  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  // check.cpp
  void report(const Region& at, std::string message, std::string expected = "", std::string mend = "");
  void mismatch(const Region& at, const std::string& what, const Type& found, const std::string& expected,
                std::string mend = "");
  // Reports where it does not fit.
  void expect(const Expr& e, const Type& wanted, const std::string& what);
  Type variable(const std::string& name, const Region& at);
  Pattern bind(const Pattern& p, const Type& type);
  void bind(const std::string& name, const Type& type);
  using Inside = NestedScope<Type>::Inside;

  // check_expressions.cpp
  Expr expression(const Expr& e);
  std::vector<ExprRef> all(const std::vector<ExprRef>& items);
  struct Made {
    decltype(Expr::node) node;
    Type type;
  };
  Made make(const Literal& l, const Region& at);
  Made make(const TextLiteral& t, const Region& at);
  Made make(const Variable& v, const Region& at);
  Made make(const TupleExpr& t, const Region& at);
  Made make(const ArrayExpr& a, const Region& at);
  Made make(const PrefixExpr& p, const Region& at);
  Made make(const InfixExpr& i, const Region& at);
  Made make(const IfExpr& i, const Region& at);
  Made make(const BlockExpr& b, const Region& at);
  Made make(const IndexExpr& i, const Region& at);
  Made make(const CallExpr& c, const Region& at);
  Made make(const BuiltInExpr& b, const Region& at);
  Made make(const ShiftExpr& s, const Region& at);
  Made make(const FlattenExpr& f, const Region& at);
  Made make(const SoacExpr& s, const Region& at);
  Binding binding(const Binding& b);
  LetBinding define(const LetBinding& b, const Region& at);
  UpdateBinding define(const UpdateBinding& b, const Region& at);
  LoopBinding define(const LoopBinding& b, const Region& at);
  // What indices leave of an array's type.
  Type indexed(const std::string& array, const Type& type, const std::vector<ExprRef>& indices, const Region& at);
  void check_indices(const std::vector<ExprRef>& indices);
  Type infix(Infix op, const Type& left, const Type& right, const Region& at);
  Type built_in(BuiltIn op, const std::vector<ExprRef>& x, const Region& at);
  // Of an array, reported where it is none; unknown where there is nothing to say.
  Type element(const Expr& array, const std::string& what);

  // check_soacs.cpp: arguments by their types, and what is called
  Type call(const std::string& name, const std::vector<Type>& arguments, const std::vector<Region>& places,
            const Region& at);
  Type call_scalar(const ScalarFunction& f, const std::vector<Type>& arguments, const Region& at);
  Fn applied(const Fn& f, std::vector<Type> arguments, const std::string& whose);
  Type apply(Lambda& l, Calls& calls, const Region& at, const std::string& whose);
  Type apply(NamedFunction& n, Calls& calls, const Region& at, const std::string& whose);
  Type apply(OperatorFunction& o, Calls& calls, const Region& at, const std::string& whose);
  Type apply(PrefixFunction& p, Calls& calls, const Region& at, const std::string& whose);
  bool unpacks(Calls& calls, const std::vector<Type>& parameters);
  std::vector<Type> parameters_of(const NamedFunction& n, const Region& at);
  std::size_t results_of(const Fn& f);
  Type soac(SoacExpr& s, const Region& at);
  Type map_type(SoacExpr& s, const std::vector<Type>& elements, bool tuples);
  Type filter_type(SoacExpr& s, const std::vector<Type>& elements);
  Type fold_type(SoacExpr& s, std::size_t starts, const std::vector<Type>& elements, const Region& at);

  const Program& program_;
  NestedScope<Type> scope_;
  Diagnostics diagnostics_;
};

std::string shown(const std::vector<Type>& types);             // "int and [real]"
std::string count_of(std::size_t n, const std::string& what);  // "1 argument", "2 arguments"

}  // namespace lockstep::l0::checking
