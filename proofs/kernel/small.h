// Counterexamples at small sizes, by running through the iterations: what a refutation shows, and independent of the
// solver that suspected it.
#pragma once
#include <array>

#include "proofs/kernel/accesses.h"

namespace lockstep::proofs::kernels {

// Sizes that satisfy the facts and at which there are inputs, the smallest first.
std::vector<SizeValues> small_sizes_of(const Accesses& a);

// f at each iteration whose conditions certainly hold, until it returns true or `budget` steps are spent. The names of
// `values` are fixed. With `possibly`, conditions on data count as true; nothing where a loop's extent is not known.
// `inputs`: what all elements of inputs are (terms.h).
std::optional<bool> each_instance(const Accesses& a, const Situation& s, const SizeValues& values, bool possibly,
                                  std::size_t& budget, const std::function<bool(const SizeValues&)>& f,
                                  std::optional<std::int64_t> inputs = {});

// Which of a parallel loop's units runs the iteration that `values` has of it; without units the iteration itself.
// Nothing where their number is not known.
std::optional<std::int64_t> unit_of(const LoopFrame& f, const SizeValues& values);

// Whether `first` at its numbers can come before `then` at its own.
bool may_precede(const Accesses& a, const Situation& first, const SizeValues& at_first, const Situation& then,
                 const SizeValues& at_then);

// Whether s, whose conditions hold at `values`, is reached: no check that may come before it, in its own iterations or
// in others, in whatever order, stops the program. Nothing where that hangs on data.
std::optional<bool> reached(const Accesses& a, const Situation& s, const SizeValues& values, std::size_t& budget,
                            std::optional<std::int64_t> inputs);
// What to say of the inputs where `holds`, asked at what all their elements are, is true: "" or " where inputs hold 0";
// nothing where it is not certain.
std::optional<std::string> with_inputs(const Accesses& a, const SizeValues& values,
                                       const std::function<std::optional<bool>(std::optional<std::int64_t>)>& holds);
// Of `values` those of the program's sizes; those that are missing are 0.
SizeValues size_values(const Accesses& a, const SizeValues& values);
// The same, in the program's own names.
SizeValues program_sizes(const Accesses& a, const SizeValues& values);
std::optional<std::string> inputs_that_reach(const Accesses& a, const Situation& s, const SizeValues& values,
                                             std::size_t& budget);

// Whether u's condition holds for all values of its variables; nothing where that hangs on data.
std::optional<bool> holds_for_all(const Universal& u, const SizeValues& values, std::size_t& budget,
                                  std::optional<std::int64_t> inputs = {});

// What all elements of all inputs are tried to be.
inline constexpr std::array<std::int64_t, 3> numbers_of_inputs{0, 1, 100};

std::string show_values(const SizeValues& values);  // "n = 3, i = 2"

}  // namespace lockstep::proofs::kernels
