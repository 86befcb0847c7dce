// Counterexamples at small sizes, by running through the iterations: what a refutation shows, and independent of the
// solver that suspected it.
#pragma once
#include "proofs/program_accesses.h"

namespace lockstep::program_proofs {

// Sizes that satisfy the facts, the smallest first.
std::vector<SizeValues> small_sizes_of(const Accesses& a);

// f at each iteration in which s is certainly reached, until it returns true or `budget` steps are spent. The names of
// `values` are fixed. With `possibly`, conditions on data count as true; nothing where a loop's extent is not known.
std::optional<bool> each_instance(const Accesses& a, const Situation& s, const SizeValues& values, bool possibly,
                                  std::size_t& budget, const std::function<bool(const SizeValues&)>& f);

std::string show_values(const SizeValues& values);  // "n = 3, i = 2"

}  // namespace lockstep::program_proofs
