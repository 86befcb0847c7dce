// One-instruction rewrite rules of SVCODE, as tables: what each matches and gives stands with it.
#pragma once
#include <optional>
#include <span>

#include "translate/simplify/facts.h"
#include "translate/simplify/rewrite.h"

namespace lockstep::streaming {

// What a rule may ask of the program so far.
struct RuleContext {
  const Facts& facts;
  const std::vector<int>& uses;  // of each stream so far, in the whole program
  const std::map<svcode::StreamId, svcode::StreamId>&
      controls;  // of a descriptor: the stream `usum f`, where it is there
  const svcode::Instr& definition(svcode::StreamId s) const { return facts.definition(s); }
};

struct Rule {
  const char* name;  // what it matches and gives
  std::optional<Rewritten> (*apply)(const svcode::Instr& i, const RuleContext& context);
};
std::span<const Rule> descriptor_rules();
std::span<const Rule> scalar_rules();

// The instruction in the place of another.
inline Rewritten instead(const svcode::Instr& i, svcode::Opcode o, std::vector<svcode::StreamId> arguments) {
  svcode::Instr r;
  r.opcode = o;
  r.type = i.type;
  r.region = i.region;
  r.arguments = std::move(arguments);
  return r;
}

}  // namespace lockstep::streaming
