// What is asked of a network (program.h).
#include "semantics/transducer/program.h"

namespace lockstep::transducer {

Network::Network(svcode::Program p, svcode::Forms forms)
    : code(std::make_shared<const svcode::Program>(std::move(p))), forms(std::move(forms)) {
  std::map<StreamId, const Instr*> all;
  for (const Instr& i : code->instructions) all[i.id] = &i;
  instructions_ = std::make_shared<const std::map<StreamId, const Instr*>>(std::move(all));
}

StreamId Network::stored(StreamId s) const {
  for (auto base = bases.find(s); base != bases.end(); base = bases.find(s)) s = base->second;
  return s;
}

std::vector<StreamId> Network::results() const {
  std::vector<StreamId> r = leaves_of(code->result);
  for (StreamId& s : r) s = stored(s);
  return r;
}

Operand Network::operand_of(const Instr& i, std::size_t k) const {
  return {stored(i.arguments[k]), forms.is_short(i, k)};
}

std::size_t Network::base_operand(const Step& step, StreamId reads) const {
  if (step.kernel != Kernel::Slices) return 2;
  std::size_t k = 1 + slices.at(step.id()).parameters.size();
  for (const Instr* g : step.instructions) {
    if (g->id == reads) return k;
    ++k;
  }
  throw Bug("a gather that is not of these slices");
}

}  // namespace lockstep::transducer
