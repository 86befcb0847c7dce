// What the commands do with .snesl programs (driver/frontend.h).
#pragma once
#include "driver/entry.h"
#include "driver/languages/snesl/program.h"

namespace lockstep::props::stream {
struct Toolchain;
}
namespace lockstep::driver {

const Frontend& snesl_language();
Runner streaming_runner(const std::string& name);

inline constexpr std::int64_t default_chunk = 4096;  // of the target chunked: elements

std::unique_ptr<Execution> execution_of(const StreamingFile& file, const snesl::EntryPoint& entry,
                                        const std::string& target, const Options& options, bool bench);
std::vector<StageText> stages_of(const StreamingFile& file, const snesl::EntryPoint& entry, const Options& options);
Said cost_of(const StreamingFile& file, const snesl::EntryPoint& entry, const Options& options);
EmittedText emitted(const StreamingFile& file, const snesl::EntryPoint& entry, const Options& options);
Said checked(const StreamingFile& file, const std::string& function);
Said proofs_of(const StreamingFile& file, const std::string& function, const Options& options);
RandomPrograms streaming_programs(const props::stream::Toolchain& tools);
Said streaming_mutants(const Options& options);

}  // namespace lockstep::driver
