// The interpreter behind evaluate.h: expressions are made closures over a frame of slots, one for each name that a
// function binds. Private to evaluate*.cpp and row_shapes.cpp.
#pragma once
#include <map>

#include "semantics/core/closure.h"
#include "semantics/core/memory_limit.h"
#include "semantics/l0/evaluate.h"

namespace lockstep::l0::evaluating {

struct Compiled;
struct Machine {
  const Program& program;
  const Evaluation& how;
  Counts counts{};
  std::int64_t calls = 0;
  std::uintptr_t stack_end = 0;  // the stack is not used beyond; 0: nothing is known of it

  const Domain& domain() const { return how.domain; }
  // One after another, or beside each other.
  void spend(std::int64_t work) { counts.work += work, counts.depth += work; }
  void look() { spend(1), ++counts.views; }
  void spend_beside(std::int64_t work) { counts.work += work, counts.depth += 1; }
  void allocated(const Value& v) { counts.allocated += scalar_count(v); }
  // May an array of so many rows of so many scalars be made?
  void may_make(std::int64_t rows, std::int64_t row) const {
    if (rows > 0 && row > how.most_scalars / rows)
      throw not_enough_memory(static_cast<std::uint64_t>(rows), sizeof(std::uint64_t));
  }
  // Of elements one after another: rows were counted where they were made.
  void gathered(const Value& v);
};
struct Frame {
  Machine& machine;
  std::vector<Value> slots;
  std::optional<Values> again{};  // the arguments of a call of itself that comes last
};
using Code = Closure<Value(Frame&)>;

// A function, compiled when it is first called for.
struct Compiled {
  const Function* function = nullptr;
  std::size_t slots = 0;
  Code body;
};

// Names in scope and their slots, the innermost first.
struct Name {
  std::string name;
  std::size_t slot;
  std::shared_ptr<const Name> outer;
};
using Names = std::shared_ptr<const Name>;
std::size_t slot_of(const Names& names, const std::string& name);

// What is called in the place of a function, with so many values. The first arguments that it has of its own are
// evaluated once, before the arrays, and kept in slots.
using CalledCode = Closure<Value(Frame&, Values)>;
struct Called {
  std::vector<std::pair<std::size_t, Code>> first{};
  CalledCode code{};

  void prepare(Frame& f) const {
    for (const auto& [slot, c] : first) f.slots[slot] = c(f);
  }
  Value operator()(Frame& f, Values x) const { return code(f, std::move(x)); }
};

struct Pass;  // of an array operation over its arrays (evaluate_soacs.cpp)

class Compiler {
 public:
  explicit Compiler(const Program& program) : program_(program) {}
  const Compiled& function(const Function& f);

 private:
  // evaluate_compile.cpp
  Names bind(const Names& names, const std::string& name);
  Code code(const Expr& e, const Names& names, bool last = false);
  std::vector<Code> codes(const std::vector<ExprRef>& items, const Names& names);
  Code make(const Literal& l, const Expr& e, const Names& names, bool last);
  Code make(const TextLiteral& t, const Expr& e, const Names& names, bool last);
  Code make(const Variable& v, const Expr& e, const Names& names, bool last);
  Code make(const TupleExpr& t, const Expr& e, const Names& names, bool last);
  Code make(const ArrayExpr& a, const Expr& e, const Names& names, bool last);
  Code make(const PrefixExpr& p, const Expr& e, const Names& names, bool last);
  Code make(const InfixExpr& i, const Expr& e, const Names& names, bool last);
  Code make(const IfExpr& i, const Expr& e, const Names& names, bool last);
  Code make(const BlockExpr& b, const Expr& e, const Names& names, bool last);
  Code make(const IndexExpr& i, const Expr& e, const Names& names, bool last);
  Code make(const CallExpr& c, const Expr& e, const Names& names, bool last);
  Code make(const BuiltInExpr& b, const Expr& e, const Names& names, bool last);
  Code make(const ShiftExpr& s, const Expr& e, const Names& names, bool last);
  Code make(const FlattenExpr& f, const Expr& e, const Names& names, bool last);
  Code make(const SoacExpr& s, const Expr& e, const Names& names, bool last);

  using Done = Closure<void(Frame&)>;
  using Binder = Closure<void(Frame&, const Value&)>;
  Binder binder(const Pattern& p, Names& names);
  Done define(const LetBinding& b, const Region& at, Names& names);
  Done define(const UpdateBinding& b, const Region& at, Names& names);
  Done define(const LoopBinding& b, const Region& at, Names& names);

  // evaluate_soacs.cpp
  Called called(const Fn& f, const Names& names);
  Called called(const Lambda& l, const Names& names);
  Called called(const NamedFunction& n, const Region& at, const Names& names);
  Called called(const OperatorFunction& o, const Region& at, const Names& names);
  Pass pass(const SoacExpr& s, const Expr& e, const Names& names);
  Code map(const SoacExpr& s, const Expr& e, const Names& names);
  Code filter(const SoacExpr& s, const Expr& e, const Names& names);
  Code fold(const SoacExpr& s, const Expr& e, const Names& names);
  Code scan(const SoacExpr& s, const Expr& e, const Names& names);

  const Program& program_;
  std::map<std::string, std::unique_ptr<Compiled>> functions_;
  std::size_t slots_ = 0;              // of the function that is compiled
  const Function* current_ = nullptr;  // it
};

Value call(Machine& m, const Compiled& f, Values arguments, const Region& at);
[[noreturn]] void trap(std::string primitive, std::string message, const Region& at);
// What a block of the lambda's table of shapes says (README, "Empty arrays"): of each leaf of what it gives its
// dimensions, 0 for those that are not known without the elements of the arrays, whose rows have these.
std::vector<Dimensions> row_shapes(const Fn& f, const Program& program, const Names& names, Frame& frame,
                                   const Values& arrays);

// Of arrays: operations that need no code.
Value iota(std::int64_t n, const Region& at);
Value replicate(std::int64_t n, const Value& v, const Region& at);
Value transposed(const Value& a);
Value shifted(const Value& a, std::int64_t dimension, std::int64_t places);
Value flattened(const Value& a, std::int64_t dimensions);
Value first_rows(const Value& a, std::int64_t begin, std::int64_t end);
Value concatenated(const Value& a, const Value& b, const Region& at);
Value updated(Value array, const std::vector<std::int64_t>& indices, const Value& v, bool poisons, const Region& at);
Value indexed(const Value& array, const std::vector<std::int64_t>& indices, const std::string& name, const Region& at);
void check_lengths(const std::string& primitive, const Values& arrays, const Region& at);

}  // namespace lockstep::l0::evaluating
