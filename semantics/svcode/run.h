// The two interpreters of SVCODE (§5.3.1): eager, one instruction after another on whole streams; and chunked, a
// network of transducers with bounded buffers. They share no code but the scalar operators and the reductions of
// atom.h.
#pragma once
#include "semantics/snesl/evaluate.h"
#include "semantics/svcode/program.h"
#include "semantics/svcode/rows.h"

namespace lockstep::svcode {

struct Counts {
  std::int64_t work = 0;   // elements consumed and produced, and one for each instruction
  std::int64_t depth = 0;  // instructions whose streams are not empty (eager)
  std::int64_t space = 0;  // greatest number of elements stored at one time, streams freed after their last use
                           // (eager); cells and unbounded buffers (chunked)
};
struct Run {
  std::vector<Stream> result;  // the leaves of Program::result
  Counts counts;
};
tl::expected<Run, Trap> run_eager(const Program& p, const std::vector<Stream>& inputs, snesl::Files& files);
// Of a network of transducers.
tl::expected<Run, Trap> run_eager(const Program& p, const std::vector<Stream>& inputs, snesl::Files& files,
                                  const Forms& forms, Rows rows = {});

// How far a stream may be behind: what its buffer holds beside the chunk, per instruction, from
// translate/streamability.
using Slack = std::vector<std::int64_t>;
struct ChunkOptions {
  std::int64_t chunk = 1;           // elements of a bounded buffer
  std::vector<std::int64_t> slack;  // by index in Program::instructions; empty: 0 each
  enum class Order : unsigned char { Loop, Reverse, Random } order = Order::Loop;  // which ready transducer fires
  std::uint64_t seed = 0;                                                          // of Random
  Forms forms = {};                                                                // of a network of transducers
  Rows rows = {};
};
// No transducer can fire and the program is not done: which wait for what.
struct Deadlock {
  std::string report;
};
struct ChunkedRun {
  Run run;
  std::optional<Deadlock> deadlock;  // run.result holds what was produced
};
tl::expected<ChunkedRun, Trap> run_chunked(const Program& p, const std::vector<Stream>& inputs, snesl::Files& files,
                                           const ChunkOptions& options);

}  // namespace lockstep::svcode
