// Levels of the parallel hierarchy and spaces of memory (DPIA §6.2). Auto: the target's choice, resolved by
// `strategies`.
#pragma once
#include <string_view>

namespace lockstep {

enum class Level { Auto, Seq, Par, Global, Workgroup, Warp, Local, Unroll };
enum class Space { Auto, Global, Local, Private, Stream };
std::string_view show(Level l);
bool is_parallel(Level l);  // over threads, warps or blocks: not Auto, Seq or Unroll
// Whether a loop of the inner level may stand directly in one of the outer, sequential loops between them left out.
bool nests(Level outer, Level inner);
std::string_view show(Space s);
// Where a variable lives for which memory of the space is asked: past the caches is in global memory, too.
inline Space lives_in(Space s) { return s == Space::Stream ? Space::Global : s; }

}  // namespace lockstep
