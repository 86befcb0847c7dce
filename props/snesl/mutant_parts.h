// What mutants are made of: changes of SVCODE programs, instruction by instruction.
#pragma once
#include "props/snesl/mutants.h"
#include "translate/simplify/rewrite.h"

namespace lockstep::props::stream {

using svcode::Instr;
using svcode::Opcode;
using svcode::StreamId;
using Code = std::vector<Instr>;  // stream i is instruction i
using Change = lockstep::streaming::Rewriting;

// The instruction with another opcode and other arguments.
Instr instead(const Instr& i, Opcode o, std::vector<StreamId> arguments);
Instr repeated(const Instr& i, svcode::Atom a, StreamId control);
// Each instruction as `change` gives it; instructions keep their places where none becomes another stream.
svcode::Program changed(const svcode::Program& p, const Change& change);
// `change` where the instruction is an `o`.
Change where(Opcode o, std::function<lockstep::streaming::Rewritten(const Instr&, const Code&)> change);
// The arguments at j and k exchanged.
Change exchanged(Opcode o, std::size_t j, std::size_t k);

Mutant mutant(std::string family, std::string name, std::string description,
              const std::function<void(Toolchain&)>& wrong, std::vector<std::string> directed = {});

}  // namespace lockstep::props::stream
