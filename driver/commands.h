// The commands of languages.md §4, each a function from its options to an exit status. They print to standard output;
// a Failure is thrown for everything else.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "codegen/targets/target.h"
#include "driver/program.h"
#include "proofs/smt/solver.h"
#include "props/dpia/rounds.h"
#include "translate/dpia/stage.h"

namespace lockstep::driver {

struct Options {
  std::set<std::string> given;  // the options on the command line: "--limit"
  bool json = false;
  std::string program;                 // FILE[:FUN]
  std::vector<std::string> arguments;  // name=value
  std::string target;                  // "" for the command's default
  std::string output;                  // run: a .npy file; emit: a folder
  bool compare = false;
  std::int64_t chunk = 0;  // .snesl: elements of a chunk; 0 for the target's own choice
  int threads = 0;         // .snesl on the engine; 0: as many as the machine runs at once
  bool all = false;        // prove: what is proved too
  std::string stage;
  std::string certificate;
  std::string replay;  // verify: a certificate to repeat
  std::uint64_t seed = 1;
  std::size_t inputs = 12;
  std::uint64_t limit = props::default_round_limit;  // of `while`, that an input may take
  std::size_t runs = 0;                              // bench; 0: until a second has gone by
  std::string only;                                  // prove: a part of the obligations' names
  std::string solver = "z3";                         // prove
  // campaign
  std::size_t programs = 0;  // 0: the default
  std::string language = "dpia";
  double minutes = 0;
  std::string shard;
  std::string mutants;  // a pattern; "" for none
  bool show = false;    // the shrunk programs
  // derive
  std::string strategy;
  bool rules = false;
  bool verify = false;
};

int check_command(const Options& options);
int run_command(const Options& options);
int verify_command(const Options& options);
int stages_command(const Options& options);
int cost_command(const Options& options);
int prove_command(const Options& options);
int prove_calculus(const Options& options);  // prove without FILE
// Of --solver. A Failure with status 2 where there is none of that name, and 4 where it cannot run here.
const proofs::smt::Solver& asked_solver(const Options& options);
int emit_command(const Options& options);
int bench_command(const Options& options);
int campaign_command(const Options& options);
int mutants_command(const Options& options);         // of campaign --mutants
int snesl_campaign_command(const Options& options);  // of campaign --language snesl, --mutants too
// A Failure with status 2 where one of these is given: it would say nothing. `why`: "is of .snesl programs".
void refuse_given(const Options& options, const std::set<std::string>& names, const std::string& why,
                  const std::string& help = "");
inline constexpr std::size_t most_inputs = 1'000'000;
// A Failure with status 2 where --inputs asks for nothing, or for more than memory holds.
void check_inputs(const Options& options);
std::pair<std::size_t, std::size_t> shard_of(const std::string& text);  // i/k with 1 <= i <= k
int derive_command(const Options& options);
int targets_command(const Options& options);

inline constexpr const char* version = "0.1.0";

// A target by name: a Failure where there is none (2) or it cannot run here (4).
struct Runner {
  std::string name;
  std::string runs_on;             // what it needs
  std::string unavailable;         // why it cannot run here; "" where it can
  const Target* target = nullptr;  // none: the interpreter
};
std::vector<Runner> all_targets();
Runner target_named(const std::string& name);
std::string default_target();

void print(const std::string& text);  // to standard output
void print(const Json& json);
Json json_of(const SizeValues& sizes);

}  // namespace lockstep::driver
