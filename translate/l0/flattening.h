// The class behind tuples.h. Private to tuples*.cpp.
#pragma once
#include "semantics/l0/words.h"
#include "translate/l0/fresh.h"

namespace lockstep::l0 {

// An expression without tuples: what has to be bound before it, and an expression for each leaf.
struct Flat {
  std::vector<Binding> before{};
  std::vector<Expr> leaves{};
};

Type flat_type(const Type& t);  // a tuple of its leaves' types

class Flattening {
 public:
  explicit Flattening(const Program& p) : fresh_(p) {}
  Function function(const Function& f);

 private:
  // tuples.cpp: names
  // A parameter or name of one leaf keeps its name; of several each has one of its own.
  std::vector<std::string> names_for(const std::string& name, const Type& type);
  std::vector<std::string> bind(const std::string& name, const Type& type);
  std::vector<std::string> bind(const Pattern& p);
  std::vector<Parameter> parameters(const std::vector<Parameter>& all);

  // tuples.cpp: expressions
  Expr whole(const Expr& e);  // as a result: of a function, a branch, a round
  Flat flat(const Expr& e);
  // Each leaf by a name, or a constant: what may be written several times, and over which nothing is lost.
  std::vector<Expr> named(const Expr& e, std::vector<Binding>& before, const std::string& wanted);
  Expr atom(Expr e, std::vector<Binding>& before, const std::string& wanted);
  static void append(std::vector<Binding>& to, std::vector<Binding> from);
  Flat taken_apart(std::vector<Binding> before, Expr e, const Type& type);  // what gives a tuple
  // The leaves of all of them, one after another.
  std::vector<ExprRef> all(const std::vector<ExprRef>& items, std::vector<Binding>& before);
  static Flat one(std::vector<Binding> before, decltype(Expr::node) node, const Region& at);
  Flat of(const Literal& l, const Expr& e);
  Flat of(const TextLiteral& t, const Expr& e);
  Flat of(const Variable& v, const Expr& e);
  Flat of(const TupleExpr& t, const Expr&);
  Flat of(const PrefixExpr& p, const Expr& e);
  Flat of(const InfixExpr& i, const Expr& e);
  Flat of(const IfExpr& i, const Expr& e);
  Flat of(const BlockExpr& b, const Expr&);
  void define(const LetBinding& b, const Region& at, std::vector<Binding>& before);
  void define(const UpdateBinding& b, const Region& at, std::vector<Binding>& before);
  void define(const LoopBinding& b, const Region& at, std::vector<Binding>& before);
  Flat of(const CallExpr& c, const Expr& e);

  // tuples_arrays.cpp
  Flat of(const ArrayExpr& a, const Expr& e);
  Flat of(const IndexExpr& i, const Expr& e);
  // A built-in of one array, of each leaf.
  template <class F>
  Flat by_leaf(std::vector<Binding> before, const Expr& array, const F& of_leaf, const Region& at) {
    Flat f = flat(array);
    append(before, std::move(f.before));
    Flat out{std::move(before), {}};
    for (Expr& leaf : f.leaves) out.leaves.push_back({of_leaf(std::move(leaf)), at});
    return out;
  }
  Flat of(const BuiltInExpr& b, const Expr& e);
  Flat zip(const BuiltInExpr& b, const Expr& e);
  Flat split(const BuiltInExpr& b, const Expr& e);
  Flat of(const ShiftExpr& s, const Expr& e);
  Flat of(const FlattenExpr& f, const Expr& e);
  Flat of(const SoacExpr& s, const Expr& e);
  Fn function_place(const Fn& f, std::vector<Binding>& before);

  Fresh fresh_;
  std::map<std::string, std::vector<std::string>> names_;
};

}  // namespace lockstep::l0
