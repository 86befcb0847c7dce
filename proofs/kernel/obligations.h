// What must hold of a kernel program for all sizes that satisfy its facts, and whether it does. Read off the kernel's
// tree (semantics/kernel/syntax.h), so that it holds of what is printed for a target, however it was made. That index
// arithmetic of 64 bits does not leave them is assumed.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "proofs/kernel/method.h"
#include "proofs/kernel/prover.h"
#include "semantics/kernel/syntax.h"
#include "semantics/language/claim.h"
#include "translate/dpia/stage.h"

namespace lockstep::proofs::kernels {

enum class ObligationKind {
  Bounds,          // an access, a lane, a count is inside
  Divisions,       // an index's dividend is natural, its divisor at least 1
  Races,           // iterations of a parallel loop, threads of a block between barriers, do not meet
  Initialisation,  // what is read has been written; every scalar of an output is
  Barriers,        // all threads of a block come to it
  InPlace,         // every read of a place precedes its write, where one array has taken another's place
  Checks,          // one that has gone would have held wherever it stood
  Moves,           // elements that one loop moves in another order come from where they came, to where they went
  Swaps,           // two arrays take turns where one was copied to the other
  Indices,         // the index printed is the composition of the path's views
  Widths           // an index fits the bits that indices have, at the sizes for which they are so narrow
};
inline constexpr ObligationKind obligation_kinds[] = {
    ObligationKind::Bounds,   ObligationKind::Divisions, ObligationKind::Races,  ObligationKind::Initialisation,
    ObligationKind::Barriers, ObligationKind::InPlace,   ObligationKind::Checks, ObligationKind::Moves,
    ObligationKind::Swaps,    ObligationKind::Indices,   ObligationKind::Widths};
std::string_view show(ObligationKind k);

// Proved: for all sizes, by `method`. Tested: it hangs on data that no check bounds. Refuted: `detail` has a
// counterexample, checked by evaluation, and no check stops the program before it.
struct ProgramObligation {
  ObligationKind kind;
  std::string name;   // "tmp[i * n + i_1] is inside [0, m * n)"
  std::string where;  // "par i < m, for i_1 < n"
  Standing standing = Standing::Unknown;
  Method method{};  // where proved
  double seconds = 0;
  std::string detail{};  // the counterexample; what is missing
  // Where what it is about stands: accesses, a division, an allocation, a barrier. Nothing of an output at the end.
  std::vector<Region> at{};
  // Of Races: where the body stands of the loop whose iterations are held apart, or whose block's threads are.
  Region loop{};
  bool of_threads = false;
  std::optional<SizeValues> sizes{};  // the counterexample's, of the program's sizes, where it has any
};

std::string_view verdict_of(const ProgramObligation& o);  // for people

// All kinds but InPlace, Checks, Moves, Swaps and Indices. `p` passes kernel::check: what is declared outside a
// parallel iteration it does not assign, so that the threads of a block agree on what is computed between local loops.
std::vector<ProgramObligation> kernel_obligations(const kernel::Program& p, Prover& prover);
// Of each temporary of `before` that `after` has no more: the stage between them is in-place.
std::vector<ProgramObligation> in_place_obligations(const kernel::Program& before, const kernel::Program& after,
                                                    Prover& prover);
// Of each array of `before` that `after` has no more: the stage between them shares places. Of each of `after` that
// says where it begins: it lies apart from the others.
std::vector<ProgramObligation> places_obligations(const kernel::Program& before, const kernel::Program& after,
                                                  Prover& prover);

// Of each check of `before` that `after` has no more.
std::vector<ProgramObligation> early_checks_obligations(const kernel::Program& before, const kernel::Program& after,
                                                        Prover& prover);
std::vector<ProgramObligation> checks_obligations(const kernel::Program& before, const kernel::Program& after,
                                                  Prover& prover);
// Of each nest of loops of `before` that moves its elements in blocks, or loop by lines, in `after`: the stage between
// them is moves.
std::vector<ProgramObligation> moves_obligations(const kernel::Program& before, const kernel::Program& after,
                                                 Prover& prover);
// Of each array of `before` that takes turns with the one that it was copied to in `after`: the stage between them is
// swaps.
std::vector<ProgramObligation> swaps_obligations(const kernel::Program& before, const kernel::Program& after,
                                                 Prover& prover);

// Whether what a loop marks in turn is marked once: of each loop with a check that a place has no mark yet, and its
// mark. As many iterations as there are places then mark each of them: the index is a bijection. It may well be
// refuted: then a run stops at such sizes.
struct MarkedOnce {
  Region at{};                            // of the check
  Standing standing = Standing::Unknown;  // Tested: it hangs on data
  Method method{};                        // where proved
  std::string detail{};                   // where refuted the least sizes, and who meets there, or goes outside
  bool always = false;                    // refuted, and in a program without sizes
};

struct MachineObligations {
  Machine machine;
  std::vector<ProgramObligation> obligations;
  std::string refused{};  // what the kernel's checks say where they refuse it; then there are no obligations
  std::set<std::string> complaints{};  // of the solver: contradictions, answers that are none
  smt::Settled settled{};              // of what the solver was asked; what it was asked before is not asked again
  std::vector<MarkedOnce> marked{};    // of the CPU's kernel as it is made first
};
// What the stages of each trace owe; one that was not asked for its obligations is a Bug.
std::vector<MachineObligations> program_obligations(const std::vector<DpiaTrace>& traces, unsigned timeout_ms = 1000,
                                                    const smt::Solver& solver = smt::z3(),
                                                    Asks asks = Asks::WhatIsLeft);
// The traces for both machines, with what they owe.
std::vector<DpiaTrace> traces_of(const PhraseProgram& source, const Calculus& calculus);

struct Tally {
  std::size_t proved = 0, violated = 0, excepted = 0, unknown = 0;
  std::size_t all() const { return proved + violated + excepted + unknown; }
};
Tally tally_of(const std::vector<ProgramObligation>& all, ObligationKind kind);
// "bounds 12/12, races 3/3, ..." of the kinds that occur
std::string show_tallies(const std::vector<ProgramObligation>& all);

}  // namespace lockstep::proofs::kernels
