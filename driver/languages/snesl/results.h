// What the programs of a .snesl pipeline give on values.
#pragma once
#include "driver/languages/snesl/files.h"
#include "semantics/svcode/run.h"

namespace lockstep::driver {

// What a run gave: a value or a trap, and what it wrote.
struct StreamingResult {
  tl::expected<snesl::Value, Trap> value;
  std::map<std::string, std::string> written{};
  svcode::Counts counts{};
  std::string deadlock{};  // chunked: a report where nothing could go on
};
// The same value bit for bit and the same files, or a trap both times, whichever it is.
bool agree(const StreamingResult& a, const StreamingResult& b);
std::string show(const StreamingResult& r);  // shortened

std::vector<svcode::Stream> inputs_of(const svcode::Program& program, const snesl::Values& values);
StreamingResult evaluated(const snesl::core::Program& core, const snesl::Values& values, KeptFiles& files,
                          snesl::Cost* cost = nullptr);
StreamingResult run_eagerly(const svcode::Program& program, const snesl::Values& values, KeptFiles& files);
StreamingResult run_in_chunks(const svcode::Program& program, const snesl::Values& values, KeptFiles& files,
                              const svcode::ChunkOptions& options);

}  // namespace lockstep::driver
