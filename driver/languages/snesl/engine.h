// The engine as a target: runs on the machine's files, and runs apart from them for verify.
#pragma once
#include "codegen/streaming/engine.h"
#include "props/snesl/results.h"

namespace lockstep::driver {

using props::stream::KeptFiles, props::stream::StreamingResult, props::stream::agree, props::stream::evaluated,
    props::stream::run_eagerly, props::stream::run_in_chunks, props::stream::show, props::stream::inputs_of;

// A Failure with status 4 where the machine fails. A long program is compiled without optimisation, which would take
// minutes.
engine::Engine load_engine(const transducer::Program& program, engine::Engine::Effort effort);
StreamingResult run_compiled(const engine::Engine& engine, const svcode::Program& program, const snesl::Values& values,
                             const engine::EngineOptions& options);

// Of an engine that is loaded for it: on copies of what `files` has read, with what is written in the result, and none
// of the machine's files touched. Nothing where something is written to a name that no file can have.
std::optional<StreamingResult> run_apart(const engine::Engine& engine, const svcode::Program& program,
                                         const snesl::Values& values, const KeptFiles& files,
                                         const std::map<std::string, std::string>& written,
                                         engine::EngineOptions options);

// What the engine has left in these files, those that are regular.
std::map<std::string, std::string> contents_of_files(const std::map<std::string, std::string>& names);

}  // namespace lockstep::driver
