// Clocks, traversals and what waits for what, together: traversals between two clocks, and what becomes of clocks whose
// streams are used together. Throws a DifferentPaces where that cannot be.
#pragma once
#include "translate/streamability/constraints.h"
#include "translate/streamability/streams.h"

namespace lockstep::streaming {

struct Loops {
  Predicates predicates;
  Clocks clocks{predicates};
  Order order;
  Traversals traversals{order};
};

// The traversal of the clock's elements in each element of the parent, which is somewhere around it: a new one if none
// is known.
TraversalId traversal_between(Loops& l, ClockId child, ClockId parent);
// The clock counts the elements of this traversal too.
void traverse(Loops& l, const Descriptor& d);
// A clock that counts a new traversal in each element of the parent.
Descriptor new_source(Loops& l, ClockId parent);

// v waits for x. What x has of first flags only is taken for the end of that traversal.
void waits(Loops& l, const Stream& x, Event v);
// A stream is used by `consumer` where elements of another clock are expected: an element outside may be used for the
// only one inside, before that traversal; and the only one inside for the element outside, after it.
void meet(Loops& l, const Stream& x, ClockId expected, Event consumer);
// The parents of two descriptors are used together, by `consumer`. What is in the first of a segment, `inside`, does
// not wait for the segment's end.
void parents_meet(Loops& l, ClockId a, ClockId b, Event consumer, std::optional<TraversalId> inside = {});
// Two descriptors are compared flag by flag: one traversal from now on.
void same_traversal(Loops& l, const Descriptor& a, const Descriptor& b);

}  // namespace lockstep::streaming
