// The commands of languages.md §4 on .snesl files.
#pragma once
#include "driver/commands.h"

namespace lockstep::driver {

int snesl_check(const Options& options);
int snesl_run(const Options& options);
int snesl_verify(const Options& options);
int snesl_stages(const Options& options);
int snesl_cost(const Options& options);
int snesl_prove(const Options& options);
int snesl_emit(const Options& options);
int snesl_bench(const Options& options);
int snesl_derive(const Options& options);

// The command line is of a .snesl file: one is named, or the certificate to repeat is of one.
bool is_of_snesl(const Options& options);
bool is_certificate_of_snesl(const std::string& path);

std::vector<Runner> streaming_targets();
Runner streaming_target_named(const std::string& name);
std::string default_streaming_target();
void refuse_chunks(const std::string& target, const Options& options);  // --chunk and --threads where they say nothing
inline constexpr std::int64_t default_chunk = 4096;                     // of the target chunked: elements

}  // namespace lockstep::driver
