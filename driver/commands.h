// The commands of languages.md §4, each a function from its options to an exit status. They print to standard output;
// a Failure is thrown for everything else.
#pragma once
#include <string>
#include <vector>

#include "driver/program.h"
#include "translate/stage.h"

namespace lockstep::driver {

struct Options {
  bool json = false;
  std::string program;                // FILE[:FUN]
  std::vector<std::string> arguments; // name=value
  std::string target;                 // "" for the command's default
  std::string output;                 // run: a .npy file; emit: a folder
  bool compare = false;
  std::string stage;
  std::string certificate;
  bool no_certificate = false;
  std::uint64_t seed = 1;
  std::size_t inputs = 12;
  std::size_t runs = 0;               // bench; 0: until a second has gone by
  // campaign
  std::size_t programs = 1000;
  std::string language = "dpia";
  double minutes = 0;
  std::string shard;
  // derive
  std::string strategy;
  std::string replay;
  bool rules = false;
  bool verify = false;
};

int check_command(const Options& options);
int run_command(const Options& options);
int verify_command(const Options& options);
int stages_command(const Options& options);
int cost_command(const Options& options);
int prove_command(const Options& options);
int emit_command(const Options& options);
int bench_command(const Options& options);
int campaign_command(const Options& options);
int derive_command(const Options& options);
int targets_command(const Options& options);

inline constexpr const char* version = "0.1.0";

// A target by name: a Failure where there is none (2) or it cannot run here (4).
struct Target {
  std::string name;
  std::string runs_on;      // what it needs
  std::string unavailable;  // why it cannot run here; "" where it can
};
std::vector<Target> all_targets();
Target target_named(const std::string& name);
std::string default_target();

void print(const std::string& text);  // to standard output
void print(const Json& json);
Json json_of(const SizeValues& sizes);

}  // namespace lockstep::driver
