// The parameters of an entry point in the calculus: their names, their types, and which of them are sizes.
#pragma once
#include <functional>
#include <set>
#include <string>

#include "translate/lowered/sizes.h"

namespace lockstep::lowering {

// What no name of a program may be: it is a word of .dpia, or would hide a primitive.
const std::set<std::string>& taken_words();
// Over its lengths, whose names are used then.
lockstep::Type type_of(const LoweredLeaf& leaf, std::set<std::string>& used);
// The sizes and parameters of `d`. Sizes that no int gives are found from arrays; an int that follows from other sizes
// is no parameter.
void name_sizes(surface::Definition& d, std::vector<LoweredLeaf>& parameters, const Sizes& sizes,
                std::set<std::string>& used);

// What one reading of the body makes, and the sizes that stand in its types, arguments and conditions.
struct Reading {
  LoweredProgram program;
  std::set<std::string> used;
};
// Arguments by name.
using Candidates = std::set<std::string>;
// Which ints are sizes and which sizes are equal is found out by reading the body again and again, until nothing more
// is learned and each int that may be a size is used as one. `read` refuses by NotLowered.
tl::expected<LoweredProgram, NotLowered> read_until_settled(
    Candidates candidates, const std::function<Reading(Sizes& sizes, const Candidates& candidates)>& read);

}  // namespace lockstep::lowering
