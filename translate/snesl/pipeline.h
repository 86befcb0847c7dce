// The stages of SNESL, core to SVCODE and each simplification, and the trace of a program through them, with what is
// known of each program.
#pragma once
#include <memory>

#include "translate/pipeline/trace.h"
#include "translate/simplify/simplify.h"
#include "translate/transducers/stages.h"

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

// SNESL Fig. 4.2; its costs are bounded by the source's (ch. 5). `flat`: what it gives, where that is known already.
Stage flattening(std::optional<svcode::Program> flat = {});
// Flattening first, then each simplification.
std::vector<Stage> snesl_stages(const Streamable& streamable);

struct SneslTrace : Trace {
  Streamability streamability;
  // What runs: the last that streams. That a simplification loses streamability is a mistake of ours, which verify
  // reports; it is no reason not to run.
  const svcode::Program& last_streaming() const;
  const Checked<svcode::Slack>& slack_of(const svcode::Program& p) const { return streamability.of(p); }
  std::int64_t all_slack_of(const svcode::Program& p) const;  // of its buffers together; 0 where it does not stream
};
SneslTrace snesl_trace(const snesl::core::Program& core, const Streamability& streamability,
                       std::optional<svcode::Program> flat = {});
// From what runs to what the engine runs: that SVCODE, then networks of transducers, by these stages at its slack.
Trace network_trace(const SneslTrace& trace, const std::function<std::vector<Stage>(std::int64_t slack)>& stages =
                                                 transducer::transducer_stages);
const transducer::Program& network_of(const Trace& networks);
Step core_step(const snesl::core::Program& core);  // with which a trace begins

}  // namespace lockstep::streaming
