// Which instructions make steps.
#pragma once
#include "semantics/transducer/program.h"

namespace lockstep::transducer {

// One for each instruction that a result, an effect or a group needs, and for the gathers of slices together.
std::vector<Step> single_steps(const Network& n);
bool reads(const Step& s, const Step& from);
bool in(const Step& cluster, StreamId s);
// Sorted by the longest way that leads to them, and the numbers of their streams.
void sort(std::vector<Step>& steps);
// Steps that produce nothing that is read, and do nothing else, go.
void drop_unread(const Network& n, std::vector<Step>& steps);
// The number of the step, perhaps of slices, that has this gather.
StreamId first_of(const Network& n, StreamId gather);

}  // namespace lockstep::transducer
