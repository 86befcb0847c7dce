// Specialised instructions where more is known of the arguments (SNESL §4.3, §4.3.1): the rules of rules.h, each
// instruction until none applies, and then without what they leave unused.
#include "translate/simplify/rules.h"
#include "translate/simplify/simplify.h"

namespace lockstep::streaming {

using svcode::Instr;
using svcode::Opcode;
using svcode::StreamId;

namespace {

// `gates`: what is waited for, whatever becomes of the instruction.
std::optional<Rewritten> apply_one(const Instr& i, const RuleContext& context, int gates) {
  for (const std::span<const Rule> rules : {descriptor_rules(), scalar_rules()})
    for (const Rule& r : rules)
      if (auto done = r.apply(i, context); done && context.facts.waits_for(gates, *done)) return done;
  return {};
}

}  // namespace

Stage special_cases(const Streamable& streamable) {
  const auto stage = [](const svcode::Program& p, const MayChange& allowed) {
    const std::vector<int> old_uses = uses_of(p);
    Facts facts(p.parameters);
    std::vector<int> uses;
    std::map<StreamId, StreamId> controls;
    const RuleContext context{facts, uses, controls};
    return rewrite(p, [&](const Instr& old, const std::vector<Instr>& so_far) -> Rewritten {
      Rewritten now = old;
      const int gates = facts.gates_of(old);
      while (const auto* i = allowed(old.id) ? std::get_if<Instr>(&now) : nullptr) {
        auto next = apply_one(*i, context, gates);
        if (!next) break;
        now = std::move(*next);
      }
      const int used = old_uses[old.id];
      if (const auto* s = std::get_if<StreamId>(&now)) {
        uses[*s] += used;
        return now;
      }
      Instr& i = std::get<Instr>(now);
      i.id = static_cast<StreamId>(so_far.size());
      facts.add(i);
      uses.push_back(used);
      if (i.opcode == Opcode::Usum) controls.emplace(i.arguments[0], i.id);
      return now;
    });
  };
  return svcode_stage("special-cases", "SNESL §4.3, §4.3.1",
                      [=](const svcode::Program& p) { return run_keeping(p, streamable, stage); });
}

}  // namespace lockstep::streaming
