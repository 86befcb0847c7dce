// The interpreters of networks. Without steps, a network runs as SVCODE does (svcode/run.h), whole or in chunks. With
// steps it runs step by step, each on whole streams, of which only what the steps give is there; or on windows, as the
// engine schedules it (schedule.h). In pieces, the head, then the body on each piece of the root, then the tail.
#pragma once
#include "semantics/svcode/run.h"
#include "semantics/transducer/program.h"

namespace lockstep::transducer {

struct RunOptions {
  std::int64_t chunk = 0;  // elements of a bounded buffer, of a window; 0: whole streams
  std::int64_t piece = 0;  // elements of the root in a piece, or more; 0: the network whole
};
// Where there are steps, only when nothing stores the groups of vectors any more; a Bug otherwise.
bool runs_in_chunks(const Program& p);
// The counts: on a schedule space alone; in pieces those of the tail. A Bug where a network is none: a step reads what
// is not there, a deadlock, lengths that do not fit.
tl::expected<svcode::Run, Trap> run(const Program& p, const std::vector<svcode::Stream>& inputs, snesl::Files& files,
                                    const RunOptions& options);

}  // namespace lockstep::transducer
