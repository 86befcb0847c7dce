// verify on .snesl: every stage and target beside the big-step semantics, on the same inputs, and costs beside its
// costs.
#pragma once
#include "driver/snesl_arguments.h"
#include "driver/snesl_pipeline.h"
#include "props/snesl/check.h"

namespace lockstep::driver {

struct StreamingRequest {
  std::uint64_t seed = 1;
  std::size_t inputs = 12;
  std::vector<std::string> arguments{};  // name=value; what is not given is random
  std::vector<std::string> targets{"chunked", "engine"};
};

struct StreamingDisagreement {
  std::string input, expected, found;
};
// The greatest quotient by what a theorem of chapter 5 bounds it with, and the input of it.
struct Related : props::stream::Measured {
  std::string input;
};
struct StreamingRow {
  std::string name, cite, language;
  std::string checked;       // what was checked of the program itself, "" for nothing
  std::string ill_formed{};  // what is wrong with it
  std::size_t instructions = 0;
  std::size_t tested = 0;   // inputs
  std::size_t not_run = 0;  // inputs that a target could not be given
  std::size_t runs = 0;
  std::vector<Related> costs{};  // one for each theorem that is about it
  std::optional<StreamingDisagreement> disagreement{};
  std::string unavailable{};  // a target that was not run
  double seconds = 0;
  const Related* cost_wrong() const;  // the first that does not hold
  bool ok() const { return ill_formed.empty() && !disagreement && !cost_wrong(); }
  bool ran_everywhere() const { return unavailable.empty() && not_run == 0; }
};
struct StreamingReport {
  std::vector<std::uint64_t> seeds;  // of each input
  std::vector<std::string> results;  // SHA-256 of what the source gives on each
  std::size_t trapped = 0;           // inputs on which the source traps, as everything after it must
  std::size_t needed = 0;            // inputs that have to give values, or nothing is said to be tested
  std::string first_trap;
  std::vector<StreamingRow> stages, targets;
  std::int64_t slack = 0;
  bool ok() const;
  std::optional<std::string> not_tested() const;  // how many inputs gave values, and what to give
  bool ran_everywhere() const;
  const StreamingRow* first_wrong() const;
};

inline constexpr std::int64_t verified_chunks[] = {1, 2, 3, 7, 64, 1000};
inline constexpr std::int64_t engine_chunks[] = {0, 1, 7, 64};

StreamingReport verify_streaming(const StreamingFile& file, const BoundArguments& bound,
                                 const StreamingRequest& request);

}  // namespace lockstep::driver
