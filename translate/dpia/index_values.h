// What is known of a kernel's integers where a statement stands, by its own arithmetic: values as polynomials over the
// sizes, loop variables and names for what is read, conditions as facts about them. No search beyond a fixed depth and
// no solver.
#pragma once
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "semantics/core/size.h"
#include "semantics/kernel/syntax.h"
#include "semantics/scalars/operator.h"

namespace lockstep {

// What one more of the name changes, where that is a number, the same everywhere.
std::optional<std::int64_t> step_of(const Size& s, const std::string& name);

class IndexValues {
 public:
  explicit IndexValues(const kernel::Program& p);

  // Of an expression of integers, exactly, as it is after any wrapping; nothing where that is not known.
  std::optional<Size> value(const kernel::Expr& e);
  bool holds(const kernel::Expr& condition, bool truth = true);    // or is false, where truth is
  void suppose(const kernel::Expr& condition, bool truth = true);  // from here on
  // Facts that the condition is all of together; nothing where that is not known.
  std::optional<std::vector<SizeFact>> facts_of(const kernel::Expr& condition);
  bool holds(const SizeFact& fact) const { return proves(fact); }
  bool at_most(const Size& a, const Size& b) const { return proves({a, SizeRelation::LessEqual, b}); }
  bool is_unreachable() const;  // what is known contradicts itself
  // The value as index arithmetic over the kernel's names, of which no part leaves 64 bits; nothing where there is
  // none.
  std::optional<kernel::Expr> as_index(const kernel::Expr& e);

  void declare(const std::string& name, const kernel::KType& type, const std::optional<kernel::Expr>& init);
  void assign(const std::string& name, const kernel::Expr& value);
  void enter_loop(const std::string& variable, const kernel::Expr& extent);  // in an iteration
  void forget(const std::set<std::string>& assigned);
  void fits(const kernel::Expr& count);  // has been computed as an index: a number of 64 bits

  struct Variable {
    kernel::KType type;
    std::optional<Size> value;
  };
  // Names declared since are forgotten; what is known stays.
  using Variables = std::map<std::string, Variable>;
  Variables variables() const { return now_.variables; }
  // With the variables that have them for the names that this has given; nothing where one has none.
  static std::optional<Size> over(const Variables& variables, const Size& s);
  void leave_block(const Variables& outer, const std::set<std::string>& declared);
  // What is known stands for a branch or an iteration: `body` ends with it, and with the values of what it assigns.
  template <class F>
  void apart(const std::set<std::string>& assigned, F body) {
    const Known outer = now_;
    body();
    now_ = outer;
    forget(assigned);
  }

 private:
  using Value = std::optional<Size>;
  struct Choice {  // a name that stands for one of two values
    std::optional<SizeFact> condition, otherwise;
    Size then, other;
  };
  Value of_number(const kernel::Expr& e);
  Value of_definition(const scalars::Definition& d, const std::vector<Value>& arguments);
  Value of_operation(const scalars::Definition& d, const scalars::Definition::Apply& a,
                     const std::vector<Value>& arguments);
  Value wrapped(const Size& exact, ScalarType t) const;  // where it does not wrap
  bool within(const Size& exact, ScalarType t) const;
  std::optional<double> greatest(const Size& s) const;
  Value chosen(const std::optional<SizeFact>& condition, const Value& then, const Value& otherwise);
  Value read(const kernel::Load& l, ScalarType t);
  Size unknown(ScalarType t);  // some number of that type
  Size below(const Size& end);
  bool is_any(const std::string& name) const;
  Size fresh() { return Size::name("#" + std::to_string(++names_)); }

  struct Condition {  // a fact, or all of its parts, or any of them: expressions that are true, or false; or not known
    std::optional<SizeFact> fact{};
    std::vector<std::pair<const kernel::Expr*, bool>> parts{};
    bool any = false;
  };
  Condition condition_of(const kernel::Expr& e, bool truth);
  bool proves(const SizeFact& goal) const;
  bool proves(const SizeContext& known, const SizeFact& goal, int splits) const;

  struct Before {
    bool operator()(const SizeFact& a, const SizeFact& b) const {
      if (a.relation != b.relation) return a.relation < b.relation;
      const int left = compare(a.left, b.left);
      return left != 0 ? left < 0 : compare(a.right, b.right) < 0;
    }
  };
  struct Known {
    SizeContext facts;
    Variables variables;
    std::vector<std::tuple<std::string, Size, Size>> reads;  // of inputs: where, what
    std::vector<Size> limits;                                // numbers of 64 bits
    mutable std::map<SizeFact, bool, Before> asked;          // and whether it was proved, of these facts
  };
  void assume(const SizeFact& f) { now_.facts.assume(f), now_.asked.clear(); }
  Known now_;
  std::map<std::string, Choice> choices_;
  std::map<std::string, const kernel::Buffer*> inputs_;
  int names_ = 0;
};

}  // namespace lockstep
