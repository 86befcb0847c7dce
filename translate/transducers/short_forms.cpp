// Descriptors in short form: no flag for each end, where no segment is empty. Of one that is made by `ends` its operand
// is read instead; pieces of such are made in that form, where all who read them read segments.
#include "semantics/svcode/instruction.h"
#include "translate/transducers/rules.h"
#include "translate/transducers/stages.h"

namespace lockstep::transducer {
namespace {

// The descriptors of pieces that nobody reads flag by flag, or as the short form of longer segments.
std::set<StreamId> only_segments(const Rewriting& r) {
  const svcode::Program& p = *r.network().code;
  std::set<StreamId> all;
  for (const Instr& i : p.instructions)
    if (i.opcode == Opcode::UsegsumB2u) all.insert(i.id);
  for (const StreamId s : leaves_of(p.result)) all.erase(s);
  for (const Instr& i : p.instructions)
    for (std::size_t k = 0; k < i.arguments.size(); ++k)
      if (!svcode::reads_segments(i.opcode, k) ||
          (i.opcode == Opcode::Uappend && k == 0 && i.arguments.size() == 2 && is_one_each(r, i.arguments[1])))
        all.erase(i.arguments[k]);
  return all;
}

}  // namespace

Network in_short_form(const Network& n) {
  const Rewriting r(n);
  const std::set<StreamId> may_be = only_segments(r);
  std::set<StreamId> are;
  svcode::Forms forms = n.forms;
  std::vector<Instr> out;
  for (const Instr& i : n.code->instructions) {
    Instr now = i;
    if (may_be.count(i.id)) {
      const Instr& f = r.at(i.arguments[0]);
      if ((f.opcode == Opcode::Ends || are.count(f.id)) && holds_at_ends(r, i.arguments[1], f.id) &&
          may_tell_at_ends(i, i.arguments[1], r)) {
        are.insert(i.id);
        now.opcode = Opcode::EndsAmong;
      }
    }
    for (std::size_t k = 0; k < now.arguments.size(); ++k) {
      if (!svcode::reads_segments(now.opcode, k)) continue;
      Operand f = segments(r, i.arguments[k]);
      f.is_short |= are.count(f.stream) != 0;
      if (!f.is_short) continue;
      now.arguments[k] = f.stream;
      forms.short_operands.insert({now.id, k});
    }
    out.push_back(std::move(now));
  }
  return with_code(n, std::move(out), std::move(forms), [](StreamId s) { return s; });
}

}  // namespace lockstep::transducer
