// The stages of DPIA, each made of the languages that it works between, and the trace of a program through them.
#pragma once
#include "semantics/core/machine.h"
#include "semantics/imperative/language.h"
#include "translate/fusion/decision.h"
#include "translate/pipeline/trace.h"
#include "translate/rewriting/rule.h"

namespace lockstep {

// functional -> functional
Stage fuse_loops(const DpiaLanguages& languages);
// What it does; `decisions`: what became of each map and each loop that takes what it makes; `laws`: who says which
// operators have them, or nobody, for what they claim.
PhraseProgram fused(const PhraseProgram& p, const Calculus& calculus, const fusion::Parts& parts = {},
                    std::vector<fusion::Decision>* decisions = nullptr, const rewriting::LawOracle& laws = {});
// What became of a loop that laws of its operator, or of its indices, make another one.
struct LoopDecision {
  enum What {
    InBlocks,     // by these laws
    AnyGrouping,  // one loop, whose elements targets group as they like
    InOrder,      // and why
    ByRows,       // of columns, all of them at a time, in the order that is written
    InTiles,      // of rows and columns, in the order that is written
    Unmarked,     // its indices are distinct
    Marked        // a mark for each place says whether they are
  };
  std::string loop;
  Region at{};
  What what = InOrder;
  std::vector<rewriting::LawQuestion> laws{};
  std::string why{};
};
Stage distinct_places(const DpiaLanguages& languages);
// What it does; `decisions`: what became of each scatter.
PhraseProgram with_distinct_places(const PhraseProgram& p, const Calculus& calculus,
                                   std::vector<LoopDecision>* decisions = nullptr);
Stage tiles(const DpiaLanguages& languages);
// What it does; `decisions`: which reductions.
PhraseProgram in_tiles(const PhraseProgram& p, const Calculus& calculus,
                       std::vector<LoopDecision>* decisions = nullptr);
Stage reduce_in_blocks(const DpiaLanguages& languages);  // owes LawsHold.
// What it does; `relied`: on which laws; `laws`: as of `fused`; `decisions`: what became of each fold, scan and permute
// whose order may be another.
PhraseProgram reduced_in_blocks(const PhraseProgram& p, const Calculus& calculus, struct LawsHold* relied = nullptr,
                                const rewriting::LawOracle& laws = {}, std::vector<LoopDecision>* decisions = nullptr);
Stage contract(const DpiaLanguages& languages);
PhraseProgram contracted(const PhraseProgram& p, const Calculus& calculus);  // what it does
Stage strategies(const DpiaLanguages& languages, Machine machine);
// functional -> imperative (Fig. 5)
Stage functional_to_imperative(const DpiaLanguages& languages);
// imperative -> imperative
Stage loops(const DpiaLanguages& languages, Machine machine);
Stage hoist(const DpiaLanguages& languages, Machine machine);
// imperative -> kernel (Fig. 6); for the GPU, without barriers. Owes a PathRecord (paths.h) for each expression and
// store.
Stage paths(const DpiaLanguages& languages, Machine machine);
// kernel -> kernel; in-place owes ReadsPrecedeWrites.
Stage counted(const LanguageRef& kernel);
kernel::Program with_counted_loops(const kernel::Program& p);       // what it does
Stage early_checks(const LanguageRef& kernel);                      // owes ChecksComeAnyway.
kernel::Program with_early_checks(const kernel::Program& p);        // what it does
Stage checks(const LanguageRef& kernel);                            // owes ChecksHold.
kernel::Program without_needless_checks(const kernel::Program& p);  // what it does
Stage digits(const LanguageRef& kernel);
kernel::Program by_digits(const kernel::Program& p);  // what it does
// For the GPU, whose memories are written by level, variables alone, and not what is read from memory for them.
enum class Unread { Variables, All };
Stage unread(const LanguageRef& kernel, Unread what);
kernel::Program without_unread(const kernel::Program& p, Unread what = Unread::All);  // what it does
Stage joined(const LanguageRef& kernel);
kernel::Program with_joined_arrays(const kernel::Program& p);  // what it does
Stage in_place(const LanguageRef& kernel);
Stage swaps(const LanguageRef& kernel);                         // owes RoundsSwap.
kernel::Program with_swapped_states(const kernel::Program& p);  // what it does
Stage index_sets(const LanguageRef& kernel);
kernel::Program with_index_sets_split(const kernel::Program& p);  // what it does
Stage read_once(const LanguageRef& kernel);
kernel::Program with_words_read_once(const kernel::Program& p);  // what it does
Stage moves(const LanguageRef& kernel);                          // owes MovesTheSame.
kernel::Program with_moves_in_lanes(const kernel::Program& p);   // what it does
// for the GPU
Stage lift(const LanguageRef& kernel);
Stage shuffles(const LanguageRef& kernel);
kernel::Program with_shuffles(const kernel::Program& p);  // what it does
Stage virtualise(const LanguageRef& kernel);
kernel::Program dealt_out(const kernel::Program& p);  // what it does
Stage places(const LanguageRef& kernel);              // owes LiveApart.
Stage barriers(const DpiaLanguages& languages);
kernel::Program with_barriers(const kernel::Program& p);  // what it does
Stage narrow(const LanguageRef& kernel);
kernel::Program narrowed(const kernel::Program& p);  // what it does
// kernel -> host, for the GPU
Stage host_stage(const DpiaLanguages& languages);
host::Program hosted(const kernel::Program& p);  // what it does

// Owed: operators have these laws, of floats on the reals.
struct LawsHold {
  std::vector<rewriting::LawQuestion> questions;
};
// Owed: every read of a place of a state precedes its write, where a temporary of `before` was merged into it.
struct ReadsPrecedeWrites {
  kernel::Program before, after;
};
// Owed: what `after` is without are checks, and loops and branches around nothing else, and the condition of each holds
// wherever `before` comes to it.
struct ChecksHold {
  kernel::Program before, after;
};
// Owed: what `after` has more are checks before loops, with a branch around both that is taken where the loop has an
// iteration; where the condition of one does not hold, `before` comes to a check in the loop that does not hold either.
struct ChecksComeAnyway {
  kernel::Program before, after;
};
// Owed: an array of `before` that `after` has no more is alive only where the array is not whose place it takes; those
// of `after` that say where they begin lie apart.
struct LiveApart {
  kernel::Program before, after;
};
// Owed: loops of `after` that have two rounds for one of `before` do in the second what the first does, from the arrays
// that it writes to those that it reads, where `before` copies; nothing of what is copied is read in another round.
struct RoundsSwap {
  kernel::Program before, after;
};
// Owed: what `after` does in blocks of short vectors are nests of two loops of `before` that only move elements, each
// to a place of its own: the same from and to the same places.
struct MovesTheSame {
  kernel::Program before, after;
};
// Owed by the last of these that changes more than the order in which elements are moved: accesses are inside their
// buffers, iterations and threads do not meet, what is read has been written, and all threads of a block come to a
// barrier.
struct SafeKernel {
  kernel::Program program;
};

// All of them for a machine, in order.
std::vector<Stage> dpia_stages(const DpiaLanguages& languages, Machine machine);
using StageList = std::function<std::vector<Stage>(const DpiaLanguages&, Machine)>;

struct DpiaTrace : Trace {
  Machine machine = Machine::Cpu;
  const kernel::Program& kernel() const { return host::called_as(last()); }  // that is run, in the end
};
DpiaTrace dpia_trace(const PhraseProgram& source, const DpiaLanguages& languages, Machine machine, bool owed = false,
                     const StageList& stages = dpia_stages);
DpiaTrace dpia_trace(const PhraseProgram& source, const Calculus& calculus, Machine machine, bool owed = false);

// What runs a piece of a program: the whole machine, the threads of one block or of one warp together, or one thread.
enum class Runs { Machine, Block, Warp, Thread };
Runs runs_inside(Level loop, Runs around, Machine machine);

}  // namespace lockstep
