// What the programs of a .snesl pipeline give on values.
#pragma once
#include "props/snesl/files.h"
#include "props/snesl/toolchain.h"
#include "semantics/svcode/run.h"

namespace lockstep::props::stream {

// What a run gave: a value or a trap, and what it wrote.
struct StreamingResult {
  tl::expected<snesl::Value, Trap> value;
  std::map<std::string, std::string> written{};
  svcode::Counts counts{};
  std::optional<std::size_t> writes{};  // how often files were written, where that is known
  std::string deadlock{};               // chunked: a report where nothing could go on
  snesl::MayTrap may{};                 // of the source that traps
};
// The same value bit for bit and the same files, or a trap that is one of those expected. Where lengths are what does
// not fit (`zip`, `flagpart`, `the`), another will do, of a primitive that can trap at that place of the program: what
// comes after goes on with what there is until the end is known, and flattened programs see descriptors that differ and
// not their lengths.
bool agree(const StreamingResult& found, const StreamingResult& expected);
// A trap that is one of those expected.
bool is_expected(const Trap& found, const StreamingResult& expected);
// Both trap, by whatever, or they have the same value and files.
bool same_outcome(const StreamingResult& a, const StreamingResult& b);
std::string show(const StreamingResult& r);  // shortened

std::vector<svcode::Stream> inputs_of(const svcode::Program& program, const snesl::Values& values);
StreamingResult evaluated(const Toolchain& tools, const snesl::core::Program& core, const snesl::Values& values,
                          KeptFiles& files, snesl::Cost* cost = nullptr);
StreamingResult evaluated(const snesl::core::Program& core, const snesl::Values& values, KeptFiles& files,
                          snesl::Cost* cost = nullptr);
// By a toolchain's interpreters, and by the standard ones.
StreamingResult run_eagerly(const Toolchain& tools, const svcode::Program& program, const snesl::Values& values,
                            KeptFiles& files);
StreamingResult run_in_chunks(const Toolchain& tools, const svcode::Program& program, const snesl::Values& values,
                              KeptFiles& files, const svcode::ChunkOptions& options);
StreamingResult run_network(const transducer::Program& program, const snesl::Values& values, KeptFiles& files,
                            const transducer::RunOptions& options);
StreamingResult run_eagerly(const svcode::Program& program, const snesl::Values& values, KeptFiles& files);
StreamingResult run_in_chunks(const svcode::Program& program, const snesl::Values& values, KeptFiles& files,
                              const svcode::ChunkOptions& options);

}  // namespace lockstep::props::stream
