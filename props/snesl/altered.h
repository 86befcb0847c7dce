// A program with one change: a type of a parameter, a name, an operator, an argument left out or exchanged. Many are
// ill-typed. What & counts to is kept small, whatever the change.
#pragma once
#include "props/snesl/generate.h"

namespace lockstep::props::stream {

GeneratedProgram altered(GeneratedProgram p, std::uint64_t seed);

}  // namespace lockstep::props::stream
