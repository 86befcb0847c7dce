// Inputs that a program is tested and timed on: sizes that satisfy its facts, and random values, the same on every
// machine.
#pragma once
#include "codegen/targets/executable.h"

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
// least that fits. The error: no memory, or no value of idx(0) exists.
tl::expected<Leaves, std::string> random_leaves(const Type& type, const SizeValues& sizes, std::uint64_t seed,
                                                Integers integers = Integers::Small, std::int64_t top = 0);
tl::expected<Arguments, std::string> random_inputs(const PhraseProgram& program, const SizeValues& sizes,
                                                   std::uint64_t seed, Integers integers = Integers::Small,
                                                   std::int64_t top = 0);

// Whether the facts hold and every dimension is a natural number.
bool fits(const PhraseProgram& program, const SizeValues& sizes);
// Scalars of the inputs and the result.
double element_count(const PhraseProgram& program, const SizeValues& sizes);

// What an input costs to run.
using Weight = std::function<double(const SizeValues&)>;
struct SizeSearch {
  std::vector<SizeValues> sizes;      // the lightest first
  std::vector<SizeValues> light;      // all that were found within the limit, in the same order
  std::optional<SizeValues> heavy{};  // beyond the limit, where no lighter one is without a size 0
};
// Up to `count` assignments: 0, 1, odd and larger ones, multiples of what the program divides by and others. Sizes in
// `given` keep their value.
SizeSearch search_sizes(const PhraseProgram& program, const SizeValues& given, std::size_t count, const Weight& weight,
                        double limit, std::uint64_t seed);

}  // namespace lockstep::props
