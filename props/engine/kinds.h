// Kinds of random values that are asked for by name, as in a=random:spd, and the numbers of each: the same for every
// language, and on every machine.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "props/engine/random.h"

namespace lockstep::props {

enum class RandomKind { Any, Positive, Sorted, Distinct, Permutation, Spd };

// What a person asks for: a kind, and a seed where the values are to be the same each time.
struct RandomAsked {
  RandomKind kind = RandomKind::Any;
  std::optional<std::uint64_t> seed{};
};

struct KindRow {
  RandomKind kind;
  std::string_view name;   // random:NAME
  std::string_view gives;  // what its values are
};
// All that have a name.
std::span<const KindRow> kind_rows();
const KindRow& row_of(RandomKind kind);  // of one with a name
std::optional<RandomKind> kind_named(std::string_view name);
std::string names_of_kinds();  // "spd, positive, ..."

// From [-1, 1), with so many bits of mantissa.
double uniform(Random& random, int digits);
// From 0 to bound - 1.
std::int64_t below(Random& random, std::int64_t bound);
// 0, 1, ..., n - 1.
std::vector<std::int64_t> permutation(std::int64_t n, Random& random);
// n of the numbers from low to high, no two the same and in no order: near 0, but where they are many. n numbers have
// to be there.
std::vector<std::int64_t> distinct_integers(std::int64_t n, std::int64_t low, std::int64_t high, Random& random);
// n multiples of 2^(1 - digits) from [-1, 1), no two the same. n is at most 2^digits.
std::vector<double> distinct_floats(std::int64_t n, int digits, Random& random);
// The elements of an n by n matrix, by row and column, in any order: symmetric, and each element of its diagonal
// greater than twice the sum of the others of its row, without their signs; so that it is positive definite, also where
// its elements are rounded, and the methods of Jacobi and of conjugate gradients converge in few steps.
void positive_definite(std::int64_t n, int digits, Random& random,
                       const std::function<void(std::int64_t, std::int64_t, double)>& put);

}  // namespace lockstep::props
