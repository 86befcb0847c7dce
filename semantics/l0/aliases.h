// The analysis behind uniqueness.h. Private to uniqueness*.cpp. A leaf is an array leaf of a variable; A(x) of the
// paper is kept for leaves, symmetric.
#pragma once
#include <map>
#include <set>

#include "semantics/core/scope.h"
#include "semantics/l0/check.h"
#include "semantics/l0/uniqueness.h"
#include "semantics/l0/words.h"

namespace lockstep::l0::aliasing {

using Leaf = std::size_t;
using Leaves = std::set<Leaf>;
// Of each leaf of a value what it may share data with; of a scalar, and of what is fresh, nothing.
using Shares = std::vector<Leaves>;
Leaves together(const Shares& shares);  // of all leaves

struct Consumption {
  Region at;
  std::string name;  // of the variable that is consumed there, "" for a value without a name
};
struct Effects {
  std::map<Leaf, Region> used{};
  std::map<Leaf, Consumption> consumed{};
};
struct Found {
  Shares shares;
  Effects effects{};
};

enum class Origin { Local, Observed, Unique };  // Observed: a parameter without a star
enum class Border { Function, Lambda, Loop };   // what is outside is not consumed inside

class Analysis {
 public:
  explicit Analysis(const Program& program) : program_(program) {}
  void function(const Function& f);
  Diagnostics& diagnostics() { return diagnostics_; }
  const Consumed& consumed() const { return consumed_; }

 private:
  struct Variable {
    std::string name;
    Region region;
    Origin origin;
    std::size_t level;  // how many borders are around it
  };
  // What a loop makes of its values: which are consumed, and what each may share data with outside.
  struct Rounds {
    Shares init;
    Found step;
    std::vector<Leaf> merge{};
    std::size_t level = 0;
    std::map<Leaf, std::size_t> place{};
    std::vector<std::optional<Consumption>> eaten{};
  };
  struct Row {
    std::size_t variable;
    Leaves aliases;
  };
  using Inside = NestedScope<std::vector<Leaf>>::Inside;
  class Within {  // a border
   public:
    Within(Analysis& a, Border b) : a_(a), inside_(a.scope_) { a_.borders_.push_back(b); }
    ~Within() { a_.borders_.pop_back(); }

   private:
    Analysis& a_;
    Inside inside_;
  };

  // uniqueness.cpp: variables, effects, errors
  std::vector<Leaf> bind(const std::string& name, const Region& at, const Type& type, Origin origin,
                         const Shares& shares);
  std::vector<Leaf> bind(const Pattern& p, const Shares& shares);
  const std::vector<Leaf>& leaves_named(const std::string& name) const { return scope_.at(name); }
  Leaves closed(const Leaves& some) const;  // A* of all of them
  const std::string& name_of(Leaf l) const { return variables_[rows_[l].variable].name; }
  Effects use(const std::string& name, const Region& at) const;
  // What may share data with these, as long as all of it may be consumed here; else says why not.
  Effects consume(const Leaves& some, const Region& at, const std::string& name);
  void report_misuse(const Region& used, Leaf leaf, const Consumption& by);
  Effects then(Effects first, Effects second);
  Effects beside(Effects a, Effects b);
  static Effects either(Effects a, Effects b);
  void forbid(const Effects& consuming, const Effects& using_them);
  static void leave(Shares& shares, const Effects& consumed);
  // Leaf k is consumed: no other may share data with it.
  bool shared_with_another(const Shares& shares, std::size_t k) const;
  void report(const Region& at, std::string message, std::string expected, std::string mend);
  void check_result(const Type& declared, const Shares& shares, const std::string& whose, const Region& at,
                    std::size_t level);

  // uniqueness_expressions.cpp
  Found find(const Expr& e);
  Found all(const std::vector<ExprRef>& items);  // beside each other, shares one after another
  Found find(const Literal& l, const Expr& e);
  Found find(const TextLiteral& t, const Expr& e);
  Found find(const l0::Variable& v, const Expr& e);
  Found find(const TupleExpr& t, const Expr& e);
  Found find(const ArrayExpr& a, const Expr& e);
  Found find(const PrefixExpr& p, const Expr& e);
  Found find(const InfixExpr& i, const Expr& e);
  Found find(const IfExpr& i, const Expr& e);
  Found find(const BlockExpr& b, const Expr& e);
  Found find(const IndexExpr& i, const Expr& e);
  Found find(const CallExpr& c, const Expr& e);
  Found find(const BuiltInExpr& b, const Expr& e);
  Found find(const ShiftExpr& s, const Expr& e);
  Found find(const FlattenExpr& f, const Expr& e);
  Found find(const SoacExpr& s, const Expr& e);
  Effects define(const LetBinding& b, const Region& at);
  Effects define(const UpdateBinding& b, const Region& at);
  Effects define(const LoopBinding& b, const Region& at);
  bool outside(const Rounds& r, Leaf l) const { return variables_[rows_[l].variable].level < r.level; }
  void find_eaten(Rounds& r) const;
  Shares after_all(const Rounds& r) const;
  bool may_consume(const Rounds& r, std::size_t k, const LoopBinding& b);
  static Shares fresh(const Type& type) { return Shares(leaf_count(type)); }
  Found called(const Function& f, const CallExpr& c);

  // uniqueness_soacs.cpp
  struct Applied {           // a function of an array operation
    Shares shares;           // of what it gives, in the variables outside
    Effects effects;         // of what it has of its own
    std::vector<bool> eats;  // of each leaf of its arguments whether it is consumed
  };
  Applied applied(const Fn& f, const Shares& arguments);
  Applied applied(const Lambda& l, const Fn& f, const Shares& arguments);
  Applied applied(const NamedFunction& n, const Fn& f, const Shares& arguments);

  const Program& program_;
  NestedScope<std::vector<Leaf>> scope_;
  std::vector<Variable> variables_;
  std::vector<Row> rows_;
  std::vector<Border> borders_;
  Diagnostics diagnostics_;
  Consumed consumed_;
};

inline constexpr Leaf no_leaf = static_cast<Leaf>(-1);  // of a scalar

}  // namespace lockstep::l0::aliasing
