// What inference of one definition works on. Private to infer*.cpp.
#pragma once
#include <map>
#include <set>
#include <unordered_map>

#include "semantics/fcl/builtins.h"
#include "semantics/fcl/infer.h"
#include "semantics/fcl/unify.h"

namespace lockstep::fcl::inference {

struct Quantified {
  std::vector<TypeId> types{};
  std::vector<LevelId> levels{};
  TypeId type = none;
};
// `length` and `map`: of pull arrays or of push arrays, whichever turns out.
struct Pending {
  enum What : unsigned char { Length, Map } what;
  TypeId array, result;  // of Map: what it gives
  TypeId from, to;       // elements
  Region at;
};
struct Failed {
  Diagnostic diagnostic;
};

// Of a type as it is written: what it leaves open, with the kinds that its places ask for.
Scheme scheme_of_text(std::string_view text);

// The definitions that stand before, by their schemes.
using Known = std::map<std::string_view, const Scheme*>;

class Inference {
 public:
  // What is wrong is told by types as they were before they had to be one, which takes most of the time: by a second
  // reading, of what has failed.
  Inference(const Known& known, const PrintedTypes& printed, bool tells)
      : known_(known), printed_(printed), tells_(tells) {}

  // The definition with types noted, and what it has. Throws Failed.
  std::pair<Definition, Scheme> definition(const Definition& d);

 private:
  // infer_expressions.cpp
  TypeId infer(const Expr& e);
  TypeId inferred(const Expr& e);
  void check(const Expr& e, TypeId wanted, std::string_view as);
  TypeId function(const FnExpr& f, std::size_t from, const ExprRef& body, std::optional<TypeId> wanted);
  TypeId let(const LetExpr& l, std::optional<TypeId> wanted, std::string_view as);
  TypeId apply(const Expr& e, const ApplyExpr& a);
  TypeId level_apply(const Expr& e, const LevelApplyExpr& a);
  TypeId pipe(const PipeExpr& p);
  TypeId compose(const ComposeExpr& c);
  TypeId infix(const InfixExpr& i);
  TypeId called(const Expr& function, TypeId type, const Expr& argument);
  TypeId operator_type(const ScalarOp& op, const Region& at);
  TypeId variable(const std::string& name, const Region& at);
  TypeId built_in(const BuiltInRow& row, const Region& at);

  // infer_definitions.cpp
  TypeId use(const Quantified& q);
  TypeId use(const Scheme& s);
  TypeId rigid_of(const Type& t, std::map<std::string, TypeId>& types, const Region& at);
  LevelTerm level_of(const Level& l, const Region& at);
  Quantified generalised(TypeId t);
  void settle(bool finally = false);
  std::set<TypeId> held() const;
  void equal(TypeId found, TypeId wanted, const Region& at, std::string_view as, const Expr* e = nullptr);
  void tell_unequal(TypeId found, TypeId wanted, const Region& at, std::string_view as, const Expr* e);
  [[noreturn]] void fail(const Region& at, std::string message, std::string expected = "", std::string mend = "");
  void succeed(const std::optional<std::string>& why, const Region& at);
  std::string mend_for(TypeId found, TypeId wanted, const Expr* e);
  Scheme scheme_of(const Quantified& q, Unifier::Names& names);
  // Types by what they are, as they are written: many nodes have the same.
  struct Written {
    Unifier::Names& names;
    std::unordered_map<const Expr*, TypeId> of;
    std::unordered_map<TypeId, Type> types{};
  };
  Expr noted(const Expr& e, Written& written);
  void refuse_above_grid();
  Kind formed(Kind k) const { return printed_.formation ? Kind::Any : k; }  // (8)
  void default_numbers();
  // What only a message says.
  template <class F>
  std::string told(const F& text) const {
    return tells_ ? text() : std::string();
  }

  // Levels and names in scope; the last of a name is meant.
  template <class T>
  using Scope = std::vector<std::pair<std::string, T>>;
  template <class T>
  static const T* found(const Scope<T>& scope, std::string_view name) {
    for (auto at = scope.rbegin(); at != scope.rend(); ++at)
      if (at->first == name) return &at->second;
    return nullptr;
  }

  const Known& known_;
  const PrintedTypes& printed_;
  const bool tells_;
  Unifier u_;
  Scope<Quantified> locals_;
  Scope<LevelTerm> levels_;
  std::vector<Pending> pending_;
  std::optional<LevelTerm> judged_{};                  // of (27) as printed
  std::vector<std::pair<const Expr*, TypeId>> types_;  // each once, in the order of the rules
};

}  // namespace lockstep::fcl::inference
