// Repeated constants of which no element is stored: they are only counted, where all who read them need no more.
#include "semantics/svcode/instruction.h"
#include "translate/transducers/stages.h"

namespace lockstep::transducer {

Network with_counted(const Network& n) {
  Network r = n;
  for (const Step& step : r.steps) {
    const Instr& i = *step.instructions[0];
    if (is_constant(i) && i.type != Prim::Unit) r.repeated.insert(i.id);
  }
  for (const StreamId s : r.results()) r.repeated.erase(s);
  for (const Step& step : r.steps) {
    const Instr& i = *step.instructions[0];
    for (std::size_t k = 0; k < step.operands.size(); ++k) {
      const StreamId o = step.operands[k].stream;
      // Bits are read as words everywhere but in a map.
      const bool fits = step.kernel == Kernel::Plain && svcode::row_of(i.opcode).counted.contains(k) &&
                        !r.bases.count(i.id) && (r.at(o).type != Prim::Bool || i.opcode == Opcode::Map);
      if (!fits) r.repeated.erase(o);
    }
  }
  return r;
}

}  // namespace lockstep::transducer
