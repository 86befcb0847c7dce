// name=value words to the arguments of an entry point of a .snesl file, and the entry point at their types.
#pragma once
#include "codegen/streaming/engine.h"
#include "driver/languages/snesl/program.h"
#include "driver/languages/snesl/random.h"
#include "props/snesl/files.h"
#include "semantics/snesl/value.h"

namespace lockstep::driver {

using props::stream::KeptFiles, props::stream::kept_machine_files;

struct BoundArguments {
  snesl::core::Program program;
  snesl::Values values;  // of its parameters, in order
  // Of those that were given as one array each, for the engine alone: their values are ().
  std::map<std::size_t, std::vector<engine::EngineLeaf>> leaves{};
  std::vector<std::optional<props::RandomAsked>> random;  // of those that are random
  // Whether it is another in each input.
  bool drawn_anew(std::size_t k) const { return random[k] && !random[k]->seed; }
};

// With a seed, parameters that are not given are random. A Failure with status 2 for whatever is wrong with the words.
BoundArguments bind_arguments(const StreamingFile& file, const snesl::EntryPoint& entry,
                              const std::vector<std::string>& words, std::optional<std::uint64_t> fill = {});
BoundArguments bind_for_engine(const StreamingFile& file, const snesl::EntryPoint& entry,
                               const std::vector<std::string>& words, std::optional<std::uint64_t> fill = {});
// Values for those that were not given, drawn anew.
snesl::Values drawn_again(const BoundArguments& bound, std::uint64_t seed, int longest = 6);
bool is_text(const snesl::Type& type);  // [Char]
std::string characters_of(const snesl::Value& text);

}  // namespace lockstep::driver
