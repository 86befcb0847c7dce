// What the engine's text is made of.
#pragma once
#include "semantics/transducer/program.h"

namespace lockstep::engine {

using svcode::Instr;
using svcode::Opcode;
using svcode::Prim;
using svcode::StreamId;
using transducer::Ahead;
using transducer::Kernel;
using transducer::Network;
using transducer::Operand;
using transducer::Slices;
using transducer::Step;

}  // namespace lockstep::engine
