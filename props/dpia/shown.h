// Results and inputs in reports: short, as literals that could be read back where they are few.
#pragma once
#include "props/dpia/inputs.h"
#include "semantics/language/arrays.h"

namespace lockstep::props {

std::string shown(const Scalars& scalars, const Type& type, const SizeValues& sizes);
std::string shown(const Outcome& o, const Type& type, const SizeValues& sizes);
std::string shown(const std::vector<Trap>& any_of);
std::string shown(const PhraseProgram& p, const Arguments& a);  // n=3 xs=[1, 2, 3]; "no arguments"

}  // namespace lockstep::props
