// What expressions of FCL are while they are brought to normal form. Private to fuse*.cpp.
#pragma once
#include <functional>
#include <set>

#include "semantics/fcl/builtins.h"
#include "translate/fcl/fuse.h"

namespace lockstep::fcl::fusing {

struct Sem;
// An expression that is left, of ints, doubles, bools and pairs of them; it cannot trap, and is cheap to write twice
// where it is an atom.
struct Base {
  Expr left;
  Type type;
};
struct Delayed {                             // a pull array
  Base length;                               // an atom
  std::function<Sem(const Base& index)> at;  // of an atom that is inside
};
struct Written {  // a push array
  Base length;    // an atom
  // What is left of it, each element through this; and what an element is.
  std::function<std::pair<Expr, Type>(const std::function<Sem(const Sem&)>& each)> scheme;
};
using Function = std::function<Sem(const Sem&)>;
using LevelFunction = std::function<Sem(const Level&)>;
struct Sem {
  std::variant<Base, std::shared_ptr<const std::pair<Sem, Sem>>, std::shared_ptr<const Delayed>,
               std::shared_ptr<const Written>, std::shared_ptr<const Function>, std::shared_ptr<const LevelFunction>>
      node;
};
inline Sem sem(Base b) { return {std::move(b)}; }
inline Sem sem(Delayed d) { return {std::make_shared<const Delayed>(std::move(d))}; }
inline Sem sem(Written w) { return {std::make_shared<const Written>(std::move(w))}; }
inline Sem sem(Function f) { return {std::make_shared<const Function>(std::move(f))}; }
inline Sem sem(LevelFunction f) { return {std::make_shared<const LevelFunction>(std::move(f))}; }
inline Sem sem_pair(Sem a, Sem b) { return {std::make_shared<const std::pair<Sem, Sem>>(std::move(a), std::move(b))}; }

// Where its traps are told, of what was called in the program and defined in the prelude.
struct Origin {
  std::string name;
  Region at;
  // Of a node that a stage made of the prelude's: what stands in it is not told so.
  bool of_node = false;
  std::shared_ptr<const Origin> outside{};
};
struct Bound {
  std::string name;
  Sem value;
  std::shared_ptr<const Bound> next;
};
struct Env {
  std::shared_ptr<const Bound> top;
  std::shared_ptr<const Origin> origin;
  Env with(const std::string& name, Sem v) const {
    return {std::make_shared<const Bound>(Bound{name, std::move(v), top}), origin};
  }
};

class Fusion {
 public:
  explicit Fusion(const Entry& e, bool unrolls = false);
  Entry run();

 private:
  // fuse.cpp
  Sem eval(const Expr& e, const Env& env);
  Sem eval_node(const Expr& e, const Env& env);
  Sem function(const std::vector<Parameter>& parameters, std::size_t from, const Expr& body, const Env& env);
  Sem variable(const std::string& name, const Env& env, const Region& at);
  Sem definition(std::size_t k, const Env& env, const Region& at);
  Sem scalar(const ScalarOp& op, std::vector<Sem> operands, const Env& env, const Region& at,
             const std::function<Expr(std::vector<Expr>)>& written);
  Sem infix(const InfixExpr& i, const Env& env, const Region& at);
  Sem curried(std::size_t arity, std::function<Sem(std::span<const Sem>)> f, std::vector<Sem> before = {});
  static Sem apply(const Sem& f, const Sem& x);
  Sem application(const Expr& function, std::vector<const Expr*> arguments, const Env& env, const Region& at);
  bool is_built_in(const std::string& name, const Env& env) const;

  // fuse_arrays.cpp
  Sem built_in(BuiltIn op, std::span<const Sem> x, const Env& env, const Region& at);
  Sem generated(const Base& n, const Sem& f, const Env& env, const Region& at);
  Sem indexed(const Sem& array, const Sem& index, const Env& env, const Region& at);
  Sem mapped(const Sem& f, const Sem& array);
  Sem pushed(const Level& l, const Sem& array);
  Sem forced(const Sem& array, const Env& env, const Region& at);
  Sem interleaved(const Base& n, const Sem& f, const Sem& chunks, const Env& env, const Region& at);
  Sem looped(const Sem& condition, const Sem& step, const Sem& init, const Env& env, const Region& at);
  std::optional<int> rounds_of(const Sem& condition, const Sem& step, const Written& init);
  bool is_natural(const Expr& e) const;
  bool is_inside(const Expr& index, const Base& length) const;
  void note_inside(const std::string& index, const Base& length);
  Sem literal_array(const ArrayExpr& a, const Env& env, const Region& at);
  Sem item(const ArrayExpr& a, std::size_t from, const Base& k, const Env& env, const Region& at);
  Sem given(const Expr& e, const Type& type);
  Base length_of(const Expr& array);
  Delayed delayed(const Sem& s);

  // fuse_branches.cpp
  Sem branches(const Base& condition, const std::function<Sem()>& yes, const std::function<Sem()>& no,
               const Region& at);
  Sem joined(const Base& condition, const Sem& yes, const Sem& no, const Region& at);
  Sem chosen(const Base& condition, const Written& yes, const Written& no);
  Base chosen_length(const Base& condition, const Base& yes, const Base& no);

  // what is left
  struct Scope {
    std::vector<Binding> bindings;
    std::map<std::string, std::string> names;  // by the text of what they are of
    const Scope* outside = nullptr;
  };
  template <class F>
  auto within(Scope& scope, const F& f) {
    Scope* const outside = std::exchange(scope_, &scope);
    scope.outside = outside;
    auto out = f();
    scope_ = outside;
    return out;
  }
  static Expr closed(Scope scope, Expr result);             // behind what stands in it
  Base named(Base b, const std::string& hint = "x");        // an atom
  Base trapping(Base b, const Env& env, const Region& at);  // an atom, its value computed here
  void asserted(const Base& c, const Env& env, const Region& at);
  static Expr told_at(Expr e, const Env& env, const Region& at);  // where its traps are told
  Sem shared(const Sem& s, const std::string& hint);              // what is computed once
  Expr as_base(const Sem& s, Type& type);                         // of pairs and scalars
  Sem of_base(const Base& b);                                     // pairs taken apart
  std::string fresh(const std::string& hint);
  Expr element(const std::string& index, const std::function<Sem()>& value, Type& type);
  [[noreturn]] static void refuse(const std::string& why, const Region& at);

  const Entry& entry_;
  const bool unrolls_;
  std::set<std::string> taken_;
  std::set<std::string> naturals_;                        // names of ints that are not negative
  std::map<std::string, std::int64_t> below_;             // names of indices, and numbers that they are below
  std::set<std::pair<std::string, std::string>> inside_;  // names of indices, and the lengths that they are below
  Scope* scope_ = nullptr;
};

// Literals and names, and parts of what has a name.
bool is_atom(const Expr& e);
std::optional<std::int64_t> int_literal(const Expr& e);
Expr int_expr(std::int64_t n);
Expr name_expr(const std::string& name);
Expr applied(const std::string& f, std::vector<Expr> arguments);
Expr infix_expr(Infix op, Expr a, Expr b);
inline Base int_base(std::int64_t n) { return {int_expr(n), int_type}; }

}  // namespace lockstep::fcl::fusing
