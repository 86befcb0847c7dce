// What the elaboration of one definition works on: what stands around it, and what is found of it so far. A copy is
// where an elaboration starts again. Here and in the files that it is given to, w: the work, e: surface expression,
// t: type, d: definition.
#pragma once
#include "semantics/functional/inference/definitions.h"
#include "semantics/functional/inference/operands.h"
#include "semantics/functional/syntax/syntax.h"

namespace lockstep::inference {

struct Surroundings {
  const Calculus& calculus;
  const Definitions& defined;
  Names& names;
  const SizeImplication& implied;
  std::size_t& nodes_left;  // calls are expanded at once while these last, and left to `expanded` then
  std::string defining;     // the name of the definition, for what recursion is told
  // Every definition of the file, those further down too.
  const std::map<std::string, const surface::Definition*>* file = nullptr;
};

// A call whose k-th argument has an error, and of the others those that could be meant in its place.
struct MisfitCall {
  Region call, argument;
  std::size_t k;
  bool is_function;
  std::vector<std::size_t> others;
  std::string name, type;
};
// What would be right in another order: noted on the first reading, and tried on one after it.
struct OtherOrders {
  std::vector<Region> accumulating;  // functions that are an argument of a primitive that accumulates
  std::vector<MisfitCall> misfits;   // the innermost first
  std::optional<Region> reversed;    // this one of them is read with its first two parameters exchanged,
  std::string reversed_text;         // which is written so
  struct Exchange {
    Region call;
    std::size_t first, second;
  };
  std::optional<Exchange> exchange;  // this call is read with these two arguments exchanged,
  std::string exchange_text;         // which is written so
};

// An operator whose operands are being looked at.
struct Infix {
  Region left;
  std::string symbol;
  const surface::Expr* right;
};

struct Work {
  Work(Surroundings around, Diagnostics& diagnostics)
      : in(std::move(around)), errors(diagnostics), constraints(diagnostics) {}

  Surroundings in;
  Diagnostics& errors;
  Constraints constraints;
  Bindings bindings;
  OperandUses operands;
  SizeContext context;
  OtherOrders orders;
  std::optional<Infix> infix;

  Unifier& types() { return constraints.types; }
  const Unifier& types() const { return constraints.types; }
  void unify(const Type& expected, const Type& found, const Region& region, const std::string& what) {
    constraints.unify(expected, found, region, what);
  }
  void require(SizeFact fact, const Region& region, std::string origin) {
    constraints.require(std::move(fact), region, std::move(origin));
  }
  void report(const Region& region, std::string message, std::string expected = {}, std::string mend = {}) {
    constraints.report(region, std::move(message), std::move(expected), std::move(mend));
  }
  [[noreturn]] void fail(const Region& region, std::string message, std::string expected = {}, std::string mend = {}) {
    constraints.fail(region, std::move(message), std::move(expected), std::move(mend));
  }
};

}  // namespace lockstep::inference
