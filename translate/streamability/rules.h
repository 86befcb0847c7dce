// The rules of the analysis, one for each instruction or for some that are alike: what its operands' clocks must be,
// what its own is, and what waits for what. `now` is the stream that the instruction defines. What several of them say
// is in reading.h and descriptors.h.
#pragma once
#include "translate/streamability/analysis.h"

namespace lockstep::streaming::rules {

// The rule of the instruction's opcode (rules.cpp has the table).
void instruction(Analysis& a, const Instr& i, Stream& now);

// steps.cpp: what goes element by element, or looks ahead.
void elementwise(Analysis& a, const Instr& i, Stream& now);
void map(Analysis& a, const Instr& i, Stream& now);
void pack(Analysis& a, const Instr& i, Stream& now);
void unpack(Analysis& a, const Instr& i, Stream& now);
void lookahead(Analysis& a, const Instr& i, Stream& now);
void of_children(Analysis& a, const Instr& i, Stream& now);
void gather(Analysis& a, const Instr& i, Stream& now);

// rules.cpp: where a traversal begins or ends.
void ctrl(Analysis& a, const Instr& i, Stream& now);
void input(Analysis& a, const Instr& i, Stream& now);
void constant(Analysis& a, const Instr& i, Stream& now);
void source(Analysis& a, const Instr& i, Stream& now);
void pmerge(Analysis& a, const Instr& i, Stream& now);
void after_end(Analysis& a, const Instr& i, Stream& now);
void whole(Analysis& a, const Instr& i, Stream& now);
void segtab(Analysis& a, const Instr& i, Stream& now);

// segments.cpp: descriptors, what they distribute, pick and cut.
void pdist(Analysis& a, const Instr& i, Stream& now);
void upack(Analysis& a, const Instr& i, Stream& now);
void b2u(Analysis& a, const Instr& i, Stream& now);
void ends(Analysis& a, const Instr& i, Stream& now);
void usegsum(Analysis& a, const Instr& i, Stream& now);
void uempty(Analysis& a, const Instr& i, Stream& now);

// merges.cpp: one traversal after another.
void umerge(Analysis& a, const Instr& i, Stream& now);
void merge_segments(Analysis& a, const Instr& i, Stream& now);
void usegmerge(Analysis& a, const Instr& i, Stream& now);

}  // namespace lockstep::streaming::rules
