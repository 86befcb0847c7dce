// What a loop does: whether a parallel one has enough that threads are worth waking, and what one in order goes on
// from.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "semantics/kernel/syntax.h"

namespace lockstep {

// What the macro is called that the condition is held against, in nodes: a text defines it unless it is defined; 0:
// every loop is worth threads. Two threads come and go in the time of some ten thousand.
inline constexpr const char* least_work = "LOCKSTEP_LEAST_WORK";
std::string text_of_least_work();

// The condition, in C, that a loop's iterations together evaluate and store enough nodes. Nothing where that is not
// known before it runs: of extents that are made in it, of data, and of `while`. `shown`: an expression as text.
std::optional<std::string> worth_threads(const kernel::ParallelFor& loop,
                                         const std::function<std::string(const kernel::Expr&)>& shown);

// Whether it is known to have too little to do for any threads: a text needs no region for it.
bool is_soon_done(const kernel::ParallelFor& loop);

// Whether rounds take what earlier ones have made, and are not a few that are lanes.
bool goes_on(const kernel::For& loop);

// What a parallel loop's text depends on.
struct Content {
  bool checks = false, streams = false, loops = false, vectors = false;
  bool arrays = false, allocates = false;  // buffers of its own; those on the heap, which can fail
};
Content content_of(const kernel::Stmt& s);
// Iterations are independent, so a body that is straight-line code may be interleaved lane by lane.
bool may_interleave(const Content& c);

}  // namespace lockstep
