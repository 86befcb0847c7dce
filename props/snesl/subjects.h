// The subjects of SNESL that verify and the campaign test: the programs of a trace, whole and in chunks, on inputs on
// which the source was evaluated first.
#pragma once
#include "props/engine/verify.h"
#include "props/snesl/check.h"
#include "props/snesl/results.h"
#include "translate/snesl/pipeline.h"

namespace lockstep::props::stream {

// An input, with what the source gives on it.
struct StreamInput {
  snesl::Values values;
  KeptFiles files;
  StreamingResult expected;
  snesl::Cost cost;  // the arguments counted in
  std::string text;
  std::uint64_t seed = 0;
  bool large = false;  // of long sequences: fewer runs
};

// What was counted of one subject, against the theorems of chapter 5 that are about it.
class Costs {
 public:
  void relate(const StreamInput& in, const std::vector<Measured>& all);
  // A relation for each theorem, and the table's cell. `held`: what does not hold is wrong.
  void say(Row& row, bool held) const;

 private:
  struct Greatest {
    Measured m;
    std::string input;
    std::size_t inputs = 0;
  };
  std::vector<Greatest> greatest_;
};

// What the subjects of one case share.
struct StreamTests {
  const Toolchain& tools;
  const Trace& trace;  // core, then programs of SVCODE
  std::function<Checked<svcode::Slack>(const svcode::Program&)> analyse;
  std::vector<StreamInput>& inputs;
  bool streams = true;         // the program before simplification does: so must those after it
  bool read_back = true;       // texts are printed and parsed
  bool contained = true;       // the theorem about depth is one about the translation, of contained programs
  bool held = true;            // the theorems are, with their constants
  bool in_order_only = false;  // costs of chunks are counted where the transducers run in order
  std::function<void(const StreamInput&, const std::vector<Measured>&)> counted{};
  std::function<void(const StreamInput&, const Trap&)> trapped{};  // a run that agrees
  std::vector<std::vector<std::int64_t>> work{};                   // by step and input; -1 where it traps
  std::vector<std::int64_t> network_work{};                        // of the network before, by input; likewise
};

// That a stage adds no work, and on an input where it does; `before`: -1 where that is not known.
Related no_work_added();
void relate_work(Related& added, const StreamInput& in, std::int64_t before, std::int64_t work);

Row svcode_row(const std::string& name, const std::string& cite);
// As wide as what `Costs::say` will say of these.
std::string planned_costs(const std::vector<Bound>& bounds);
Row target_row(const std::string& name, const std::string& cite);
// The k-th step of the trace, the first being core.
std::unique_ptr<Subject> svcode_subject(StreamTests& tests, std::size_t k);
// In chunks of these sizes, in these orders of the transducers that are ready.
using Chunks = std::vector<std::pair<std::int64_t, svcode::ChunkOptions::Order>>;
std::unique_ptr<Subject> chunked_subject(StreamTests& tests, std::size_t k, const std::string& name,
                                         std::function<Chunks(const StreamInput&)> chunks);
// The k-th step of a trace of networks, the first being SVCODE: whole, in chunks where it
// has a schedule (`runs_in_chunks`), and both in pieces where it has such.
std::unique_ptr<Subject> network_subject(StreamTests& tests, const Trace& networks, std::size_t k);
// Compares a run with what the source gives; `how` it was run.
void compare(Row& row, const StreamInput& in, const StreamingResult& got, const std::string& how);
void compare(const StreamTests& tests, Row& row, const StreamInput& in, const StreamingResult& got,
             const std::string& how);
// A run that gives nothing at all, for it waits for itself or its lengths do not fit, is a Bug of an interpreter or of
// the engine: the row says it as it does a wrong result.
void gives_nothing(Row& row, StreamInput& in, const Bug& bug, const std::string& how);
template <class Run>
auto attempted(Row& row, StreamInput& in, const std::string& how, Run run) -> std::optional<decltype(run())> {
  try {
    return run();
  } catch (const Bug& bug) {
    gives_nothing(row, in, bug, how);
    return {};
  }
}

}  // namespace lockstep::props::stream
