// A core program made ready for evaluation: a slot for each bound name, a list of steps for each chain of lets, and for
// each step the names that nothing reads any more. Inside the folder only.
#pragma once
#include <memory>

#include "semantics/snesl/evaluate.h"

namespace lockstep::snesl::plan {

using Slot = std::size_t;

struct Block;
struct Node {  // any expression; a let is its block
  const core::Expr* expr = nullptr;
  std::vector<Slot> arguments;         // the names that it reads itself, in the order of its alternative of core::Expr
  Value constant;                      // of Literal, Text
  Slot element = 0;                    // of Comprehension
  std::int64_t distributed = 0;        // Σ|σ_i| of the names that a comprehension uses
  std::shared_ptr<const Block> block;  // of Let, and the body of Comprehension and Guarded
};
struct Step {
  Node node;
  bool binds = false;  // all but the last, which is the block's value
  Slot slot = 0;
  std::vector<Slot> dead;  // bound in this block, read here for the last time
};
struct Block {
  std::vector<Step> steps;
};
struct Plan {
  Block body;
  std::vector<Slot> parameters;
  std::size_t slots = 0;
  bool files = false;  // it reads or writes one
};
Plan plan_of(const core::Program& p);  // points into p

// F_φ of Fig. 2.3: the value of every built-in but Scalar. Traps carry the region of `e`, which is the Apply.
using Arguments = std::span<const Value* const>;
Value value_of(const core::Expr& e, Arguments arguments, Files& files, const Domain& domain);
// The same where arguments may be lost, and what is lost by a trap of its own, which is added to `may`, in part.
// Nothing is written.
Value value_past_traps(const core::Expr& e, Arguments arguments, Files& files, const Domain& domain, MayTrap& may);
// The operations of a program that can trap: what each is called then and where it is, without a message.
std::vector<Trap> trapping_operations(const core::Program& p);
// F_φ's work, and μNESL's (W, D) of the built-in with its variable arguments.
std::int64_t work_of(core::Builtin b, Arguments arguments, const Value& result);
NeslCost nesl_of(core::Builtin b, Arguments arguments, const Value& result);

}  // namespace lockstep::snesl::plan
