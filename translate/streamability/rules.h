// The rules of the analysis, one for each instruction: what its operands' clocks must be, what its own is, and what
// waits for what. `now` is the stream that the instruction defines.
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

// What several rules say.
// x is in its buffer until this event; and the event waits for it.
void uses(Analysis& a, const Stream& x, Event until);
void reads(Analysis& a, const Stream& x, Event v);
// The stream waits for x; what x has of first flags only, it has of them.
void carries(Analysis& a, const Stream& x, Stream& now);
// An event after the elements of these.
Event consumed(Analysis& a, const std::vector<StreamId>& arguments);
// v, which the clock counts, waits for the vector that it reads.
void from_memory(Analysis& a, StreamId base, ClockId clock, Event v);
// What counts the elements of arguments that meet: the innermost of their clocks.
ClockId meeting(Analysis& a, const std::vector<StreamId>& arguments);
// What b picks. The first of each segment is one for each (`the`, which checks that there is one).
ClockId picked(Analysis& a, ClockId clock, StreamId b);
bool is_constant(const Instr& i, std::int64_t n);

// Flags become a descriptor where they are used as one: false for an element, true for the end of a piece. It cuts up
// the traversal of the flags themselves.
Descriptor descriptor(Analysis& a, StreamId s);
// The stream is a descriptor: its elements are ticks, of which the true ones count the parent's.
void define(Analysis& a, const Descriptor& d, Stream& now);
// Segments of one element or none, picked from the parent's elements: what they have inside is there with those.
bool at_most_one(Analysis& a, const Descriptor& f);
// The segments of g as those of f, which each has some of. Where f has one at most, both belong to one loop.
Descriptor flat(Analysis& a, const Descriptor& f, const Descriptor& g);
// A value for a whole segment waits in front of it; one that is known with the segment's first flag, in it.
void before_segment(Analysis& a, const Stream& x, const Descriptor& d, const Stream& now);

}  // namespace lockstep::streaming::rules
