// The engine on random programs: compiled in batches, run at several chunk sizes and numbers of threads.
#pragma once
#include "props/snesl/check.h"

namespace lockstep::props::stream {

struct EngineSubject {
  GeneratedProgram program;
  std::uint64_t seed = 0;  // of its inputs
};
struct EngineCounts {
  std::size_t programs = 0, runs = 0, skipped = 0;  // skipped: refused, or using files
};
// A finding for each program that has one. A machine without a compiler is a Bug here.
std::vector<std::optional<Finding>> check_engine(const std::vector<EngineSubject>& batch, const Toolchain& tools,
                                                 EngineCounts& counts);

}  // namespace lockstep::props::stream
