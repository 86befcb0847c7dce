// Random values that a program is tested and timed on, the same on every machine.
#pragma once
#include "codegen/targets/executable.h"
#include "props/dpia/given.h"

namespace lockstep::props {

// Integers of random inputs: what indexes should often be inside, in order, or distinct.
enum class Integers {
  Small,     // [-100, 100], or [0, 100] where there are no negative ones
  Inside,    // below a length: the least of the arrays that are indexed, or the least size that is not 0
  Sorted,    // the same, in order
  Distinct,  // a permutation of 0, 1, ...
};

// idx(n) among the leaves of a type, with its bound; nothing for every other leaf.
std::vector<std::optional<Size>> index_bounds(const Type& type);

// Lengths, the least first, of the arrays that the program indexes by numbers that are no literals: constant and
// compound ones too. Where it indexes none, the least size that is not 0, or
// 100 where there are no sizes.
std::vector<std::int64_t> index_tops(const PhraseProgram& program, const SizeValues& sizes);

// Floats uniform in [-1, 1), idx(n) below n, bools even; integers other than Small below `top`, 0 standing for the
// least that fits. Of a kind: what kinds.h says, positive floats up to 1 and integers up to 100. The error: no memory,
// or "there is no value", of idx(0) or of a kind.
tl::expected<Leaves, std::string> random_leaves(const Type& type, const SizeValues& sizes, std::uint64_t seed,
                                                Integers integers = Integers::Small, std::int64_t top = 0,
                                                RandomKind kind = RandomKind::Any);
// With what is given in its place.
tl::expected<Arguments, std::string> random_inputs(const PhraseProgram& program, const SizeValues& sizes,
                                                   std::uint64_t seed, Integers integers = Integers::Small,
                                                   std::int64_t top = 0, const GivenInputs& given = {});

}  // namespace lockstep::props
