// One program of SNESL through all its stages on some inputs, each held against the big-step semantics, and the
// theorems of chapter 5 measured on the way.
#pragma once
#include "props/engine/campaign.h"
#include "props/engine/statistics.h"
#include "props/snesl/generate.h"
#include "props/snesl/toolchain.h"

namespace lockstep::props::stream {

using props::Finding, props::same_place;

// The theorems of chapter 5: what is measured never exceeds c times what the cost rules say.
enum class Bound : unsigned char { Work, Depth, ParallelSpace, SequentialSpace, SpaceOnP };
inline constexpr std::size_t bounds = 5;
std::string_view name_of(Bound b);  // "work <= c (W + 1)"
double fixed_constant(Bound b);     // c, with which the campaign and `verify` fail
// What ran, what the cost rules say of it, and which of the theorems it is a case of.
struct Measured {
  Bound bound;
  std::int64_t measured = 0, cost = 0;  // measured <= c cost
  double ratio() const { return static_cast<double>(measured) / static_cast<double>(cost); }
  bool holds() const { return ratio() <= fixed_constant(bound); }
};
// The theorems are about closed programs: what is given counts like what is computed. `leaves`: of the arguments.
snesl::Cost cost_with_arguments(snesl::Cost cost, const snesl::Values& arguments, std::size_t leaves);
// Of an eager run of so many instructions. Depth is related where conditionals stand outside of comprehensions only
// (`is_contained`), and for the program as translated.
std::vector<Measured> measured_eagerly(const snesl::Cost& cost, const svcode::Counts& counts, std::size_t instructions,
                                       bool with_depth);
std::vector<Measured> measured_in_chunks(const snesl::Cost& cost, const svcode::Counts& counts, std::int64_t chunk);
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
  std::size_t reals = 0, wide = 0;  // Reals of results held against their bounds; of them, those of a wide bound
  std::size_t undecided = 0;        // inputs on which rounding decides which way a program goes
  Worst rounding{};                 // where error/bound was greatest
  Statistics statistics;
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
