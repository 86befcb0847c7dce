// The located machine of FCL: small steps at places of a machine of blocks, warps and threads (Dybdal et al., §5.2,
// rules (36) to (42), as fcl.md mends them). Terms are expressions: `push <γ> [e, …]` is the push array [e, …]<γ>, and
// `interleave n f [e, …]` of values the delayed one. Independent of evaluate.h, but for what a scalar operation is.
#pragma once
#include <map>
#include <memory>

#include "semantics/fcl/evaluate.h"

namespace lockstep::fcl {

// How many threads a warp has, and so on; none of them changes a value.
struct Machine {
  int threads = 2, warps = 2, blocks = 2;
};
// Of the units that could go on: all of them in one step; the first alone; the last alone; one that is drawn.
enum class Order : unsigned char { LockStep, FirstAhead, Reverse, Drawn };
struct Schedule {
  Order order = Order::LockStep;
  std::uint64_t seed = 1;
};

// Rules as the paper prints them, for the terms that refute them.
struct PrintedRules {
  bool elements = false;  // (41): as many elements as places, and each steps
  bool chunks = false;    // (42): the lengths of chunks are not looked at, and stand one behind the other
};

class Stepping {
 public:
  // `force` of the definition on these arguments, at the whole machine; levels by name.
  Stepping(const Inferred& program, std::string_view definition, const std::vector<Expr>& arguments,
           const std::map<std::string, Level>& levels, const Launch& launch, const Machine& machine,
           const Schedule& schedule, const PrintedRules& printed = {});
  ~Stepping();
  Stepping(const Stepping&) = delete;
  Stepping& operator=(const Stepping&) = delete;

  const Expr& term() const;
  bool is_value() const;
  // One step; false where none is possible, which for a term that is no value is a mistake. A trap is thrown.
  bool step();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// To the end, or a trap; nothing where it is stuck, or takes more steps than that.
struct Stuck {
  Expr at;
};
tl::expected<Expr, std::variant<Trap, Stuck>> stepped(Stepping& machine, std::size_t most_steps = 1'000'000);

}  // namespace lockstep::fcl
