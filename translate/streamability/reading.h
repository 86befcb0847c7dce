// What an instruction that reads a stream says of it: how long elements stay in its buffer, and what waits for them.
#pragma once
#include "translate/streamability/analysis.h"

namespace lockstep::streaming::rules {

// x is in its buffer until this event.
void uses(Analysis& a, const Stream& x, Event until);
// And the event waits for it.
void reads(Analysis& a, const Stream& x, Event v);
// An event after the elements of these.
Event consumed(Analysis& a, const std::vector<StreamId>& arguments);
// The stream waits for x; what x has of first flags only, it has of them.
void carries(Analysis& a, const Stream& x, Stream& now);
// v, which the clock counts, waits for the vector that it reads.
void from_memory(Analysis& a, StreamId base, ClockId clock, Event v);
// What counts the elements of arguments that meet: the innermost of their clocks.
ClockId meeting(Analysis& a, const std::vector<StreamId>& arguments);

}  // namespace lockstep::streaming::rules
