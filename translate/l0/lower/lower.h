// L0 §2, 12: a program of L0's core as one of the calculus. Every array has lengths over the entry point's: those of
// its arguments' arrays, and of its ints that are used as lengths. What has to hold of them for that is a condition;
// where it does not hold the program means what L0 says, which may be a trap.
//   map2: map over a zip                        reduce2, redomap2: reduceSeq, one left fold, element first
//   scan2: scan, element first                  loop: reduceSeq over iota, `while` where only a run knows how often
//   split: take and drop                        transpose(k,j,·): maps of transpose
//   a[i]: !, checked                            a with [i] <- v: update, checked
#pragma once
#include <tl/expected.hpp>

#include "semantics/functional/inference/infer.h"
#include "semantics/l0/language.h"

namespace lockstep::l0 {

// A leaf of an argument or of the result.
struct LoweredLeaf {
  std::string name;      // of the parameter; "" where it is none: its value follows from `number`
  std::string source{};  // of an argument, in the program of L0
  ScalarType scalar = ScalarType::I64;
  std::vector<Size> lengths{};   // outermost first, over the sizes of the definition
  std::optional<Size> number{};  // of an int that is a size
};
struct Lowered {
  surface::Definition definition;
  bool takes_powers = false;                    // it calls the function for powers of ints
  std::vector<LoweredLeaf> arguments, results;  // in order
};
struct NotLowered {
  Region region;
  std::string why;  // "the length of iota is known only when it runs"
};
// Of an entry point after the last stage of L0: typed, without tuples, in normal form.
tl::expected<Lowered, NotLowered> lowered(const Entry& entry);
surface::Program program_of(const Lowered& l);  // with what it calls

// The same with the types of the calculus. What is wrong with those is a Bug, but for a condition that the solver does
// not decide.
struct InCalculus {
  Lowered lowered;
  PhraseProgram program;
  std::vector<SizeObligation> sizes;  // that it owed
};
tl::expected<InCalculus, NotLowered> with_types(Lowered lowered, const Calculus& calculus, const SizeSolver& solver);
tl::expected<InCalculus, NotLowered> in_calculus(const Entry& entry, const Calculus& calculus,
                                                 const SizeSolver& solver);

}  // namespace lockstep::l0
