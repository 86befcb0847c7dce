// One program of SNESL through all its stages on some inputs, each held against the big-step semantics, and the
// theorems of chapter 5 measured on the way.
#pragma once
#include "props/streaming/generate.h"
#include "props/streaming/toolchain.h"

namespace lockstep::props::stream {

// What is wrong, at the first stage at which it shows.
struct Finding {
  std::string stage;  // "elaborate", "print", "flatten", "common-subexpressions", "analyse", "chunked" ...
  std::string
      property;  // "no bug", "types", "round trip", "result", "work", "streamability", "deadlock", "order", a bound
  std::string input;  // arguments; empty where none matters
  std::string detail;
};
bool same_place(const Finding& a, const Finding& b);

// The theorems of chapter 5: what is measured never exceeds c times what the cost rules say.
enum class Bound : unsigned char { Work, Depth, ParallelSpace, SequentialSpace, SpaceOnP };
inline constexpr std::size_t bounds = 5;
std::string_view name_of(Bound b);  // "work <= c (W + 1)"
double fixed_constant(Bound b);     // c, with which the campaign fails
struct Ratio {
  double largest = 0;
  std::string program, input;
  std::int64_t measured = 0, cost = 0;
};

struct CheckCounts {
  std::size_t inputs = 0, traps = 0, runs = 0;
  std::size_t accepted = 0, refused = 0;  // programs, by the streamability analysis
  std::size_t large = 0;                  // inputs on which the program was too large to be run in full
  std::array<Ratio, bounds> ratios{};
  void add(const CheckCounts& other);
};

struct CheckOptions {
  std::size_t inputs = 3;
  std::vector<std::int64_t> chunks{1, 2, 3, 7};  // and the whole
  std::int64_t largest_work = 100'000;           // larger runs are not repeated at every chunk size
  bool assert_bounds = true;
};
std::optional<Finding> check_program(const GeneratedProgram& program, std::uint64_t seed, const Toolchain& tools,
                                     const CheckOptions& options, CheckCounts& counts);

// No conditional inside a comprehension: where depth bounds the instructions that run.
bool is_contained(const snesl::core::Program& p);

}  // namespace lockstep::props::stream
