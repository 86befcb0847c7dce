// Inputs of a random program, the same for its interpreters and for the engine.
#pragma once
#include <map>

#include "props/snesl/files.h"
#include "props/snesl/toolchain.h"

namespace lockstep::props::stream {

struct RandomInput {
  snesl::Values values;
  std::map<std::string, std::string> files;
  bool large = false;  // sequences of more than 64 elements, up to 5,000 where they cost little
};
bool reads_files(const snesl::core::Expr& e);
// One of a program that takes nothing and reads nothing. Of one program in twenty the last is large, where the source's
// work allows it; of all with vectors that are `seldom` asked, and then longer.
std::vector<RandomInput> random_inputs(const snesl::core::Program& program, std::uint64_t seed, std::size_t count,
                                       const Toolchain& tools, bool seldom = false);
// Whether the source gives other values or files on small ones of them, or traps on one and not on another.
bool varies(const snesl::core::Program& program, std::uint64_t seed, std::size_t count, const Toolchain& tools);
// These files alone; to read another traps.
KeptFiles files_of(const RandomInput& in);

}  // namespace lockstep::props::stream
