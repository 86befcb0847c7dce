// L0 §2, 12: a program of L0's core as one of the calculus. Every array has lengths over the entry point's: those of
// its arguments' arrays, and of its ints that are used as lengths. What has to hold of them for that is a condition;
// where it does not hold the program means what L0 says, which may be a trap.
//   map2: map over a zip                        reduce2, redomap2: reduceSeq, one left fold, element first
//   scan2: scan, element first                  loop: reduceSeq over iota, `while` where only a run knows how often
//   split: take and drop                        transpose(k,j,·): maps of transpose
//   a[i]: !, checked                            a with [i] <- v: update, checked
#pragma once
#include <tl/expected.hpp>

#include "semantics/l0/language.h"
#include "translate/lowered/in_calculus.h"

namespace lockstep::l0 {

// Of an entry point after the last stage of L0: typed, without tuples, in normal form.
tl::expected<LoweredProgram, NotLowered> lowered(const Entry& entry);

tl::expected<InCalculus, NotLowered> in_calculus(const Entry& entry, const Calculus& calculus,
                                                 const SizeSolver& solver);

}  // namespace lockstep::l0
