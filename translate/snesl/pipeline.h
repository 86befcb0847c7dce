// The pipeline of SNESL: core, SVCODE, and SVCODE after each simplification, with what is known of each.
#pragma once
#include <memory>

#include "semantics/snesl/core.h"
#include "semantics/svcode/run.h"
#include "translate/simplify/simplify.h"

namespace lockstep::streaming {

// Streamability, asked once of each program: what was answered is remembered. Regions do not count.
class Streamability {
 public:
  Streamability();
  // The slack of each instruction's buffer, or why the program is refused.
  const Checked<svcode::Slack>& of(const svcode::Program& p) const;
  std::size_t asked() const;  // of how many programs

 private:
  struct Memory;
  std::shared_ptr<Memory> memory_;
};

struct Step {
  std::string name, cite;
  svcode::Program program;
};
// The programs of a pipeline, made once: `flatten` first, then each simplification. A stage that comes again has a
// number.
struct Trace {
  std::vector<Step> steps;
  Streamability streamability;
  // What runs: the last that streams. That a simplification loses streamability is a mistake of ours, which verify
  // reports; it is no reason not to run.
  const svcode::Program& last_streaming() const;
  const Checked<svcode::Slack>& slack_of(const svcode::Program& p) const { return streamability.of(p); }
};
// `flat`: what flattening gives, where it is known already.
Trace run_pipeline(const snesl::core::Program& core, const Streamability& streamability,
                   std::optional<svcode::Program> flat = {});

}  // namespace lockstep::streaming
