// Descriptors: how a stream becomes one, what its segments are, and what waits in front of them.
#pragma once
#include "translate/streamability/analysis.h"

namespace lockstep::streaming::rules {

// Flags become a descriptor where they are used as one: false for an element, true for the end of a piece. It cuts up
// the traversal of the flags themselves.
Descriptor descriptor(Analysis& a, StreamId s);
// The stream is a descriptor: its elements are ticks, of which the true ones count the parent's.
void define(Analysis& a, const Descriptor& d, Stream& now);
// The traversal of the descriptor is in pieces, each of which ends where the predicate holds.
void cut(Analysis& a, const Descriptor& d, Predicate ends);

// A value for a whole segment waits in front of it; one that is known with the segment's first flag, in it.
void before_segment(Analysis& a, const Stream& x, const Descriptor& d, const Stream& now);
// The same of a value for each element of the parent.
void before_traversal(Analysis& a, const Stream& x, const Descriptor& d, const Stream& now);

// Segments of one element or none, picked from the parent's elements: what they have inside is there with those.
bool at_most_one(Analysis& a, const Descriptor& f);
// Segments that are concatenated, such segments among what they are made of: what they give is as late as these.
bool some_at_most_one(Analysis& a, const Descriptor& f);
// The segments of g as those of f, which each has some of. Where f has one at most, both belong to one loop.
Descriptor flat(Analysis& a, const Descriptor& f, const Descriptor& g, ValueId value);
// What b picks. The first of each segment is one for each (`the`, which checks that there is one).
ClockId picked(Analysis& a, ClockId clock, StreamId b);

}  // namespace lockstep::streaming::rules
