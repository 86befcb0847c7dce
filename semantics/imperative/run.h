// The meaning of imperative phrases: commands over a store (DPIA §3.3, §5.2). Expressions are read when they are
// forced, parallel iterations run in any order that is asked for, and interference between them is an outcome of its
// own.
#pragma once
#include <set>

#include "semantics/core/phrase.h"
#include "semantics/core/value.h"

namespace lockstep {

// Of the iterations of parallel loops, and of what permute combines (any order, where it is not Forward). The last two
// change the iteration before every access to the store, in turns or at random, up to 64 of a loop under way at a time;
// interference is then not looked for but shows in the result.
enum class Order { Forward, Reverse, Random, Turns, RandomTurns };

struct RunOptions {
  Order order = Order::Forward;
  std::uint64_t seed = 0;         // of Random and RandomTurns
  bool poison = true;             // reading what was not written is an error; otherwise it is zero
  std::set<Level> sequential{};   // levels besides Seq and Unroll whose loops are not parallel on the machine at hand
  bool invert_acceptors = false;  // of every view from its meaning, also where the acceptor is known directly
  bool check_views = false;       // run the checks of views; after the translation they stand as commands
  std::int64_t iteration_limit = 0;  // of all while loops together; 0: none
};

struct Interference {  // two iterations of one parallel loop touch a cell, and one writes it
  std::string message;
  Region region;        // of the command that touches it last
  Region other_region;  // of the one of the other iteration
};
struct Unwritten {  // a cell is read that nothing wrote
  std::string message;
  Region region;
};
struct Stuck {  // no rule applies: an index outside, a shape that does not fit, the iteration limit
  std::string message;
};
using RunError = std::variant<Trap, Interference, Unwritten, Stuck>;
std::string render(const RunError& error);

// Sizes by name, arguments in the order of the parameters. A functional program is denoted. UndecidedSignal passes.
tl::expected<Value, RunError> run(const PhraseProgram& program, const SizeValues& sizes,
                                  const std::vector<Value>& arguments, const Domain& domain,
                                  const RunOptions& options = {});

}  // namespace lockstep
