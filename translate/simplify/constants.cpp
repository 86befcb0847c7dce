// Streams whose elements are all one known value (SNESL §4.3.1): a constant where the length is known too, otherwise
// the value for each element of a stream of that length.
#include "translate/simplify/facts.h"
#include "translate/simplify/rewrite.h"
#include "translate/simplify/simplify.h"

namespace lockstep::streaming {
namespace {

using svcode::Instr;
using svcode::Opcode;
using svcode::StreamId;

// A base in memory is what gathers need, whatever its value, and a program begins with its control stream.
bool replaceable(const Instr& i) {
  const svcode::OpcodeRow& row = svcode::row_of(i.opcode);
  return !svcode::has_effect_of_its_own(i.opcode) && !row.in_memory && row.clock != svcode::ClockRule::Root;
}

// What the instruction becomes that stands for the fact.
Instr constantly(const Instr& i, const Fact& fact, const Facts& facts) {
  Instr constant;
  constant.type = i.type;
  constant.region = i.region;
  constant.payload = *fact.value;
  if (const auto n = facts.number(fact.length)) {
    constant.opcode = Opcode::Constant;
    constant.payload = svcode::Repeated{*fact.value, *n};
    return constant;
  }
  const auto control = facts.as_long_as(i, *fact.value);
  if (!control) return i;
  constant.opcode = Opcode::Rep;
  constant.arguments = {*control};
  return constant;
}

}  // namespace

Stage constants(const Streamable& streamable) {
  const auto stage = [](const svcode::Program& p, const MayChange& allowed) {
    Facts facts(p.parameters);
    return rewrite(p, [&](const Instr& old, const std::vector<Instr>& so_far) -> Rewritten {
      Instr i = old;
      i.id = static_cast<StreamId>(so_far.size());
      facts.add(i);
      const Fact& fact = facts.of(i.id);
      if (!replaceable(i) || !fact.value || !allowed(old.id)) return i;
      Instr constant = constantly(i, fact, facts);
      return facts.waits_for(fact.gates, constant) ? constant : i;
    });
  };
  return svcode_stage("constants", "SNESL §4.3.1",
                      [=](const svcode::Program& p) { return run_keeping(p, streamable, stage); });
}

}  // namespace lockstep::streaming
