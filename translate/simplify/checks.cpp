// Checks of what is known to be true, and streams that nothing needs (SNESL §4.3.1).
#include <set>

#include "semantics/svcode/instruction.h"
#include "translate/simplify/facts.h"
#include "translate/simplify/rewrite.h"
#include "translate/simplify/simplify.h"

namespace lockstep::streaming {

using svcode::Instr;
using svcode::Opcode;
using svcode::StreamId;

namespace {

// The streams whose elements are needed, not only how many there are.
std::set<StreamId> read_by_type(const svcode::Program& p) {
  std::set<StreamId> r;
  for (const Instr& i : p.instructions)
    for (std::size_t k = 0; k < i.arguments.size(); ++k)
      if (svcode::row_of(i.opcode).operands[k].type != svcode::ElementType::Any) r.insert(i.arguments[k]);
  for (const StreamId s : svcode::leaves_of(p.result)) r.insert(s);
  return r;
}

}  // namespace

// Whoever waited for the check has a stream of its length in the Booleans themselves, and where it must be of units, in
// as many of these.
Stage check_removal(const Streamable& streamable) {
  const auto stage = [](const svcode::Program& p, const MayChange& allowed) {
    Facts facts(p.parameters);
    const std::set<StreamId> needed = read_by_type(p);
    return rewrite(p, [&](const Instr& i, const std::vector<Instr>&) -> Rewritten {
      const bool needless = i.opcode == Opcode::Check && facts.is(i.arguments[0], snesl::bool_atom(true));
      if (needless && allowed(i.id) && !needed.contains(i.id)) return i.arguments[0];
      Instr now = i;
      if (needless && allowed(i.id)) {
        now.opcode = Opcode::Rep;
        now.arguments.resize(1);
        now.payload = snesl::unit_atom();
      }
      facts.add(now);
      return now;
    });
  };
  return svcode_stage("check-removal", "SNESL §4.3.1",
                      [=](const svcode::Program& p) { return run_keeping(p, streamable, stage); });
}

svcode::Program without_dead_code(const svcode::Program& p) {
  std::vector<int> uses = uses_of(p);
  const auto type_of_last = [&](const Instr& i) {
    return i.arguments.empty() ? svcode::Prim::Unit : p.instructions[i.arguments.back()].type;
  };
  std::vector<bool> dead(p.instructions.size());
  for (std::size_t k = p.instructions.size(); k-- > 0;) {
    const Instr& i = p.instructions[k];
    if (uses[k] != 0 || i.opcode == Opcode::Ctrl || svcode::has_effect(i, type_of_last(i))) continue;
    dead[k] = true;
    for (const StreamId s : i.arguments) --uses[s];
  }
  svcode::Program live = p;
  live.instructions.clear();
  for (const Instr& i : p.instructions)
    if (!dead[i.id]) live.instructions.push_back(i);
  return rewrite(live, [](const Instr& i, const std::vector<Instr>&) -> Rewritten { return i; });
}

Stage dead_code(const Streamable& streamable) {
  return svcode_stage("dead-code", "SNESL §4.3.1", [streamable](const svcode::Program& p) {
    svcode::Program result = without_dead_code(p);
    // A stream that nobody reads may be what shows that two traversals keep pace.
    return !streamable || streamable(result) || !streamable(p) ? result : p;
  });
}

}  // namespace lockstep::streaming
