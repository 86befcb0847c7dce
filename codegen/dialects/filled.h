// Texts with holes: what a dialect and the engine's kernels are written in.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep {

// #k is operand k, a digit; # and a letter what stands beside it here; ## is one.
using Letters = std::vector<std::pair<char, std::string>>;
std::string filled(std::string_view text, const std::vector<std::string>& operands, const Letters& letters = {});

}  // namespace lockstep
