// Kernels in adversarial orders, by a second interpreter (flat.h, crowd.h): parallel iterations and the threads of a
// block change places before any access to memory that they share, and a barrier really waits. run.h runs each
// iteration to its end; what is wrong only where two of them overlap is found here.
#pragma once
#include "semantics/kernel/run.h"

namespace lockstep::kernel {

enum class Interleaving {
  Forward,       // the first that can go on, to its end or barrier
  Reverse,       // the last
  Turns,         // one access each, in turn
  TurnsReverse,  //
  Random,        // by the seed, at every access
  Warps,         // a warp in lock step to its end or barrier, one warp after the other
  WarpsReverse   // the last warp first
};
inline constexpr Interleaving all_interleavings[] = {
    Interleaving::Forward, Interleaving::Reverse, Interleaving::Turns,       Interleaving::TurnsReverse,
    Interleaving::Random,  Interleaving::Warps,   Interleaving::WarpsReverse};
std::string_view show(Interleaving i);

struct InterleaveOptions {
  Interleaving order = Interleaving::Turns;
  std::uint64_t seed = 0;
  std::int64_t warp = 0;  // iterations or threads; 0: as the program's
  bool detect_races = true;
  // Of a block; 0: those of the program's, but not more than its largest local loop has iterations. Iteration l is run
  // by thread l modulo their number.
  std::int64_t threads_per_block = 0;
  std::size_t live = 64;            // iterations of one loop that are under way at a time; others begin as these end
  std::uint64_t while_limit = 0;    // rounds of while loops that a thread, or an iteration without threads, runs
  bool trap_meets_barriers = true;  // otherwise a barrier that a trapped thread does not meet diverges
};
// As run(). A race names both accesses: buffer, index, iterations or threads, statements.
tl::expected<Buffers, Stop> run_interleaved(const Program& program, const SizeValues& sizes, const Buffers& inputs,
                                            const Domain& domain, const InterleaveOptions& options = {});

struct ExploreOptions {
  std::int64_t threads_per_block = 0;
  std::size_t most_orders = 1000;
  std::size_t most_accesses = 2000;  // to shared memory, in one order
  std::uint64_t while_limit = 0;
  bool reduce = true;  // false: every order there is, equivalent ones too
};
struct Exploration {
  std::size_t orders = 0;                             // that were run
  bool complete = false;                              // every order there is leads to the same as one of them
  std::vector<tl::expected<Buffers, Stop>> outcomes;  // those that differ; traps are one
  std::optional<Fault> race;                          // the first that was found; the runs go on
};
// Every order up to equivalence: two orders are equivalent where each pair of conflicting accesses (one scalar, one of
// them a write) stands the same way round. Starting from one order, those that turn round a pair of concurrent
// conflicting accesses are run, and so on (Abdulla, Aronis, Jonsson and Sagonas, Optimal dynamic partial order
// reduction, POPL 2014, Algorithm 1: source sets and sleep sets). A program without races has one class.
Exploration explore(const Program& program, const SizeValues& sizes, const Buffers& inputs, const Domain& domain,
                    const ExploreOptions& options = {});

}  // namespace lockstep::kernel
