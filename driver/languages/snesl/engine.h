// The engine as a target: runs on the machine's files, and runs apart from them for verify.
#pragma once
#include "codegen/streaming/engine.h"
#include "driver/languages/snesl/results.h"

namespace lockstep::driver {

// A Failure with status 4 where the machine fails. A long program is compiled without optimisation, which would take
// minutes.
streaming::Engine load_engine(const svcode::Program& program, streaming::Engine::Effort effort = {});
StreamingResult run_compiled(const streaming::Engine& engine, const svcode::Program& program,
                             const snesl::Values& values, const streaming::EngineOptions& options);

// Of an engine that is loaded for it: on copies of what `files` has read, with what is written in the result, and none
// of the machine's files touched. Nothing where something is written to a name that no file can have.
std::optional<StreamingResult> run_apart(const streaming::Engine& engine, const svcode::Program& program,
                                         const snesl::Values& values, const KeptFiles& files,
                                         const std::map<std::string, std::string>& written,
                                         streaming::EngineOptions options);

// What the engine has left in these files, those that are regular.
std::map<std::string, std::string> contents_of(const std::map<std::string, std::string>& names);

}  // namespace lockstep::driver
