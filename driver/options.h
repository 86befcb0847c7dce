// What the command line may say, to any command. A frontend lists what says nothing to it (frontend.h).
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "props/engine/report.h"
#include "semantics/core/launch.h"

namespace lockstep::driver {

inline constexpr std::size_t most_inputs = 1'000'000;
inline constexpr const char* version = "0.1.0";

// Those of a command line; the first is meant where nothing says which.
using Languages = std::vector<const class Frontend*>;

// How a program is to run. On a GPU; 0 where nothing is said: the program's own, or the default.
struct AskedRun {
  int block = 0, warp = 0, grid = 0, index = 0;
  bool strict = false;     // of .dpia: what it reduces stays in the order that is written
  std::string strategy{};  // of .dpia: a file; "" for none
};

struct Options {
  Languages languages;
  std::set<std::string> given;  // the options on the command line: "--limit"
  bool json = false;
  std::string program;                 // FILE[:FUN]
  std::vector<std::string> arguments;  // name=value
  std::string target;                  // "" for the command's default
  AskedRun asked;
  std::string output;  // run: a .npy file; emit: a folder
  bool compare = false;
  std::int64_t chunk = 0;  // .snesl: elements of a chunk; 0 for the target's own choice
  int threads = 0;         // 0: the default of the engine, or of campaign
  bool all = false;        // prove: what is proved too
  std::string fusion;      // .l0: off, paper or full
  std::string stage;
  std::string certificate;
  std::string replay;  // verify: a certificate to repeat
  std::uint64_t seed = 1;
  std::size_t inputs = 12;
  std::string sizes;                                 // verify: what they are drawn from, "4,8"; bench: all of them
  std::uint64_t limit = props::default_round_limit;  // of `while`, that an input may take
  std::size_t runs = 0;                              // bench; 0: until a second has gone by
  bool roofline = false;                             // bench
  std::string plot;                                  // bench: a .svg file
  std::vector<std::string> peers;                    // bench: NAME=SECONDS
  std::string only;                                  // prove: a part of the obligations' names
  std::string solver;                                // prove; "": both, where both are there
  // campaign
  std::size_t programs = 0;           // 0: the default
  std::size_t compiled_programs = 0;  // of them on the compiled target too
  std::string sanitizer;              // under which they run
  bool nightly = false;
  std::vector<std::string> merge;  // files of reports
  std::string language = "dpia";
  double minutes = 0;
  std::string shard;
  std::string mutants;  // a pattern; "" for none
  bool show = false;    // the shrunk programs
  bool statistics = false;
  // derive
  std::string strategy;
  bool rules = false;
  bool explain = false;
  std::string name;  // primitives: one of them
  bool verify = false;
};

// A Failure with status 2 where one of these is given: it would say nothing. `why`: "is of .snesl programs".
void refuse_given(const Options& options, const std::set<std::string>& names, const std::string& why,
                  const std::string& help = "");
// A Failure with status 2 where --inputs asks for nothing, or for more than memory holds.
void check_inputs(const Options& options);
std::vector<std::int64_t> sizes_among(const std::string& text);         // "4,8": natural numbers; none of ""
std::optional<std::int64_t> size_among(const std::string& text);        // one, above 0
std::pair<std::size_t, std::size_t> shard_of(const std::string& text);  // i/k with 1 <= i <= k

}  // namespace lockstep::driver
