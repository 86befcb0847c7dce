// The commands of languages.md §4, each a function from its options to an exit status. They print to standard output; a
// Failure is thrown for everything else. None knows a language: what a file is of, its frontend says.
#pragma once
#include "driver/frontend.h"

namespace lockstep::driver {

int check_command(const Options& options);
int run_command(const Options& options);
int verify_command(const Options& options);
int stages_command(const Options& options);
int cost_command(const Options& options);
int fusion_command(const Options& options);
int prove_command(const Options& options);
int emit_command(const Options& options);
int bench_command(const Options& options);
int campaign_command(const Options& options);
int derive_command(const Options& options);
int tune_command(const Options& options);
int primitives_command(const Options& options);
int targets_command(const Options& options);

// A file and one of its entry points, after the command's options were seen to say something to its language.
struct Loaded {
  const Frontend* language = nullptr;
  std::unique_ptr<File> file;
  std::unique_ptr<Entry> entry;
};
Loaded load(const Options& options, const std::string& command);
void refuse_useless(const Frontend& f, const Options& options, const std::string& command);
// To a folder, which is made where there is none; all files or none. Their paths.
std::vector<std::string> write_into(const std::string& folder, std::vector<std::pair<std::string, std::string>> files);

}  // namespace lockstep::driver
