// Networks as text, and what they must be.
#pragma once
#include "semantics/transducer/program.h"

namespace lockstep::transducer {

std::string print(const Program& p);
// What is wrong, or "": instructions as SVCODE's (svcode/text.h) with those of networks; each step reads what a step
// before it gives; every result is given; what is read at places lets go of what it has had; loops and what is only
// counted are what they say.
std::string check(const Program& p);

}  // namespace lockstep::transducer
