// What is distributed over the segments of a descriptor.
#pragma once
#include "semantics/transducer/program.h"

namespace lockstep::transducer {

bool distributes(const Step& s);  // pdist, iotas, or several of them

}  // namespace lockstep::transducer
