// Arguments that are said to be random.
#pragma once
#include <cstdint>
#include <string>

namespace lockstep::driver {

// The seed of a random parameter that is given none: another for each name.
std::uint64_t hash_of(const std::string& name);
// That of `random` or `random:SEED`.
std::uint64_t random_seed(const std::string& name, const std::string& value);

}  // namespace lockstep::driver
