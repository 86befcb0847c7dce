// name=value words to the arguments of an entry point of a .snesl file, and the entry point at their types.
#pragma once
#include "driver/languages/snesl/program.h"
#include "driver/languages/snesl/random.h"
#include "semantics/snesl/value.h"

namespace lockstep::driver {

struct BoundArguments {
  snesl::core::Program program;
  snesl::Values values;  // of its parameters, in order
  std::vector<bool> random;
};

// With a seed, parameters that are not given are random. A Failure with status 2 for whatever is wrong with the words.
BoundArguments bind_arguments(const StreamingFile& file, const snesl::EntryPoint& entry,
                              const std::vector<std::string>& words, std::optional<std::uint64_t> fill = {});
// Values for those that were not given, drawn anew.
snesl::Values drawn_again(const BoundArguments& bound, std::uint64_t seed, int longest = 6);
bool is_text(const snesl::Type& type);  // [Char]

}  // namespace lockstep::driver
