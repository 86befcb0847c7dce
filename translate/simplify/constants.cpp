// Streams whose elements are all one known value (SNESL §4.3.1): a constant where the length is known too, otherwise
// the value for each element of a stream of that length.
#include "translate/simplify/facts.h"
#include "translate/simplify/rewrite.h"
#include "translate/simplify/simplify.h"

namespace lockstep::streaming {
namespace {

using svcode::Instr;
using svcode::Opcode;
using svcode::Prim;
using svcode::StreamId;

bool replaceable(const Instr& i) {
  switch (i.opcode) {
    case Opcode::Ctrl:
    case Opcode::Input:
    case Opcode::Constant:
    case Opcode::Segtab:  // a base in memory is what gathers need, whatever its value
    case Opcode::Check:
    case Opcode::ReadFile:
    case Opcode::WriteFile:
    case Opcode::ReadWhole:
      return false;
    default:
      return true;
  }
}

// What the instruction becomes that stands for the fact.
Instr constantly(const Instr& i, const Fact& fact, const Facts& facts) {
  Instr constant;
  constant.type = i.type;
  constant.region = i.region;
  constant.atom = *fact.value;
  if (const auto n = facts.number(fact.length)) {
    constant.opcode = Opcode::Constant;
    constant.number = *n;
    return constant;
  }
  constant.opcode = Opcode::Rep;
  switch (i.opcode) {
    case Opcode::Map:
    case Opcode::Unpack:
    case Opcode::ToFlags:  // of zeros
    case Opcode::B2u:      // of falses
    case Opcode::Cons:
    case Opcode::Segscan:
    case Opcode::Scan:
      constant.arguments = {i.arguments[0]};
      return constant;
    case Opcode::Gather:
      constant.arguments = {i.arguments[1]};
      return constant;
    case Opcode::Lens:
    case Opcode::Uempty:
      if (const auto parent = facts.parent_of(i.arguments[0])) {
        constant.arguments = {*parent};
        return constant;
      }
      return i;
    default:
      return i;
  }
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
      if (!replaceable(i) || !fact.value || fact.after_check || !allowed(old.id)) return i;
      return constantly(i, fact, facts);
    });
  };
  return svcode_stage("constants", "SNESL §4.3.1",
                      [=](const svcode::Program& p) { return run_keeping(p, streamable, stage); });
}

}  // namespace lockstep::streaming
