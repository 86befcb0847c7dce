// Repeated constants of which no element is stored: they are only counted, where all who read them need no more.
#include <algorithm>

#include "semantics/svcode/instruction.h"
#include "translate/transducers/stages.h"

namespace lockstep::transducer {
namespace {

// Constants that say no more than that a check has passed. Who reads them waits for it, where a check or an operator
// that may trap comes next: what it would trap by is not there, or wrong.
class Guards {
 public:
  explicit Guards(const Network& n) : n_(n) {
    for (const Step& step : n.steps)
      for (const Operand& o : step.operands) readers_[o.stream].push_back(step.instructions[0]);
  }
  bool is_guard(const Instr& constant) {
    return constant.opcode == Opcode::Rep && n_.at(constant.arguments[0]).opcode == Opcode::Check &&
           may_trap_after(constant.id);
  }

 private:
  bool may_trap_after(StreamId s) {
    const auto [known, first] = may_trap_.emplace(s, false);
    if (!first) return known->second;
    const auto& readers = readers_[s];
    return may_trap_[s] = std::any_of(readers.begin(), readers.end(), [&](const Instr* i) {
             return i->opcode == Opcode::Check ||
                    (i->opcode == Opcode::Map && can_trap(i->op(), n_.at(i->arguments.back()).type)) ||
                    may_trap_after(i->id);
           });
  }

  const Network& n_;
  std::map<StreamId, std::vector<const Instr*>> readers_;
  std::map<StreamId, bool> may_trap_;
};

}  // namespace

Network with_counted(const Network& n, svcode::Rows rows) {
  Network r = n;
  Guards guards(n);
  for (const Step& step : r.steps) {
    const Instr& i = *step.instructions[0];
    if (is_constant(i) && i.type != Prim::Unit && !guards.is_guard(i)) r.repeated.insert(i.id);
  }
  for (const StreamId s : r.results()) r.repeated.erase(s);
  for (const Step& step : r.steps) {
    const Instr& i = *step.instructions[0];
    for (std::size_t k = 0; k < step.operands.size(); ++k) {
      const StreamId o = step.operands[k].stream;
      // Bits are read as words everywhere but in a map.
      const bool fits = step.kernel == Kernel::Plain && rows[i.opcode].counted.contains(k) && !r.bases.count(i.id) &&
                        (r.at(o).type != Prim::Bool || i.opcode == Opcode::Map);
      if (!fits) r.repeated.erase(o);
    }
  }
  return r;
}

}  // namespace lockstep::transducer
