// Sizes past every block, vector width and limit of a stage, at which a program is still soon run.
#pragma once
#include "props/dpia/generate.h"

namespace lockstep::props {

// Scalars of inputs and result, or the work in that measure; an empty array counts as one scalar.
double load_at(const PhraseProgram& p, const SizeValues& sizes);

// One near 2^31 or above, of an array that is a view and of which some elements are read; the others small. Nothing
// where the program has none that no parameter and no result has, or reads no such array.
std::optional<SizeValues> far_sizes(const PhraseProgram& p, double most, Random& random);

// One above 64, up to 5,000; at times one near 2^31 that no array that is stored has and no loop counts to. Nothing
// where none was found with a load of at most `most`.
std::optional<SizeValues> large_sizes(const PhraseProgram& p, double most, Random& random);

}  // namespace lockstep::props
