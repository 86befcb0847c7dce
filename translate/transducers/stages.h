// From SVCODE to what the engine runs (SNESL §4.4), stage by stage: pieces for threads, streams that are the same,
// kernels for several instructions, descriptors in short form, slices, and which instructions run together.
#pragma once
#include "semantics/transducer/language.h"
#include "translate/pipeline/stage.h"
#include "translate/transducers/rules.h"

namespace lockstep::transducer {

// The stages in the order in which they are run. `slack`: what the program's buffers hold beside the chunk, all of them
// together, from translate/streamability.
std::vector<Stage> transducer_stages(std::int64_t slack);
// What they make of a program.
Program transducers(const svcode::Program& p, std::int64_t slack = 0);

// Each alone. What a network is before it is in the README.
Program in_pieces(const svcode::Program& p, std::int64_t slack, svcode::Rows rows = {});
Network same_streams(const Network& n);
Network fused(const Network& n);
Network in_short_form(const Network& n);
Network fused_by_form(const Network& n);
Network with_slices(const Network& n);
Network with_bases(const Network& n);
Network with_counted(const Network& n, svcode::Rows rows = {});
Network with_clusters(const Network& n);
Network with_distributions(const Network& n);
Network with_loops(const Network& n);

}  // namespace lockstep::transducer
